// SPDX-License-Identifier: Apache-2.0

#include "mli/Transforms/TileableOps.h"

#include "MovTile.h"
#include "Tile.h"
#include "TileOperands.h"

#include "mli/IR/KernelOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mli;
using namespace mli::tiling;

/// The kernel gives the result of two operands of one element the shape of the
/// second, and a tile of one element makes a scalar meet another.
static void giveScalarShape(OpBuilder &builder, DestinationStyleOpInterface op,
                            MutableArrayRef<Value> operands) {
  auto lhs = cast<ShapedType>(operands[0].getType());
  auto rhs = cast<ShapedType>(operands[1].getType());
  int64_t rank = cast<ShapedType>(op.getDpsInits()[0].getType()).getRank();
  bool isScalar = rhs.hasStaticShape() && rhs.getNumElements() == 1;
  bool mayMeetScalar = !lhs.hasStaticShape() || lhs.getNumElements() == 1;
  auto buffer = dyn_cast<MemRefType>(rhs);
  bool isDense = !buffer || buffer.getLayout().isIdentity();
  if (isScalar && mayMeetScalar && isDense && rhs.getRank() != rank)
    operands[1] = ReshapeOp::create(builder, op.getLoc(),
                                    rhs.clone(SmallVector<int64_t>(rank, 1)),
                                    operands[1]);
}

/// `op` on the operands of `tile`, which is not rejected.
static TilingResult makeTiled(OpBuilder &builder, const KernelModel &model,
                              const Tile &tile) {
  DestinationStyleOpInterface op = model.dps();
  TileOperands operands = makeTileOperands(builder, model, tile);
  if (op->hasTrait<BroadcastingKernel>())
    giveScalarShape(builder, op, operands.values);
  SmallVector<Type> types;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    Type type = operands.values[init.getOperandNumber()].getType();
    if (isa<TensorType>(type))
      types.push_back(type);
  }
  SmallVector<Value> all(operands.values);
  SmallVector<int64_t> padding;
  dispatchIndexOpFoldResults(operands.padding, all, padding);
  Operation *tiled = mlir::clone(builder, op, types, all);
  if (auto window = dyn_cast<WindowOpInterface>(tiled))
    window.setStaticPadding(padding);
  if (auto mov = dyn_cast<MovOp>(tiled))
    configureMovTile(mov, cast<MovOp>(model.op), tile);
  return {{tiled}, SmallVector<Value>(tiled->getResults()), operands.slices};
}

/// `op` on the tile that `loops` make, if they do and it computes that.
static FailureOr<TilingResult> makeFused(OpBuilder &builder,
                                         const KernelModel &model,
                                         FailureOr<LoopTile> loops) {
  if (failed(loops) || !isComputed(model, *loops))
    return failure();
  closeLoops(builder, model, *loops);
  return makeTiled(builder, model,
                   makeTile(model, loops->offsets, loops->sizes));
}

/// `loops`, closed, as the interface returns them.
static LogicalResult returnLoops(OpBuilder &builder, const KernelModel &model,
                                 FailureOr<LoopTile> loops,
                                 SmallVectorImpl<OpFoldResult> &offsets,
                                 SmallVectorImpl<OpFoldResult> &sizes) {
  if (failed(loops) || !isComputed(model, *loops))
    return failure();
  closeLoops(builder, model, *loops);
  offsets = loops->offsets;
  sizes = loops->sizes;
  return success();
}

/// Where result `number` of `tile` lies in the whole.
static LogicalResult findResult(OpBuilder &builder, const KernelModel &model,
                                unsigned number, ArrayRef<OpFoldResult> offsets,
                                ArrayRef<OpFoldResult> sizes,
                                Sizes &resultOffsets, Sizes &resultSizes) {
  Tile tile = makeTile(model, offsets, sizes);
  if (std::optional<MatchFailure> failure =
          rejectInsertion(model, tile, number))
    return diagnose(model, *failure, tile);
  OpOperand *init = model.dps().getDpsInitOperand(number);
  for (auto [dim, use] :
       llvm::enumerate(model.operands[init->getOperandNumber()])) {
    // As it is sliced: not at all where it is whole.
    bool isWhole = tile.isWhole[use.loop] && model.blockOffsets.empty();
    resultOffsets.push_back(
        isWhole ? OpFoldResult(builder.getIndexAttr(0))
                : blockOffset(builder, model, use.loop, offsets[use.loop]));
    resultSizes.push_back(isWhole ? getInitSize(builder, model.op->getLoc(),
                                                init->get(),
                                                static_cast<int64_t>(dim))
                                  : sizes[use.loop]);
  }
  return success();
}

/// `value` with as much of its shape in its type as is known in `sizes`.
static Value castToSizes(OpBuilder &builder, Value value,
                         ArrayRef<OpFoldResult> sizes) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamicSizes;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, shape);
  if (type.getShape() == ArrayRef(shape))
    return value;
  return tensor::CastOp::create(builder, value.getLoc(), type.clone(shape),
                                value);
}

namespace {

template <typename KernelOp>
struct TileableModel
    : TilingInterface::ExternalModel<TileableModel<KernelOp>, KernelOp> {
  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    return getKernelModel(op).loops;
  }

  SmallVector<Range> getIterationDomain(Operation *op,
                                        OpBuilder &builder) const {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(op);
    SmallVector<Range> domain;
    OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
    for (OpFoldResult size : getLoopSizes(builder, getKernelModel(op)))
      domain.push_back({zero, size, one});
    return domain;
  }

  FailureOr<TilingResult>
  getTiledImplementation(Operation *op, OpBuilder &builder,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) const {
    KernelModel model = getKernelModel(op);
    Tile tile = makeTile(model, offsets, sizes);
    if (std::optional<MatchFailure> failure = rejectTile(model, tile))
      return diagnose(model, *failure, tile);
    return makeTiled(builder, model, tile);
  }

  LogicalResult getResultTilePosition(Operation *op, OpBuilder &builder,
                                      unsigned number,
                                      ArrayRef<OpFoldResult> offsets,
                                      ArrayRef<OpFoldResult> sizes,
                                      Sizes &resultOffsets,
                                      Sizes &resultSizes) const {
    return findResult(builder, getKernelModel(op), number, offsets, sizes,
                      resultOffsets, resultSizes);
  }

  LogicalResult getIterationDomainTileFromResultTile(
      Operation *op, OpBuilder &builder, unsigned number,
      ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
      SmallVectorImpl<OpFoldResult> &loopOffsets,
      SmallVectorImpl<OpFoldResult> &loopSizes) const {
    KernelModel model = getKernelModel(op);
    return returnLoops(builder, model,
                       loopsOfResult(model, number, offsets, sizes),
                       loopOffsets, loopSizes);
  }

  LogicalResult getIterationDomainTileFromOperandTiles(
      Operation *op, OpBuilder &builder, ArrayRef<unsigned> numbers,
      ArrayRef<Sizes> offsets, ArrayRef<Sizes> sizes,
      SmallVectorImpl<OpFoldResult> &loopOffsets,
      SmallVectorImpl<OpFoldResult> &loopSizes) const {
    KernelModel model = getKernelModel(op);
    return returnLoops(builder, model,
                       loopsOfOperands(model, numbers, offsets, sizes),
                       loopOffsets, loopSizes);
  }

  FailureOr<TilingResult>
  generateResultTileValue(Operation *op, OpBuilder &builder, unsigned number,
                          ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes) const {
    KernelModel model = getKernelModel(op);
    FailureOr<TilingResult> tiled =
        makeFused(builder, model, loopsOfResult(model, number, offsets, sizes));
    if (failed(tiled))
      return failure();
    Value value = castToSizes(builder, tiled->tiledValues[number], sizes);
    return TilingResult{tiled->tiledOps, {value}, tiled->generatedSlices};
  }

  FailureOr<TilingResult> getTiledImplementationFromOperandTiles(
      Operation *op, OpBuilder &builder, ArrayRef<unsigned> numbers,
      ArrayRef<Sizes> offsets, ArrayRef<Sizes> sizes) const {
    KernelModel model = getKernelModel(op);
    return makeFused(builder, model,
                     loopsOfOperands(model, numbers, offsets, sizes));
  }

  bool isOpFusableWithConsumerSlice(Operation *op, unsigned number,
                                    ArrayRef<OpFoldResult> offsets,
                                    ArrayRef<OpFoldResult> sizes) const {
    KernelModel model = getKernelModel(op);
    FailureOr<LoopTile> loops = loopsOfResult(model, number, offsets, sizes);
    return succeeded(loops) && isComputed(model, *loops);
  }

  bool isOpFusableWithProducerSlices(Operation *op, ArrayRef<unsigned> numbers,
                                     ArrayRef<Sizes> offsets,
                                     ArrayRef<Sizes> sizes) const {
    KernelModel model = getKernelModel(op);
    FailureOr<LoopTile> loops = loopsOfOperands(model, numbers, offsets, sizes);
    return succeeded(loops) && isComputed(model, *loops);
  }
};

} // namespace

void mli::registerTileableOps(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, MLIDialect *) {
    context->loadDialect<affine::AffineDialect, memref::MemRefDialect,
                         tensor::TensorDialect>();
    forEachKernelOp([&](auto op) {
      using KernelOp = typename decltype(op)::Type;
      KernelOp::template attachInterface<TileableModel<KernelOp>>(*context);
    });
  });
}
