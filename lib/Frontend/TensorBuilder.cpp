// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/TensorBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mli;

/// Constants of at least this size are resources, which are not printed with
/// operations, nor copied where a holder keeps them.
static constexpr size_t resourceBytes = 1 << 16;

mli::quant::QuantParams mli::getParams(Value value) {
  return cast<Sa8Type>(getElementTypeOrSelf(value)).getParams().front();
}

Type mli::getStorageType(Type element) {
  auto quantized = dyn_cast<QuantizedType>(element);
  return quantized ? quantized.getStorageType() : element;
}

Value TensorBuilder::createEmpty(Type element, ArrayRef<int64_t> shape) {
  return tensor::EmptyOp::create(builder, loc, shape, element);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

SmallVector<int64_t> mli::mergeDims(ArrayRef<int64_t> shape) {
  if (shape.size() <= maxDims)
    return llvm::to_vector(shape);
  SmallVector<int64_t> merged = {
      llvm::product_of(shape.drop_back(maxDims - 1))};
  llvm::append_range(merged, shape.take_back(maxDims - 1));
  return merged;
}

/// The dimensions of `rank` that each dimension of mergeDims stands for.
static SmallVector<ReassociationIndices> getMergedDims(size_t rank) {
  SmallVector<ReassociationIndices> merged(maxDims);
  for (size_t dim = 0; dim < rank; ++dim) {
    size_t behind = rank - dim - 1;
    merged[maxDims - 1 - std::min(behind, maxDims - 1)].push_back(
        static_cast<int64_t>(dim));
  }
  return merged;
}

/// Follows views of `value` to their first source.
static Value stripViews(Value value) {
  while (Operation *view = value.getDefiningOp()) {
    if (!isa<ReshapeOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(view))
      break;
    value = view->getOperand(0);
  }
  return value;
}

Value TensorBuilder::createReshape(Value value, ArrayRef<int64_t> shape) {
  // A view of a view is a view of the first source.
  value = stripViews(value);
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  // More dimensions than kernels have are seen as one in front of the others,
  // as only the boundary of a function has them.
  if (type.getRank() > static_cast<int64_t>(maxDims)) {
    type = type.clone(mergeDims(type.getShape()));
    value = createOp<tensor::CollapseShapeOp>(
        type, value,
        getMergedDims(cast<RankedTensorType>(value.getType()).getRank()));
  }
  SmallVector<int64_t> merged = mergeDims(shape);
  if (type.getShape() != ArrayRef(merged))
    value = createOp<ReshapeOp>(type.clone(merged), value);
  if (shape.size() > maxDims)
    value = createOp<tensor::ExpandShapeOp>(type.clone(shape), value,
                                            getMergedDims(shape.size()));
  return value;
}

Value TensorBuilder::createConvert(Value value, Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() == element)
    return value;
  return createOp<ConvertOp>(value, createEmpty(element, type.getShape()));
}

Value TensorBuilder::createReinterpret(Value value,
                                       const mli::quant::QuantParams &factor,
                                       const mli::quant::QuantParams &params) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  Value one = createScalar(Sa8Type::get(getContext(), factor), shape, 1);
  Value init = createEmpty(Sa8Type::get(getContext(), params), shape);
  return createOp<EltwiseMulOp>(value, one, init);
}

Value TensorBuilder::createConstant(Type element, ArrayRef<int64_t> shape,
                                    ArrayRef<char> bytes,
                                    const std::shared_ptr<void> &holder) {
  auto result = RankedTensorType::get(shape, element);
  Type storage = getStorageType(element);
  auto type = RankedTensorType::get(shape, storage);
  if (bytes.size() < resourceBytes)
    return ConstantOp::create(builder, loc, result,
                              DenseElementsAttr::getFromRawBuffer(type, bytes));
  size_t alignment = llvm::divideCeil(storage.getIntOrFloatBitWidth(), 8);
  bool isAligned = reinterpret_cast<uintptr_t>(bytes.data()) % alignment == 0;
  AsmResourceBlob blob =
      holder && isAligned
          ? AsmResourceBlob(
                bytes, alignment, [holder](void *, size_t, size_t) {},
                /*dataIsMutable=*/false)
          : HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, alignment);
  return ConstantOp::create(
      builder, loc, result,
      DenseResourceElementsAttr::get(type, "weights", std::move(blob)));
}

Value TensorBuilder::createSplat(Type element, ArrayRef<int64_t> shape,
                                 int64_t value) {
  auto type = RankedTensorType::get(shape, getStorageType(element));
  auto attribute = DenseElementsAttr::get(
      type, builder.getIntegerAttr(type.getElementType(), value));
  return ConstantOp::create(builder, loc, RankedTensorType::get(shape, element),
                            cast<ElementsAttr>(attribute));
}

Value TensorBuilder::createScalar(Type element, ArrayRef<int64_t> shape,
                                  int64_t value) {
  const int64_t one = 1;
  bool isOne = llvm::product_of(shape) == 1;
  return createSplat(element, isOne ? shape : ArrayRef(one), value);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

namespace {
/// Slice `index` of tensors of one type along their first dimension.
struct Slice {
  RankedTensorType type;
  SmallVector<OpFoldResult> offsets, sizes, steps;

  Slice(OpBuilder &builder, RankedTensorType type, Value index)
      : type(type), offsets(type.getRank(), builder.getIndexAttr(0)),
        sizes(getAsIndexOpFoldResult(builder.getContext(), type.getShape())),
        steps(type.getRank(), builder.getIndexAttr(1)) {
    offsets.front() = index;
    sizes.front() = builder.getIndexAttr(1);
  }
};
} // namespace

static Value createSlice(OpBuilder &builder, Location loc, Value value,
                         Value index) {
  Slice slice(builder, cast<RankedTensorType>(value.getType()), index);
  return tensor::ExtractSliceOp::create(
      builder, loc, slice.type.clone(slice.type.getShape().drop_front()), value,
      slice.offsets, slice.sizes, slice.steps);
}

static Value insertSlice(OpBuilder &builder, Location loc, Value value,
                         Value into, Value index) {
  Slice slice(builder, cast<RankedTensorType>(into.getType()), index);
  return tensor::InsertSliceOp::create(builder, loc, value, into, slice.offsets,
                                       slice.sizes, slice.steps);
}

Value TensorBuilder::createSliced(ArrayRef<Value> inputs, Type element,
                                  ArrayRef<int64_t> shape,
                                  SliceFunction compute) {
  ArrayRef<int64_t> rest = shape.drop_front();
  if (shape.front() == 1) {
    SmallVector<Value> slices;
    for (Value input : inputs)
      slices.push_back(createReshape(
          input,
          cast<RankedTensorType>(input.getType()).getShape().drop_front()));
    return compute(slices, createEmpty(element, rest));
  }
  Value init = createEmpty(element, shape);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value count = arith::ConstantIndexOp::create(builder, loc, shape.front());
  auto loop = scf::ForOp::create(builder, loc, zero, count, one, init);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value index = loop.getInductionVar(), into = loop.getRegionIterArg(0);
  SmallVector<Value> slices;
  for (Value input : inputs)
    slices.push_back(createSlice(builder, loc, input, index));
  Value result = compute(slices, createSlice(builder, loc, into, index));
  scf::YieldOp::create(builder, loc,
                       insertSlice(builder, loc, result, into, index));
  return loop.getResult(0);
}
