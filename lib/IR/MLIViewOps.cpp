// SPDX-License-Identifier: Apache-2.0
//
// Slices of tensors and of memory: types, verifier and folds.

#include "Contract/VerifiedTypes.h"

#include "mli/Contract/Blocks.h"
#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

OperandRange SubtensorOp::getStrides() {
  return getOperation()->getOperands().take_back(0);
}

ArrayRef<int64_t> SubtensorOp::getStaticStrides() {
  static constexpr int64_t ones[] = {1, 1, 1, 1, 1, 1, 1, 1};
  return ArrayRef(ones, getArrayAttrMaxRanks()[2]);
}

SmallVector<OpFoldResult> SubtensorOp::getMixedStrides() {
  return {getArrayAttrMaxRanks()[2],
          Builder(getContext()).getI64IntegerAttr(1)};
}

std::array<unsigned, 3> SubtensorOp::getArrayAttrMaxRanks() {
  // This is called before the verifier rejects a rank over 4.
  Type source = getSourceMutable().get().getType();
  auto memref = dyn_cast<MemRefType>(source);
  int64_t dims =
      memref ? memref.getRank() : cast<RankedTensorType>(source).getRank();
  auto rank = static_cast<unsigned>(std::min<int64_t>(dims, 8));
  return {rank, rank, rank};
}

FailureOr<HyperrectangularSlice>
SubtensorOp::getAccessedHyperrectangularSlice() {
  return HyperrectangularSlice(
      cast<OffsetSizeAndStrideOpInterface>(getOperation()));
}

OpOperand &SubtensorOp::getSourceOperand() { return getSourceMutable(); }

/// The first dimensions of size 1 go.
SmallVector<int64_t> SubtensorOp::getKeptDims(ArrayRef<int64_t> sizes,
                                              int64_t rank) {
  int64_t toDrop = static_cast<int64_t>(sizes.size()) - rank;
  SmallVector<int64_t> kept;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (size == 1 && toDrop > 0)
      --toDrop;
    else
      kept.push_back(static_cast<int64_t>(i));
  }
  return kept;
}

SmallVector<int64_t> SubtensorOp::getKeptDims() {
  return getKeptDims(getStaticSizes(), getResult().getType().getRank());
}

/// The strides of dimensions `kept`, and the offset of the block, as far as
/// they are known. Null if `source` has no strides.
static MemRefType viewType(MemRefType source, ArrayRef<int64_t> shape,
                           Type element, ArrayRef<int64_t> offsets,
                           ArrayRef<int64_t> kept) {
  int64_t offset;
  SmallVector<int64_t> strides;
  if (failed(getStridesAndOffset(source, strides, offset)))
    return {};
  for (auto [stride, start] : llvm::zip_equal(strides, offsets)) {
    if (start == 0)
      continue;
    if (ShapedType::isDynamic(start) || ShapedType::isDynamic(stride) ||
        ShapedType::isDynamic(offset))
      offset = ShapedType::kDynamic;
    else
      offset += start * stride;
  }
  SmallVector<int64_t> keptStrides;
  for (int64_t dim : kept)
    keptStrides.push_back(strides[dim]);
  return MemRefType::get(
      shape, element,
      StridedLayoutAttr::get(source.getContext(), offset, keptStrides),
      source.getMemorySpace());
}

/// The first dimension of a block whose offset or size has to be known in
/// `layout`, and is not.
static std::optional<int64_t> unknownInLocal(LayoutAttr layout,
                                             ArrayRef<int64_t> offsets,
                                             ArrayRef<int64_t> sizes) {
  for (auto [i, offset, size] : llvm::enumerate(offsets, sizes))
    if (ShapedType::isDynamic(size) ||
        (ShapedType::isDynamic(offset) && needsKnownOffset(layout, i)))
      return static_cast<int64_t>(i);
  return std::nullopt;
}

/// The type of a view of local memory: it keeps some of the dimensions.
// L23
static MemRefType localViewType(MemRefType source, ArrayRef<int64_t> shape,
                                Type element, ArrayRef<int64_t> offsets,
                                ArrayRef<int64_t> sizes, ArrayRef<int64_t> kept,
                                TargetAttr target) {
  auto layout = cast<LayoutAttr>(source.getLayout());
  if (!target || unknownInLocal(layout, offsets, sizes))
    return {};
  layout::Result<layout::Subtensor> part =
      getSubtensor(source, offsets, sizes, target.getValue());
  if (!part)
    return {};
  SmallVector<LayoutDim> dims;
  for (int64_t dim : kept)
    dims.push_back(layout.getDims()[dim]);
  return MemRefType::get(
      shape, element, LayoutAttr::get(source.getContext(), part->layout, dims),
      source.getMemorySpace());
}

ShapedType SubtensorOp::inferResultType(ShapedType source) {
  return inferResultType(source, getStaticOffsets(), getStaticSizes(),
                         getResult().getType().getRank(),
                         findTarget(getOperation()));
}

ShapedType SubtensorOp::inferResultType(ShapedType source,
                                        ArrayRef<int64_t> offsets,
                                        ArrayRef<int64_t> sizes, int64_t rank,
                                        TargetAttr target) {
  SmallVector<int64_t> kept = getKeptDims(sizes, rank), shape;
  for (int64_t dim : kept)
    shape.push_back(sizes[dim]);
  Type element = source.getElementType();
  auto type = dyn_cast<QuantizedType>(element);
  if (type && type.isPerAxis()) {
    int32_t axis = type.getAxis();
    auto slice = cast<QuantizedType>(type.slice(offsets[axis], sizes[axis]));
    const auto *position = llvm::find(kept, axis);
    element = slice.withAxis(static_cast<int32_t>(position - kept.begin()));
  }
  auto memref = dyn_cast<MemRefType>(source);
  if (!memref) {
    auto tensor = cast<RankedTensorType>(source);
    return RankedTensorType::get(shape, element, tensor.getEncoding());
  }
  MemRefType view =
      isa<LayoutAttr>(memref.getLayout())
          ? localViewType(memref, shape, element, offsets, sizes, kept, target)
          : viewType(memref, shape, element, offsets, kept);
  return view ? cast<ShapedType>(view) : ShapedType();
}

void SubtensorOp::build(OpBuilder &builder, OperationState &state, Value source,
                        ArrayRef<OpFoldResult> offsets,
                        ArrayRef<OpFoldResult> sizes, int64_t rank,
                        TargetAttr target) {
  SmallVector<int64_t> staticOffsets, staticSizes;
  SmallVector<Value> dynamicOffsets, dynamicSizes;
  dispatchIndexOpFoldResults(offsets, dynamicOffsets, staticOffsets);
  dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
  build(builder, state,
        inferResultType(cast<ShapedType>(source.getType()), staticOffsets,
                        staticSizes, rank, target),
        source, dynamicOffsets, dynamicSizes, staticOffsets, staticSizes);
}

ShapedType SubtensorOp::inferBlockType(ShapedType source,
                                       ArrayRef<int64_t> offsets,
                                       ArrayRef<int64_t> sizes) {
  return inferResultType(source, offsets, sizes, source.getRank(), {});
}

void SubtensorOp::build(OpBuilder &builder, OperationState &state, Value source,
                        ArrayRef<OpFoldResult> offsets,
                        ArrayRef<OpFoldResult> sizes) {
  build(builder, state, source, offsets, sizes,
        static_cast<int64_t>(sizes.size()));
}

LogicalResult
SubtensorOp::reifyResultShapes(OpBuilder &builder,
                               ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> sizes = getMixedSizes();
  SmallVector<OpFoldResult> &shape = shapes.emplace_back();
  for (int64_t dim : getKeptDims())
    shape.push_back(sizes[dim]);
  return success();
}

/// The block lies in the source, as far as it is known.
static LogicalResult verifyBlock(SubtensorOp op, Operand source) {
  for (int64_t i = 0; i < source.type.getRank(); ++i) {
    int64_t offset = op.getStaticOffsets()[i], size = op.getStaticSizes()[i];
    // V1
    if (size == 0)
      return op.emitOpError("expected size of dimension ")
             << i << " to be at least 1, but got " << size;
    int64_t known = source.knownSize(i);
    if (ShapedType::isDynamic(known))
      continue;
    auto block = contract::Block::ofOneAtLeast(
        ShapedType::isDynamic(offset) ? 0 : offset, size);
    // V2
    if (!block.endsIn(known))
      return op.emitOpError("expected dimension ")
             << i << " of 'source' to reach " << block.end()
             << ", the end of the block, but got " << known;
  }
  return success();
}

/// Verifies that the parameters of the result are those of the slice.
static LogicalResult verifyCutAxis(SubtensorOp op, Operand source) {
  QuantizedType type = source.quantized();
  if (!type || !type.isPerAxis())
    return success();
  int32_t axis = type.getAxis();
  // V3
  if (op.isDynamicOffset(axis) || op.isDynamicSize(axis))
    return op.emitOpError("expected offset and size of the quantised axis ")
           << axis << " to be attributes, but got a value";
  // V4
  if (!llvm::is_contained(op.getKeptDims(), axis))
    return op.emitOpError("expected 'result' to keep the quantised axis ")
           << axis << ", but got rank " << op.getResult().getType().getRank()
           << ", which drops it";
  return success();
}

/// Local memory has a layout for the block.
static LogicalResult verifyLocalBlock(SubtensorOp op, Operand source) {
  auto memref = dyn_cast<MemRefType>(source.type);
  if (!memref || !isa<LayoutAttr>(memref.getLayout()))
    return success();
  FailureOr<TargetAttr> target = getTarget(op);
  if (failed(target))
    return failure();
  ArrayRef<int64_t> offsets = op.getStaticOffsets();
  ArrayRef<int64_t> sizes = op.getStaticSizes();
  std::optional<int64_t> unknown =
      unknownInLocal(cast<LayoutAttr>(memref.getLayout()), offsets, sizes);
  // V9
  if (unknown)
    return op.emitOpError("expected offset and size of dimension ")
           << *unknown
           << ", which decide the layout, to be attributes, but got a value";
  layout::Result<layout::Subtensor> part =
      getSubtensor(memref, offsets, sizes, target->getValue());
  // V10
  if (!part)
    return op.emitOpError("expected a block that local memory has a view of, "
                          "but got: ")
           << layout::toString(part.violation());
  return success();
}

static LogicalResult verifySubtensor(SubtensorOp op, Operand source,
                                     Operand result) {
  if (failed(mlir::detail::verifyOffsetSizeAndStrideOp(op)) ||
      failed(contract::verifySameContainer(op, source, result)) ||
      failed(contract::verifyTensors(op, {source, result})) ||
      failed(verifyBlock(op, source)))
    return failure();
  int64_t rank = result.type.getRank(), sourceRank = source.type.getRank();
  auto least = sourceRank - llvm::count(op.getStaticSizes(), 1);
  // V5
  if (rank < least || rank > sourceRank)
    return op.emitOpError("expected 'result' to have a rank in [")
           << least << ", " << sourceRank
           << "], as dimensions of size 1 may be dropped, but got " << rank;
  if (failed(verifyCutAxis(op, source)))
    return failure();
  if (failed(verifyLocalBlock(op, source)))
    return failure();
  ShapedType expected = op.inferResultType(source.type);
  // T6
  if (!expected)
    return op.emitOpError("expected 'source' to have a strided layout, but "
                          "got ")
           << source.type;
  // V6
  if (result.type != expected)
    return op.emitOpError("expected 'result' to be ")
           << expected << ", but got " << result.type;
  return success();
}

LogicalResult SubtensorOp::verify() {
  // What is verified once counts all values together.
  if (static_cast<int64_t>(getOffsets().size()) !=
      llvm::count(getStaticOffsets(), ShapedType::kDynamic))
    return mlir::detail::verifyOffsetSizeAndStrideOp(*this);
  return contract::verifyOnce(
      *this,
      {{"source", getSource().getType()}, {"result", getResult().getType()}},
      [](Operation *op, ArrayRef<Operand> operands) {
        return verifySubtensor(cast<SubtensorOp>(op), operands[0], operands[1]);
      },
      {getStaticOffsetsAttr(), getStaticSizesAttr()});
}

OpFoldResult SubtensorOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType() && hasZeroOffset() &&
      getSource().getType().hasStaticShape())
    return getSource();
  return {};
}

/// Offsets that are values of constants become attributes, unless they are
/// wrong or in the type of the result.
static LogicalResult foldConstantOffsets(SubtensorOp op,
                                         PatternRewriter &rewriter) {
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
  auto source = cast<ShapedType>(op.getSource().getType());
  SmallVector<OpFoldResult> steps(offsets.size(), rewriter.getIndexAttr(1));
  if (failed(foldDynamicOffsetSizeList(offsets)) ||
      !verifyInBoundsSlice(source.getShape(), offsets, op.getMixedSizes(),
                           steps)
           .isValid)
    return failure();
  auto [known, values] = decomposeMixedValues(offsets);
  Type type = op.getType();
  if (SubtensorOp::inferResultType(source, known, op.getStaticSizes(),
                                   op.getType().getRank(),
                                   findTarget(op)) != type)
    return failure();
  rewriter.replaceOpWithNewOp<SubtensorOp>(op, type, op.getSource(), values,
                                           op.getSizes(), known,
                                           op.getStaticSizes());
  return success();
}

/// A block of a block is a block, where both are known and drop alike.
// F6
LogicalResult SubtensorOp::canonicalize(SubtensorOp op,
                                        PatternRewriter &rewriter) {
  if (succeeded(foldConstantOffsets(op, rewriter)))
    return success();
  auto producer = op.getSource().getDefiningOp<SubtensorOp>();
  if (!producer || !producer.getOffsets().empty() ||
      !producer.getSizes().empty() || !op.getOffsets().empty() ||
      !op.getSizes().empty())
    return rewriter.notifyMatchFailure(op, "not a known block of another");
  SmallVector<int64_t> offsets(producer.getStaticOffsets());
  SmallVector<int64_t> sizes(producer.getStaticSizes());
  for (auto [i, dim] : llvm::enumerate(producer.getKeptDims())) {
    offsets[dim] += op.getStaticOffsets()[i];
    sizes[dim] = op.getStaticSizes()[i];
  }
  // Each drops its first dimensions of size 1; at once these may be others.
  SmallVector<int64_t> kept;
  SmallVector<int64_t> inner = producer.getKeptDims();
  for (int64_t dim : op.getKeptDims())
    kept.push_back(inner[dim]);
  if (SubtensorOp::getKeptDims(sizes, op.getType().getRank()) != kept)
    return rewriter.notifyMatchFailure(op, "other dimensions are dropped");
  // In local memory each block may leave the layout by itself.
  if (SubtensorOp::inferResultType(producer.getSource().getType(), offsets,
                                   sizes, op.getType().getRank(),
                                   findTarget(op)) != op.getType())
    return rewriter.notifyMatchFailure(op, "at once it has another layout");
  rewriter.replaceOpWithNewOp<SubtensorOp>(op, op.getType(),
                                           producer.getSource(), ValueRange(),
                                           ValueRange(), offsets, sizes);
  return success();
}

Value SubtensorOp::getViewSource() { return getSource(); }
Value SubtensorOp::getViewDest() { return getResult(); }
