// SPDX-License-Identifier: Apache-2.0
//
// mli-tile-to-fit tiles kernels that do not fit local memory, and fuses their
// producers into the tiles.

#include "Transforms/TileSelection/KernelGraph.h"
#include "Transforms/TileSelection/TileDecision.h"
#include "Transforms/TileSelection/TileFailures.h"
#include "Transforms/TileSelection/TileText.h"

#include "mli/IR/AttributeNames.h"
#include "mli/IR/LocalMemory.h"
#include "mli/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mli-tile-to-fit"

namespace mli {
#define GEN_PASS_DEF_TILETOFIT
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;
using namespace mli::tiling;

//===----------------------------------------------------------------------===//
// Decisions as attributes
//===----------------------------------------------------------------------===//

static void writeDecision(const TileDecision &decision) {
  Operation *root = decision.kernels.front();
  Builder builder(root->getContext());
  const TilePlan &plan = decision.plan;
  SmallVector<int64_t> order(plan.tiles.order.begin(), plan.tiles.order.end());
  NamedAttrList tile;
  tile.append("sizes", builder.getDenseI64ArrayAttr(plan.tiles.sizes));
  tile.append("order", builder.getDenseI64ArrayAttr(order));
  if (plan.isDoubled)
    tile.append("double_buffer", builder.getUnitAttr());
  root->setAttr(tileAttrName, tile.getDictionary(root->getContext()));
  for (Operation *producer : ArrayRef(decision.kernels).drop_front())
    producer->setAttr(fusedAttrName, builder.getUnitAttr());
}

/// Reads the tile attribute of `root` as an override.
static FailureOr<TileOverride> readDecision(Operation *root) {
  auto tile = root->getAttrOfType<DictionaryAttr>(tileAttrName);
  auto sizes = tile ? tile.getAs<DenseI64ArrayAttr>("sizes") : nullptr;
  auto order = tile ? tile.getAs<DenseI64ArrayAttr>("order") : nullptr;
  // Z4
  if (!sizes || !order)
    return root->emitOpError("expected 'mli.tile' to have arrays 'sizes' and "
                             "'order', but got ")
           << root->getAttr(tileAttrName);
  // Z4
  if (llvm::any_of(order.asArrayRef(), [&](int64_t loop) {
        return loop < 0 || loop >= sizes.size();
      }))
    return root->emitOpError("expected 'order' of 'mli.tile' to be numbers of "
                             "'sizes', from 0 to below ")
           << sizes.size() << ", but got " << listText(order.asArrayRef());
  TileOverride read;
  read.isDoubled = tile.contains("double_buffer");
  read.sizes.assign(sizes.asArrayRef().begin(), sizes.asArrayRef().end());
  for (int64_t loop : order.asArrayRef())
    read.order.push_back(static_cast<unsigned>(loop));
  return read;
}

static void report(const TileDecision &decision, int64_t capacity,
                   const CostModel &cost) {
  Operation *root = decision.kernels.front();
  const TilePlan &plan = decision.plan;
  const TileCounts &counts = plan.counts;
  StaticKernel kernel = *StaticKernel::get(root);
  InFlightDiagnostic remark = emitRemark(root->getLoc());
  remark << decision.key << ": tile " << listText(plan.tiles.sizes) << " of "
         << listText(kernel.sizes) << ", order " << listText(plan.tiles.order)
         << ", takes " << bytesText(plan.bytes) << " of " << bytesText(capacity)
         << "; moves " << bytesText(counts.bytesMoved) << ", "
         << numberText(counts.macsPerNpu) << " MACs per NPU, "
         << bytesText(counts.wastedBytes) << " alignment waste, "
         << numberText(counts.bankConflicts) << " bank conflicts, "
         << numberText(counts.calls) << " calls, "
         << numberText(counts.unrolled) << " unrolled, cost "
         << numberText(static_cast<int64_t>(plan.score)) << "; "
         << decision.fused.size() << " producers fused"
         << (decision.fused.empty() ? "" : ": " + listText(decision.fused))
         << "; ";
  if (decision.isOverride)
    remark << "as the file says";
  else if (plan.isDoubled)
    remark << "double buffering";
  else if (cost.overlap == 0.0)
    remark << "no double buffering, as moves are waited for";
  else
    remark << "no double buffering, as tiles of half the size cost more";
  for (const UnfusedProducer &producer : decision.leftOut)
    remark.attachNote(producer.op->getLoc())
        << producer.key << " is not fused: " << producer.reason;
}

namespace {

struct TileToFitPass : mli::impl::TileToFitBase<TileToFitPass> {
  using TileToFitBase::TileToFitBase;

  void runOnOperation() override {
    FailureOr<TargetAttr> target = getTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    DecisionRules rules;
    rules.target = target->getValue();
    rules.capacity = rules.target.npuBytes - reserve;
    rules.maxGroup = static_cast<unsigned>(maxGroup);
    rules.explains = report;
    if (failed(checkReserve(rules.target)) || failed(readRules(rules)))
      return signalPassFailure();
    bool hasFailed = false;
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      hasFailed |= failed(decide(function, rules));
    if (hasFailed)
      return signalPassFailure();
    if (decideOnly)
      return;
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (failed(apply(function, rules)))
        return signalPassFailure();
  }

private:
  LogicalResult checkReserve(const layout::Target &target) {
    // Z7
    if (reserve < 0 || reserve >= target.npuBytes)
      return getOperation().emitError("expected 'reserve' to be 0 to ")
             << target.npuBytes - 1 << ", but got " << reserve.getValue();
    return success();
  }

  LogicalResult readRules(DecisionRules &rules) {
    FailureOr<TileOverrides> read = readOverrides(getOperation(), overrides);
    if (failed(read))
      return failure();
    if (failed(checkFunctions(read->tiles)))
      return failure();
    rules.overrides = std::move(*read);
    rules.doubling = doubleBuffer;
    std::optional<double> &overlap = rules.overrides.cost.overlap;
    if (doubleBuffer == DoubleBuffering::Off)
      overlap = 0;
    else if (!overlap)
      overlap = doubleBuffer == DoubleBuffering::Unset ? 0 : expectedOverlap;
    return success();
  }

  /// Checks that all functions that `tiles` cut exist; decisions check their
  /// kernels.
  LogicalResult checkFunctions(const llvm::StringMap<TileOverride> &tiles) {
    SmallVector<StringRef> keys(tiles.keys());
    llvm::sort(keys);
    for (StringRef key : keys)
      // Z8
      if (!isa_and_present<FunctionOpInterface>(
              getOperation().lookupSymbol(key.rsplit(':').first)))
        return rejectName(getOperation(), key);
    return success();
  }

  LogicalResult decide(FunctionOpInterface function,
                       const DecisionRules &rules) {
    dropUnitBatches(function);
    auto decisions = decideTiles(function, rules);
    if (failed(decisions))
      return failure();
    for (const TileDecision &decision : *decisions) {
      ++numGroups;
      numFused += decision.kernels.size() - 1;
      LDBG() << decision.key << ": tile " << listText(decision.plan.tiles.sizes)
             << ", " << decision.fused.size() << " producers fused, cost "
             << decision.plan.score
             << (decision.isOverride ? ", as the file says" : "");
      if (report)
        ::report(decision, rules.capacity, rules.overrides.cost);
      writeDecision(decision);
    }
    return success();
  }

  LogicalResult apply(FunctionOpInterface function, const DecisionRules &rules);
};

} // namespace

/// `root` and the kernels that are computed in its tiles.
static SmallVector<Operation *> getGroup(Operation *root) {
  llvm::SmallSetVector<Operation *, 4> kernels;
  kernels.insert(root);
  for (size_t i = 0; i < kernels.size(); ++i)
    for (Value operand : kernels[i]->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && producer->hasAttr(fusedAttrName) && isTileable(producer))
        kernels.insert(producer);
  return SmallVector<Operation *>(kernels.getArrayRef());
}

/// Checks that all kernels of `function` that are to be computed in tiles are
/// in the group of one of `roots`.
// Z4
static LogicalResult checkFused(FunctionOpInterface function,
                                ArrayRef<Operation *> roots) {
  llvm::SmallPtrSet<Operation *, 16> grouped;
  for (Operation *root : roots)
    grouped.insert_range(getGroup(root));
  WalkResult walk = function.walk([&](Operation *op) {
    if (!op->hasAttr(fusedAttrName) || !isTileable(op) || grouped.contains(op))
      return WalkResult::advance();
    op->emitOpError("expected 'mli.tile_fused' on a kernel whose result one "
                    "with 'mli.tile' or 'mli.tile_fused' uses, but got no such "
                    "user");
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

/// Records on the kernels of `group` the memory of the tiles beside them.
static void reserveDoubles(const TileGroup &group, const TileSizes &tiles) {
  for (auto [i, kernel] : llvm::enumerate(group.getKernels()))
    kernel->op->setAttr(
        doubledAttrName,
        Builder(kernel->op->getContext())
            .getI64IntegerAttr(group.getOtherBufferBytes(i, tiles)));
}

LogicalResult TileToFitPass::apply(FunctionOpInterface function,
                                   const DecisionRules &rules) {
  SmallVector<Operation *> roots;
  function.walk([&](Operation *op) {
    if (op->hasAttr(tileAttrName) && isTileable(op))
      roots.push_back(op);
  });
  if (failed(checkFused(function, roots)))
    return failure();
  IRRewriter rewriter(function.getContext());
  for (Operation *root : roots) {
    std::vector<StaticKernel> kernels;
    SmallVector<const StaticKernel *> members;
    for (Operation *op : getGroup(root)) {
      std::optional<StaticKernel> kernel = StaticKernel::get(op);
      if (!kernel)
        return rejectDynamic(op);
      kernels.push_back(std::move(*kernel));
    }
    for (const StaticKernel &kernel : kernels)
      members.push_back(&kernel);
    TileGroup group(members, rules.target);
    FailureOr<TileOverride> read = readDecision(root);
    if (failed(read))
      return failure();
    FailureOr<TilePlan> plan =
        checkTiles(group, *read, rules.capacity, rules.overrides.cost);
    if (failed(plan))
      return failure();
    if (read->isDoubled)
      reserveDoubles(group, plan->tiles);
    if (failed(applyTiles(rewriter, group, plan->tiles, unroll)))
      return failure();
  }
  return success();
}
