// SPDX-License-Identifier: Apache-2.0
//
// mli-tile-to-fit tiles kernels that do not fit local memory, and fuses their
// producers into the tiles.

#include "Transforms/LocalMemory/LocalTensors.h"
#include "Transforms/Parts/PartPlan.h"
#include "Transforms/Streams/FormStreams.h"
#include "Transforms/TileSelection/TileApply.h"
#include "Transforms/TileSelection/TileFailures.h"
#include "Transforms/TileSelection/TileText.h"

#include "mli/IR/AttributeNames.h"
#include "mli/IR/LayoutPolicy.h"
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

namespace {

struct TileToFitPass : mli::impl::TileToFitBase<TileToFitPass> {
  using TileToFitBase::TileToFitBase;

  void runOnOperation() override {
    FailureOr<TargetAttr> target = getTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    parts::PartOptions options;
    options.target = *target;
    if (failed(readOptions(options)))
      return signalPassFailure();
    bool hasFailed = false;
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      hasFailed |= failed(decide(function, options));
    if (hasFailed)
      return signalPassFailure();
    if (decideOnly)
      return;
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (failed(apply(function, options)))
        return signalPassFailure();
  }

private:
  LogicalResult readOptions(parts::PartOptions &options);
  LogicalResult checkFunctions(const TileOverrides &file);
  LogicalResult expand(FunctionOpInterface function,
                       const parts::PartOptions &options);
  LogicalResult decide(FunctionOpInterface function,
                       const parts::PartOptions &options);
  LogicalResult apply(FunctionOpInterface function,
                      const parts::PartOptions &options);
};

} // namespace

LogicalResult TileToFitPass::readOptions(parts::PartOptions &options) {
  int64_t npuBytes = options.target.getValue().npuBytes;
  // Z7
  if (reserve < 0 || reserve >= npuBytes)
    return getOperation().emitError("expected 'reserve' to be 0 to ")
           << npuBytes - 1 << ", but got " << reserve.getValue();
  FailureOr<TileOverrides> read = readOverrides(getOperation(), overrides);
  if (failed(read) || failed(checkFunctions(*read)))
    return failure();
  options.overrides = std::move(*read);
  options.reports = report;
  parts::PartRules &rules = options.rules;
  rules.capacity = npuBytes - reserve;
  rules.maxGroup = static_cast<size_t>(maxGroup);
  rules.maxStream = static_cast<size_t>(maxStream);
  rules.unrolled = unroll;
  rules.doubling = doubleBuffer;
  rules.cost = options.overrides.cost;
  std::optional<double> &overlap = rules.cost.overlap;
  if (doubleBuffer == DoubleBuffering::Off)
    overlap = 0;
  else if (!overlap)
    overlap = doubleBuffer == DoubleBuffering::Unset ? 0 : expectedOverlap;
  return success();
}

/// Checks that all functions that `file` names exist; decisions check their
/// kernels.
LogicalResult TileToFitPass::checkFunctions(const TileOverrides &file) {
  SmallVector<StringRef> keys(file.tiles.keys());
  llvm::sort(keys);
  for (const StreamOverride &stream : file.streams)
    keys.append(stream.kernels.begin(), stream.kernels.end());
  for (StringRef key : keys)
    // Z8
    if (!isa_and_present<FunctionOpInterface>(
            getOperation().lookupSymbol(key.rsplit(':').first)))
      return rejectName(getOperation(), key);
  return success();
}

/// Has recurrent cells without a decision that do not fit computed step by
/// step.
LogicalResult TileToFitPass::expand(FunctionOpInterface function,
                                    const parts::PartOptions &options) {
  const layout::Target &target = options.target.getValue();
  FailureOr<LocalTensors> local =
      LocalTensors::of(function, target, findLayoutPolicy(function));
  if (failed(local))
    return failure();
  auto getRoom = [&](Operation *op) {
    return parts::isDecided(op) ? INT64_MAX
                                : options.rules.capacity - local->getBytes(op);
  };
  numCells +=
      expandCells(function, {target, options.rules.cost,
                             doubleBuffer == DoubleBuffering::On, getRoom});
  return success();
}

LogicalResult TileToFitPass::decide(FunctionOpInterface function,
                                    const parts::PartOptions &options) {
  dropUnitBatches(function);
  if (failed(expand(function, options)))
    return failure();
  FailureOr<PartsRecord> decided = parts::decideParts(function, options);
  if (failed(decided))
    return failure();
  for (const PartRecord &part : decided->parts) {
    if (part.kind == "rows") {
      ++numStreams;
      numStreamed += part.kernels.size();
    } else if (part.kind != "whole") {
      ++numGroups;
      numFused += part.kernels.size() - 1;
    }
    LDBG() << "'" << function.getName() << "': " << part.getText();
  }
  if (!decided->parts.empty())
    decided->set(function);
  return success();
}

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
                                   const parts::PartOptions &options) {
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
    TileGroup group(members, options.target.getValue(),
                    [](const StaticKernel &kernel, size_t operand) {
                      return isLocal(kernel.op->getOperand(operand).getType());
                    });
    FailureOr<TileOverride> read = readDecision(root);
    if (failed(read))
      return failure();
    FailureOr<TilePlan> plan =
        checkTiles(group, *read, options.rules.capacity, options.rules.cost);
    if (failed(plan))
      return failure();
    if (read->isDoubled)
      reserveDoubles(group, plan->tiles);
    if (failed(applyTiles(rewriter, group, plan->tiles, unroll)))
      return failure();
  }
  return success();
}
