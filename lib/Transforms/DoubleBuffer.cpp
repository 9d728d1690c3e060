// SPDX-License-Identifier: Apache-2.0
//
// mli-double-buffer overlaps transfers to and from local memory with kernels.

#include "Transforms/Scheduling/DoubleBuffer.h"
#include "Transforms/Addresses/Addresses.h"
#include "Transforms/Scheduling/EngineCost.h"
#include "Transforms/TileSelection/TileText.h"

#include "mli/IR/MLIParallel.h"
#include "mli/Transforms/Passes.h"
#include "mli/Transforms/ScheduleCost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mli-double-buffer"

namespace mli {
#define GEN_PASS_DEF_DOUBLEBUFFER
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

/// Whether `isWanted` holds for `op` or an operation in it.
static bool contains(Operation *op,
                     llvm::function_ref<bool(Operation *)> isWanted) {
  return op
      ->walk([&](Operation *inner) {
        return isWanted(inner) ? WalkResult::interrupt()
                               : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Overlaps the transfers of all loops and blocks of `function`, whose local
/// memory is `profile`.
static OverlapCounts overlapFunction(func::FuncOp function,
                                     LocalProfile &profile,
                                     const OverlapRules &rules) {
  OverlapCounts counts;
  function.walk<WalkOrder::PreOrder>(
      [&](scf::ForOp loop) { overlapRows(loop, counts); });
  SmallVector<scf::ForOp> loops;
  function.walk([&](scf::ForOp loop) {
    bool isInnermost = llvm::all_of(
        *loop.getBody(), [](Operation &op) { return op.getNumRegions() == 0; });
    if (isInnermost && llvm::any_of(*loop.getBody(), [](Operation &op) {
          return isLocalCompute(&op);
        }))
      loops.push_back(loop);
  });
  for (scf::ForOp loop : loops)
    pipelineLoop(loop, profile, rules, counts);
  SmallVector<Block *> blocks;
  function.walk([&](Block *block) {
    Operation *around = block->getParentOp();
    if (!isa<ParallelOp>(around) && !around->getParentOfType<ParallelOp>())
      blocks.push_back(block);
  });
  for (Block *block : blocks)
    overlapMoves(*block, profile, rules, counts);
  return counts;
}

/// Whether the planner of addresses can place all buffers in local memory.
// Z14
static bool isPlannable(func::FuncOp function, int64_t budget) {
  MemoryRules rules;
  rules.space = Space::local;
  allocation::PlannerOptions options;
  options.budget = budget;
  options.onlyIfItFits = true;
  FailureOr<MemoryPlan> plan =
      MemoryAnalysis(function).makePlan(rules, options);
  return succeeded(plan) && plan->isPlaced();
}

/// Restores the body of `function` to that of `original`.
static void restore(func::FuncOp function, func::FuncOp original) {
  function.eraseBody();
  IRMapping map;
  original.getBody().cloneInto(&function.getBody(), map);
}

static void explainGain(func::FuncOp function, const tiling::CostModel &model) {
  ScheduleCost cost = getScheduleCost(function, model);
  auto text = [](double number) {
    return tiling::numberText(static_cast<int64_t>(number));
  };
  function.emitRemark("moves ")
      << tiling::bytesText(cost.movedBytes) << ", cost " << text(cost.moves)
      << "; kernels cost " << text(cost.kernels) << "; "
      << text(cost.overlapped) << " at the same time: " << text(cost.getTotal())
      << " instead of " << text(cost.moves + cost.kernels)
      << ", estimated for the target in bytes moved";
}

namespace {

struct DoubleBufferPass : mli::impl::DoubleBufferBase<DoubleBufferPass> {
  using DoubleBufferBase::DoubleBufferBase;

  void runOnOperation() override {
    if (mode == DoubleBuffering::Off)
      return;
    FailureOr<tiling::TileOverrides> read =
        tiling::readOverrides(getOperation(), overrides);
    if (failed(read))
      return signalPassFailure();
    cost = read->cost;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(runOnFunction(function)))
        return signalPassFailure();
  }

private:
  LogicalResult runOnFunction(func::FuncOp function);

  tiling::CostModel cost;
};

} // namespace

LogicalResult DoubleBufferPass::runOnFunction(func::FuncOp function) {
  if (!contains(function, isLocalCompute))
    return success();
  FailureOr<TargetAttr> target = getTarget(function);
  if (failed(target))
    return failure();
  auto reject = [&](StringRef why) {
    LDBG() << "'" << function.getSymName() << "' stays as it is, as " << why;
    if (explain)
      function.emitRemark("transfers do not overlap, as ") << why;
    return success();
  };
  if (cost.overlap == 0.0)
    return reject("'overlap' is 0");
  if (contains(function, llvm::IsaPred<func::CallOp>))
    return reject("it calls functions, which plan local memory for themselves");
  alternateCarriedBuffers(function);
  FailureOr<LocalProfile> profile = LocalProfile::of(function, cost);
  if (failed(profile))
    return failure();
  OwningOpRef<func::FuncOp> original = function.clone();
  OverlapCounts counts;
  int64_t bytes = target->getValue().npuBytes;
  OverlapRules rules;
  rules.onlyIfItPays = mode == DoubleBuffering::Auto;
  auto startAgain = [&] {
    restore(function, *original);
    profile = LocalProfile::of(function, cost);
    counts = {};
  };
  // Fewer and fewer bytes are prefetched, until all buffers can be placed.
  bool isPlaced = false;
  for (int64_t share : {16, 15, 14, 12, 8, 4, 0}) {
    rules.capacity = bytes / 16 * share;
    counts = overlapFunction(function, *profile, rules);
    isPlaced = counts.parallels == 0 || isPlannable(function, budget);
    LDBG() << "'" << function.getSymName() << "': " << counts.moves
           << " moves overlap in " << rules.capacity << " bytes, "
           << (isPlaced ? "which" : "but not all") << " have addresses";
    if (isPlaced)
      break;
    startAgain();
  }
  if (!isPlaced)
    return reject("the planner finds no addresses for the buffers");
  if (explain) {
    startAgain();
    rules.explains = true;
    counts = overlapFunction(function, *profile, rules);
    explainGain(function, cost);
  }
  numParallels += counts.parallels;
  numMoves += counts.moves;
  numLoops += counts.loops;
  return success();
}
