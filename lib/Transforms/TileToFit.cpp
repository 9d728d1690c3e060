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
    FailureOr<parts::PartOptions> options = readOptions();
    if (failed(options))
      return signalPassFailure();
    bool hasFailed = false;
    tooLarge.clear();
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      hasFailed |= failed(decide(function, *options));
    if (!tooLarge.empty())
      (void)rejectLarge(tooLarge, options->target.getValue());
    if (hasFailed)
      return signalPassFailure();
    if (decideOnly)
      return;
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (failed(apply(function, *options)))
        return signalPassFailure();
  }

private:
  FailureOr<parts::PartOptions> readOptions();
  LogicalResult checkFunctions(const TileOverrides &file);
  LogicalResult decide(FunctionOpInterface function,
                       const parts::PartOptions &options);
  LogicalResult apply(FunctionOpInterface function,
                      const parts::PartOptions &options);

  /// The kernels of all functions of which no tile fits.
  std::vector<LargeKernel> tooLarge;
};

} // namespace

FailureOr<parts::PartOptions> TileToFitPass::readOptions() {
  TileToFitOptions options;
  options.reserve = reserve;
  options.maxGroup = maxGroup;
  options.maxStream = maxStream;
  options.unroll = unroll;
  options.overrides = overrides;
  options.doubleBuffer = doubleBuffer;
  options.report = report;
  FailureOr<parts::PartOptions> read =
      parts::readPartOptions(getOperation(), options);
  if (failed(read) || failed(checkFunctions(read->overrides)))
    return failure();
  return read;
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

LogicalResult TileToFitPass::decide(FunctionOpInterface function,
                                    const parts::PartOptions &options) {
  FailureOr<size_t> cells = parts::prepareKernels(function, options);
  if (failed(cells))
    return failure();
  numCells += *cells;
  FailureOr<PartsRecord> decided =
      parts::decideParts(function, options, tooLarge);
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
