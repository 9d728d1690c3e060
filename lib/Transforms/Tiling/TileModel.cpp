// SPDX-License-Identifier: Apache-2.0
//
// The model of each family of kernels.

#include "TileModel.h"

#include "IndexMath.h"
#include "MovTile.h"

#include "mli/IR/KernelOperands.h"
#include "mli/IR/KernelOps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mli;
using namespace mli::tiling;
using utils::IteratorType;

using DimAccesses = SmallVector<DimAccess>;

static int64_t getRank(Value value) {
  return cast<ShapedType>(value.getType()).getRank();
}

static DimAccesses getFullAccesses(Value value) {
  return DimAccesses(getRank(value), DimAccess::full());
}

/// Dimension by dimension.
static DimAccesses getLoopAccesses(Value value) {
  DimAccesses accesses;
  for (int64_t i = 0; i < getRank(value); ++i)
    accesses.push_back(DimAccess::ofLoop(i));
  return accesses;
}

static SmallVector<IteratorType> parallelLoops(int64_t count) {
  return SmallVector<IteratorType>(count, IteratorType::parallel);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// A feature map whose rows and columns are read by `rows` and `columns`.
static DimAccesses getFeatureMapAccesses(FeatureMapDims dims, DimAccess rows,
                                         DimAccess columns,
                                         DimAccess channels) {
  DimAccesses accesses(3);
  accesses[dims.height] = rows;
  accesses[dims.width] = columns;
  accesses[dims.channels] = channels;
  return accesses;
}

/// How direction `windowDim` is read that makes `loop`. A window of one tap
/// that does not skip reads what it writes.
static DimAccess getWindowAccess(WindowOpInterface op, unsigned loop,
                                 unsigned windowDim) {
  ArrayRef<int64_t> padding =
      op.getStaticPadding().slice(size_t{2} * windowDim, 2);
  if (op.getWindowSizes()[windowDim] == 1 && op.getStrides()[windowDim] == 1 &&
      padding[0] == 0 && padding[1] == 0)
    return DimAccess::ofLoop(loop);
  return op.isTransposed() ? DimAccess::spread(loop, windowDim)
                           : DimAccess::window(loop, windowDim);
}

/// The feature map that the window of `op` meets.
static DimAccesses getWindowAccesses(WindowOpInterface op, DimAccess channels) {
  FeatureMapDims dims(op.getLayout());
  return getFeatureMapAccesses(dims, getWindowAccess(op, dims.height, 0),
                               getWindowAccess(op, dims.width, 1), channels);
}

/// The model of convolutions. `channels` is how filters read input channels:
/// all of them, one of them, or those of a group.
template <typename ConvOp>
static KernelModel getConvModel(ConvOp op, DimAccess::Kind channels) {
  FeatureMapDims dims(op.getLayout());
  auto filters = DimAccess::ofLoop(dims.channels);
  DimAccess depth = filters;
  depth.kind = channels;
  KernelModel model;
  model.loops = parallelLoops(3);
  model.operands = {
      getWindowAccesses(op, depth),
      {DimAccess::full(), DimAccess::full(), DimAccess::full(), filters},
      {filters},
      getLoopAccesses(op.getInit())};
  return model;
}

static KernelModel getModel(Conv2DOp op) {
  return getConvModel(op, DimAccess::Kind::Full);
}

static KernelModel getModel(TransposeConv2DOp op) {
  return getConvModel(op, DimAccess::Kind::Full);
}

static KernelModel getModel(DepthwiseConv2DOp op) {
  return getConvModel(op, DimAccess::Kind::Loop);
}

static KernelModel getModel(GroupConv2DOp op) {
  KernelModel model = getConvModel(op, DimAccess::Kind::Groups);
  int64_t channels = op.getInput().getType().getDimSize(
      FeatureMapDims(op.getLayout()).channels);
  int64_t depth = op.getWeights().getType().getDimSize(2);
  int64_t filters = op.getWeights().getType().getDimSize(3);
  if (ShapedType::isStatic(channels) && ShapedType::isStatic(depth) &&
      ShapedType::isStatic(filters))
    model.groups = {filters / (channels / depth), depth};
  return model;
}

template <typename PoolOp>
static KernelModel getPoolModel(PoolOp op) {
  FeatureMapDims dims(op.getLayout());
  KernelModel model;
  model.loops = parallelLoops(3);
  model.operands = {getWindowAccesses(op, DimAccess::ofLoop(dims.channels)),
                    getLoopAccesses(op.getInit())};
  return model;
}

static KernelModel getModel(AvePoolOp op) { return getPoolModel(op); }
static KernelModel getModel(MaxPoolOp op) { return getPoolModel(op); }

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static KernelModel getModel(FullyConnectedOp op) {
  auto outputs = DimAccess::ofLoop(0);
  return {parallelLoops(1),
          {getFullAccesses(op.getInput()),
           {DimAccess::full(), outputs},
           {outputs},
           {outputs}},
          {},
          {}};
}

static KernelModel getModel(RnnDenseOp op) {
  auto outputs = DimAccess::ofLoop(0);
  KernelModel model;
  model.loops = parallelLoops(1);
  for (Value input : op.getInputs())
    model.operands.push_back(getFullAccesses(input));
  for (size_t i = 0; i < op.getWeights().size(); ++i)
    model.operands.push_back({DimAccess::full(), outputs});
  model.operands.append({{outputs}, {outputs}});
  return model;
}

/// Each step needs all outputs of the one before.
template <typename CellOp>
static KernelModel getCellModel(CellOp op) {
  KernelModel model;
  model.loops = {IteratorType::reduction, IteratorType::reduction};
  for (Value operand : op->getOperands())
    model.operands.push_back(getFullAccesses(operand));
  if constexpr (std::is_same_v<CellOp, LstmCellOp>)
    model.operands[op.getCellMutable().getOperandNumber()] = {
        DimAccess::ofLoop(1)};
  model.operands[op.getInitMutable().getOperandNumber()] =
      getLoopAccesses(op.getInit());
  return model;
}

static KernelModel getModel(LstmCellOp op) { return getCellModel(op); }
static KernelModel getModel(GruCellOp op) { return getCellModel(op); }

//===----------------------------------------------------------------------===//
// Elements and slices
//===----------------------------------------------------------------------===//

/// Every operand has the shape of the result, or is one element for all.
template <typename KernelOp>
static std::enable_if_t<KernelOp::template hasTrait<ElementwiseKernel>(),
                        KernelModel>
getModel(KernelOp op) {
  ShapedType init = op.getInit().getType();
  KernelModel model;
  model.loops = parallelLoops(init.getRank());
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = cast<ShapedType>(operand.get().getType());
    bool isScalar = type.hasStaticShape() && type.getNumElements() == 1 &&
                    type.getShape() != init.getShape();
    model.operands.push_back(isScalar || isTable(operand)
                                 ? getFullAccesses(operand.get())
                                 : getLoopAccesses(operand.get()));
  }
  return model;
}

static KernelModel getModel(LeakyReluOp op) {
  return {parallelLoops(getRank(op.getInit())),
          {getLoopAccesses(op.getInput()), getFullAccesses(op.getSlope()),
           getLoopAccesses(op.getInit())},
          {},
          {}};
}

static KernelModel getModel(PreluOp op) {
  DimAccesses slopes = getFullAccesses(op.getSlope());
  if (auto axis = static_cast<int32_t>(op.getAxis()); axis >= 0)
    slopes[axis] = DimAccess::ofLoop(axis);
  return {
      parallelLoops(getRank(op.getInit())),
      {getLoopAccesses(op.getInput()), slopes, getLoopAccesses(op.getInit())},
      {},
      {}};
}

/// Kernels that sum along an axis, or over everything.
template <typename SliceOp>
static KernelModel getSliceModel(SliceOp op) {
  int64_t rank = getRank(op.getInit());
  KernelModel model{
      parallelLoops(rank),
      {getLoopAccesses(op.getInput()), getLoopAccesses(op.getInit())},
      {},
      {}};
  if (op.getLut())
    model.operands.push_back(getFullAccesses(op.getLut()));
  auto axis = static_cast<int32_t>(op.getAxis());
  for (int64_t i = 0; i < rank; ++i)
    if (axis < 0 || i == axis)
      model.loops[i] = IteratorType::reduction;
  return model;
}

static KernelModel getModel(SoftmaxOp op) { return getSliceModel(op); }
static KernelModel getModel(L2NormalizeOp op) { return getSliceModel(op); }

/// The runtime makes a whole table.
static KernelModel getModel(LutOp op) {
  return {{IteratorType::reduction}, {getLoopAccesses(op.getInit())}, {}, {}};
}

/// Positions count all elements of the input, and the heap that finds them
/// gives all of them at once.
static KernelModel getModel(ArgmaxOp op) {
  return {{IteratorType::reduction, IteratorType::reduction},
          {getFullAccesses(op.getInput()), getLoopAccesses(op.getInit())},
          {},
          {}};
}

static KernelModel getModel(PermuteOp op) {
  DimAccesses input = getFullAccesses(op.getInput());
  for (auto [i, dim] : llvm::enumerate(op.getPermutation()))
    input[dim] = DimAccess::ofLoop(i);
  return {parallelLoops(getRank(op.getInit())),
          {input, getLoopAccesses(op.getInit())},
          {},
          {}};
}

static KernelModel getModel(MovOp op) {
  return {parallelLoops(getRank(op.getInit())),
          {getMovSourceAccesses(op), getLoopAccesses(op.getInit())},
          {},
          op.getDstOffsets()};
}

KernelModel mli::tiling::getKernelModel(Operation *op) {
  auto model =
      visitKernel<KernelModel>(cast<KernelOpInterface>(op),
                               [](auto kernel) { return getModel(kernel); });
  model.op = op;
  return model;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

OpFoldResult mli::tiling::getSize(OpBuilder &builder, Location loc, Value value,
                                  int64_t dim) {
  return isa<MemRefType>(value.getType())
             ? memref::getMixedSize(builder, loc, value, dim)
             : tensor::getMixedSize(builder, loc, value, dim);
}

WindowDim mli::tiling::getWindowDim(OpBuilder &builder, Operation *op,
                                    unsigned windowDim) {
  if (auto mov = dyn_cast<MovOp>(op))
    return getMovWindowDim(builder, mov, windowDim);
  auto window = cast<WindowOpInterface>(op);
  WindowDim result;
  result.stride = window.getStrides()[windowDim];
  result.dilation = window.getDilations()[windowDim];
  int64_t taps = window.getWindowSizes()[windowDim];
  result.taps =
      ShapedType::isStatic(taps)
          ? builder.getIndexAttr(taps)
          : getSize(builder, op->getLoc(),
                    cast<WeightedOpInterface>(op).getWeights(), windowDim);
  SmallVector<OpFoldResult> padding = window.getMixedPadding();
  size_t side = size_t{2} * windowDim;
  result.before = padding[side];
  result.after = padding[side + 1];
  return result;
}

SmallVector<OpFoldResult> mli::tiling::getPadding(Operation *op) {
  auto window = dyn_cast<WindowOpInterface>(op);
  return window ? window.getMixedPadding() : SmallVector<OpFoldResult>();
}

SmallVector<OpFoldResult> mli::tiling::getLoopSizes(OpBuilder &builder,
                                                    const KernelModel &model) {
  if (auto mov = dyn_cast<MovOp>(model.op); mov && mov.isPartial())
    return movWrittenSizes(builder, mov);
  Value init = model.dps().getDpsInits().back();
  SmallVector<OpFoldResult> sizes;
  for (size_t i = 0; i < model.loops.size(); ++i)
    sizes.push_back(
        getSize(builder, model.op->getLoc(), init, static_cast<int64_t>(i)));
  return sizes;
}

OpFoldResult mli::tiling::blockOffset(OpBuilder &builder,
                                      const KernelModel &model, unsigned loop,
                                      OpFoldResult offset) {
  if (model.blockOffsets.empty())
    return offset;
  IndexMath math(builder, model.op->getLoc());
  return math.apply(math.operand(offset) + model.blockOffsets[loop]);
}
