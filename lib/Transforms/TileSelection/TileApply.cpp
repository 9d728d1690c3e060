// SPDX-License-Identifier: Apache-2.0

#include "TileApply.h"

#include "mli/IR/AttributeNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mli;
using namespace mli::tiling;

namespace {

/// The tile that a producer has computed for its user.
struct ComputedTile {
  SmallVector<OpFoldResult> offsets, sizes;
  Value value;
};

/// Writes the tiles of one group.
class TileWriter {
public:
  TileWriter(RewriterBase &rewriter, const TileGroup &group,
             const TileSizes &tiles, SmallVector<SmallVector<TileRun>> runs)
      : rewriter(rewriter), root(cast<TilingInterface>(group.root().op)),
        order(tiles.order), runs(std::move(runs)) {
    for (const StaticKernel *kernel : group.getKernels())
      members.insert(kernel->op);
    for (int64_t size : group.root().sizes) {
      offsets.push_back(rewriter.getIndexAttr(0));
      sizes.push_back(rewriter.getIndexAttr(size));
    }
  }

  /// The tiles of the loops of `order` from `depth` on, put into `whole`.
  FailureOr<Value> write(size_t depth, Value whole);

private:
  FailureOr<Value> writeLoop(size_t depth, const TileRun &run, Value whole);
  FailureOr<Value> writeTile(Value whole);
  void fuseProducers(ArrayRef<Operation *> slices);
  void fuse(Operation *slice, Operation *producer);
  Value findComputed(OffsetSizeAndStrideOpInterface slice,
                     Operation *producer) const;
  bool makeOwnInit(Operation *slice);
  void eraseSlice(Operation *slice);
  void place(Operation *slice);

  RewriterBase &rewriter;
  TilingInterface root;
  ArrayRef<unsigned> order;
  SmallVector<SmallVector<TileRun>> runs;
  llvm::SmallPtrSet<Operation *, 4> members;
  SmallVector<OpFoldResult> offsets, sizes;
  /// The slices, and their indices, that later tiles can reuse, by block and
  /// hash.
  DenseMap<std::pair<Block *, size_t>, SmallVector<Operation *, 1>> slicesOf;
  llvm::SmallPtrSet<Operation *, 16> placed;
  /// The tiles computed for the tile that is being written.
  DenseMap<Operation *, SmallVector<ComputedTile, 1>> computed;
};

} // namespace

FailureOr<Value> TileWriter::write(size_t depth, Value whole) {
  if (depth == order.size())
    return writeTile(whole);
  unsigned loop = order[depth];
  for (const TileRun &run : runs[depth]) {
    sizes[loop] = rewriter.getIndexAttr(run.size);
    offsets[loop] = rewriter.getIndexAttr(run.begin);
    FailureOr<Value> written =
        run.count == 1 ? write(depth + 1, whole) : writeLoop(depth, run, whole);
    if (failed(written))
      return failure();
    whole = *written;
  }
  return whole;
}

FailureOr<Value> TileWriter::writeLoop(size_t depth, const TileRun &run,
                                       Value whole) {
  Location loc = root.getLoc();
  auto index = [&](int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  Value from = index(run.begin), to = index(run.begin + run.count * run.size);
  auto loop =
      scf::ForOp::create(rewriter, loc, from, to, index(run.size), whole);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  offsets[order[depth]] = loop.getInductionVar();
  FailureOr<Value> written = write(depth + 1, loop.getRegionIterArg(0));
  if (failed(written))
    return failure();
  rewriter.setInsertionPointToEnd(loop.getBody());
  scf::YieldOp::create(rewriter, loc, *written);
  return loop.getResult(0);
}

/// Has the kernel compute a tile into `whole`, by its tiling interface.
FailureOr<Value> TileWriter::writeTile(Value whole) {
  computed.clear();
  auto kernel = cast<DestinationStyleOpInterface>(root.getOperation());
  OpOperand &init = *kernel.getDpsInitOperand(0);
  Value former = init.get();
  init.set(whole);
  auto restore = llvm::scope_exit([&] { init.set(former); });
  FailureOr<TilingResult> tiled =
      root.getTiledImplementation(rewriter, offsets, sizes);
  SmallVector<OpFoldResult> resultOffsets, resultSizes;
  if (failed(tiled) ||
      failed(root.getResultTilePosition(rewriter, 0, offsets, sizes,
                                        resultOffsets, resultSizes)))
    return failure();
  SmallVector<OpFoldResult> strides(resultSizes.size(),
                                    rewriter.getIndexAttr(1));
  Value written = tensor::InsertSliceOp::create(
      rewriter, root.getLoc(), tiled->tiledValues.front(), whole, resultOffsets,
      resultSizes, strides);
  fuseProducers(tiled->generatedSlices);
  return written;
}

/// Computes what `slices` read of other kernels of the group; the others are
/// put as far out as they go.
void TileWriter::fuseProducers(ArrayRef<Operation *> slices) {
  for (Operation *slice : slices) {
    Operation *source = slice->getOperand(0).getDefiningOp();
    if (source && members.contains(source))
      fuse(slice, source);
    else
      place(slice);
  }
}

/// The tiles between two kernels are never put together, so they need no slice
/// of a destination.
bool TileWriter::makeOwnInit(Operation *slice) {
  if (!slice->getOperand(0).getDefiningOp<tensor::EmptyOp>())
    return false;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(slice);
  rewriter.replaceOpWithNewOp<tensor::EmptyOp>(slice, slice->getResultTypes(),
                                               ValueRange());
  return true;
}

/// Whether two indices are computed alike.
static bool isSameIndex(Value a, Value b) {
  Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
  return a == b ||
         (first && second &&
          OperationEquivalence::isEquivalentTo(
              first, second,
              [](Value x, Value y) { return success(isSameIndex(x, y)); },
              /*markEquivalent=*/nullptr,
              OperationEquivalence::IgnoreLocations));
}

static bool areSameIndices(ArrayRef<OpFoldResult> a, ArrayRef<OpFoldResult> b) {
  return llvm::all_of_zip(a, b, [](OpFoldResult x, OpFoldResult y) {
    auto first = dyn_cast<Value>(x), second = dyn_cast<Value>(y);
    return first && second ? isSameIndex(first, second)
                           : isEqualConstantIntOrValue(x, y);
  });
}

/// Erases `slice`, which is not used, and what only it used but later tiles can
/// not reuse.
void TileWriter::eraseSlice(Operation *slice) {
  SmallVector<Operation *> indices;
  for (Value operand : slice->getOperands().drop_front())
    if (Operation *op = operand.getDefiningOp())
      indices.push_back(op);
  rewriter.eraseOp(slice);
  for (Operation *op : indices)
    if (isOpTriviallyDead(op) && !placed.contains(op))
      rewriter.eraseOp(op);
}

/// The tile `slice` of the result of `producer`, if another kernel has it
/// computed.
Value TileWriter::findComputed(OffsetSizeAndStrideOpInterface slice,
                               Operation *producer) const {
  auto found = computed.find(producer);
  if (found == computed.end())
    return Value();
  for (const ComputedTile &tile : found->second)
    if (tile.value.getType() == slice->getResult(0).getType() &&
        areSameIndices(tile.offsets, slice.getMixedOffsets()) &&
        areSameIndices(tile.sizes, slice.getMixedSizes()))
      return tile.value;
  return Value();
}

/// Where `producer` does not compute the tile it stays whole.
void TileWriter::fuse(Operation *slice, Operation *producer) {
  auto cut = cast<OffsetSizeAndStrideOpInterface>(slice);
  // Z15
  if (Value value = findComputed(cut, producer)) {
    rewriter.replaceAllUsesWith(slice->getResult(0), value);
    eraseSlice(slice);
    return;
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(slice);
  FailureOr<TilingResult> tiled =
      cast<TilingInterface>(producer).generateResultTileValue(
          rewriter, 0, cut.getMixedOffsets(), cut.getMixedSizes());
  if (failed(tiled)) {
    place(slice);
    return;
  }
  computed[producer].push_back(
      {cut.getMixedOffsets(), cut.getMixedSizes(), tiled->tiledValues.front()});
  rewriter.replaceOp(slice, tiled->tiledValues);
  SmallVector<Operation *> slices;
  for (Operation *other : tiled->generatedSlices)
    if (!makeOwnInit(other))
      slices.push_back(other);
  fuseProducers(slices);
}

/// Moves `slice` before the loops that it does not depend on, and replaces it
/// by an equal one that is there already: its indices first.
void TileWriter::place(Operation *slice) {
  if (placed.contains(slice))
    return;
  for (Value operand : slice->getOperands())
    if (Operation *index = operand.getDefiningOp();
        index && operand.getType().isIndex() && isMemoryEffectFree(index))
      place(index);
  auto isInside = [](Operation *loop, Value value) {
    return loop->isAncestor(value.getParentBlock()->getParentOp());
  };
  while (auto loop = dyn_cast<scf::ForOp>(slice->getParentOp())) {
    if (llvm::any_of(slice->getOperands(),
                     [&](Value value) { return isInside(loop, value); }))
      break;
    rewriter.moveOpBefore(slice, loop);
  }
  constexpr auto flags = OperationEquivalence::IgnoreLocations;
  size_t hash = OperationEquivalence::computeHash(
      slice, OperationEquivalence::directHashValue,
      OperationEquivalence::ignoreHashValue, flags);
  SmallVector<Operation *, 1> &others = slicesOf[{slice->getBlock(), hash}];
  for (Operation *other : others)
    if (OperationEquivalence::isEquivalentTo(other, slice, flags)) {
      rewriter.replaceOp(slice, other->getResults());
      return;
    }
  others.push_back(slice);
  placed.insert(slice);
}

LogicalResult mli::tiling::applyTiles(RewriterBase &rewriter,
                                      const TileGroup &group,
                                      const TileSizes &tiles,
                                      int64_t unrolled) {
  SmallVector<SmallVector<TileRun>> runs = group.getRuns(tiles);
  unroll(runs, unrolled);
  Operation *root = group.root().op;
  for (const StaticKernel *kernel : group.getKernels()) {
    kernel->op->removeAttr(tileAttrName);
    kernel->op->removeAttr(fusedAttrName);
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(root);
  Value init = cast<DestinationStyleOpInterface>(root).getDpsInits().front();
  FailureOr<Value> result =
      TileWriter(rewriter, group, tiles, std::move(runs)).write(0, init);
  if (failed(result))
    return failure();
  rewriter.replaceOp(root, *result);
  for (const StaticKernel *kernel : group.getKernels().drop_front()) {
    Operation *empty = cast<DestinationStyleOpInterface>(kernel->op)
                           .getDpsInits()
                           .front()
                           .getDefiningOp();
    if (kernel->op->use_empty())
      rewriter.eraseOp(kernel->op);
    if (isa_and_present<tensor::EmptyOp>(empty) && empty->use_empty())
      rewriter.eraseOp(empty);
  }
  return success();
}
