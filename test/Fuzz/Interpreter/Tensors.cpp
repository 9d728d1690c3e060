// SPDX-License-Identifier: Apache-2.0
//
// What an interpreter makes of operations on tensors.

#include "Interpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

static RankedTensorType withShape(Value value, ArrayRef<int64_t> shape) {
  return RankedTensorType::get(
      shape, cast<ShapedType>(value.getType()).getElementType());
}

//===----------------------------------------------------------------------===//
// Parts and wholes
//===----------------------------------------------------------------------===//

/// The dimensions of `op`, a slice, that its result is without.
static llvm::SmallBitVector getDroppedDims(Operation *op, size_t rank) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return slice.getDroppedDims();
  llvm::SmallBitVector dropped(rank, true);
  for (int64_t dim : cast<SubtensorOp>(op).getKeptDims())
    dropped.reset(dim);
  return dropped;
}

static Tensor extractSlice(Operation *op, const Tensor &whole,
                           const TensorBlock &block) {
  llvm::SmallBitVector dropped = getDroppedDims(op, block.sizes.size());
  SmallVector<int64_t> shape;
  for (auto [i, size] : llvm::enumerate(block.sizes))
    if (!dropped.test(i))
      shape.push_back(size);
  return extract(whole, block, withShape(op->getResult(0), shape));
}

static Tensor concatenate(tensor::ConcatOp op, ArrayRef<Datum> parts) {
  auto getShape = [](const Datum &part) {
    return std::get<Tensor>(part).getShape();
  };
  auto dim = static_cast<size_t>(op.getDim());
  SmallVector<int64_t> shape(getShape(parts.front()));
  shape[dim] = 0;
  for (const Datum &part : parts)
    shape[dim] += getShape(part)[dim];
  Tensor whole(withShape(op, shape), 0);
  TensorBlock block;
  block.offsets.assign(shape.size(), 0);
  block.steps.assign(shape.size(), 1);
  for (const Datum &part : parts) {
    block.sizes.assign(getShape(part).begin(), getShape(part).end());
    insert(std::get<Tensor>(part), block, whole);
    block.offsets[dim] += getShape(part)[dim];
  }
  return whole;
}

/// `source` with `element` around it, `low` and `high` often on either side.
static Tensor pad(tensor::PadOp op, const Tensor &source, ArrayRef<int64_t> low,
                  ArrayRef<int64_t> high, int64_t element) {
  SmallVector<int64_t> shape;
  for (auto [before, extent, after] :
       llvm::zip_equal(low, source.getShape(), high))
    shape.push_back(before + extent + after);
  Tensor whole(withShape(op, shape), 0);
  for (int64_t i = 0, e = whole.type.getNumElements(); i < e; ++i)
    whole.set(i, element);
  TensorBlock block;
  block.offsets.assign(low.begin(), low.end());
  block.sizes.assign(source.getShape().begin(), source.getShape().end());
  block.steps.assign(shape.size(), 1);
  insert(source, block, whole);
  return whole;
}

/// The position of the element at `indices`; nothing outside of `shape`.
static std::optional<int64_t> findPosition(ArrayRef<int64_t> indices,
                                           ArrayRef<int64_t> shape) {
  int64_t position = 0;
  for (auto [i, extent] : llvm::zip_equal(indices, shape)) {
    if (i < 0 || i >= extent)
      return std::nullopt;
    position = position * extent + i;
  }
  return position;
}

//===----------------------------------------------------------------------===//
// Shapes and constants
//===----------------------------------------------------------------------===//

/// `whole` in the shape of `type`, of which one size at most is not known.
static Tensor reshape(const Tensor &whole, RankedTensorType type) {
  SmallVector<int64_t> shape(type.getShape());
  int64_t known = 1;
  for (int64_t extent : shape)
    known *= ShapedType::isDynamic(extent) ? 1 : extent;
  for (int64_t &extent : shape)
    if (ShapedType::isDynamic(extent))
      extent = whole.type.getNumElements() / known;
  Tensor result = whole;
  result.type = RankedTensorType::get(shape, type.getElementType());
  return result;
}

static Tensor fromAttribute(ElementsAttr value, Type type) {
  auto shaped = cast<ShapedType>(type);
  Tensor result(
      RankedTensorType::get(shaped.getShape(), shaped.getElementType()), 0);
  ArrayRef<char> raw;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    raw = resource.getRawHandle().getBlob()->getData();
  else
    raw = cast<DenseElementsAttr>(value).getRawData();
  // One element stands for all of a splat.
  for (size_t i = 0; i < result.bytes.size(); ++i)
    result.bytes[i] = raw[i % raw.size()];
  return result;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

llvm::Error Interpreter::executeElement(Operation *op, Results &results) {
  auto insertion = dyn_cast<tensor::InsertOp>(op);
  Tensor whole = tensor(op->getOperand(insertion ? 1 : 0));
  ValueRange indices = op->getOperands().drop_front(insertion ? 2 : 1);
  std::optional<int64_t> position =
      findPosition(numbers(indices), whole.getShape());
  if (!position)
    return failAt(op, "is outside of its tensor");
  if (!insertion) {
    results.emplace_back(whole.get(*position));
    return llvm::Error::success();
  }
  whole.set(*position, number(insertion.getScalar()));
  results.emplace_back(std::move(whole));
  return llvm::Error::success();
}

llvm::Error Interpreter::executeSlice(Operation *op, Results &results) {
  auto insertion = dyn_cast<tensor::InsertSliceOp>(op);
  Tensor whole = tensor(op->getOperand(insertion ? 1 : 0));
  // The whole is copied, which in many small tiles is most of the work.
  steps += static_cast<int64_t>(whole.bytes.size() / 256);
  TensorBlock block;
  if (llvm::Error error = getBlock(op, whole.getShape(), block))
    return error;
  if (!insertion) {
    results.emplace_back(extractSlice(op, whole, block));
    return llvm::Error::success();
  }
  insert(tensor(insertion.getSource()), block, whole);
  results.emplace_back(std::move(whole));
  return llvm::Error::success();
}

llvm::Error Interpreter::executeGenerate(Operation *op, Results &results) {
  auto generate = cast<tensor::GenerateOp>(op);
  Tensor whole =
      makeTensor(generate.getType(), numbers(generate.getDynamicExtents()));
  Block &body = generate.getBody().front();
  llvm::Error error = llvm::Error::success();
  forEachIndex(whole.getShape(), [&](ArrayRef<int64_t> index) {
    if (error)
      return;
    for (auto [argument, i] : llvm::zip_equal(body.getArguments(), index))
      data[argument] = i;
    Results element;
    error = executeBlock(body, element);
    if (!error)
      whole.set(*findPosition(index, whole.getShape()),
                std::get<int64_t>(element.front()));
  });
  results.emplace_back(std::move(whole));
  return error;
}

llvm::Error Interpreter::executeTensor(Operation *op, Results &results) {
  if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp, SubtensorOp>(op))
    return executeSlice(op, results);
  if (isa<tensor::ExtractOp, tensor::InsertOp>(op))
    return executeElement(op, results);
  if (isa<tensor::GenerateOp>(op))
    return executeGenerate(op, results);
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    results.emplace_back(
        makeTensor(empty.getType(), numbers(empty.getDynamicSizes())));
  } else if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    results.emplace_back(concatenate(concat, get(concat.getInputs())));
  } else if (auto padding = dyn_cast<tensor::PadOp>(op)) {
    Value element = padding.getConstantPaddingValue();
    if (!element)
      return failAt(op, "has no constant padding");
    results.emplace_back(pad(
        padding, tensor(padding.getSource()), numbers(padding.getMixedLowPad()),
        numbers(padding.getMixedHighPad()), number(element)));
  } else if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    ArrayRef<int64_t> shape = tensor(dim.getSource()).getShape();
    int64_t index = number(dim.getIndex());
    if (index < 0 || index >= static_cast<int64_t>(shape.size()))
      return failAt(op, "is outside of its shape");
    results.emplace_back(shape[index]);
  } else if (isa<tensor::CastOp>(op)) {
    results.push_back(data.at(op->getOperand(0)));
  } else if (isa<ReshapeOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
                 op)) {
    results.emplace_back(
        reshape(tensor(op->getOperand(0)),
                cast<RankedTensorType>(op->getResult(0).getType())));
  } else if (auto constant = dyn_cast<ConstantOp>(op)) {
    results.emplace_back(
        fromAttribute(constant.getValue(), constant.getType()));
  } else if (auto plain = dyn_cast<arith::ConstantOp>(op)) {
    results.emplace_back(
        fromAttribute(cast<ElementsAttr>(plain.getValue()), plain.getType()));
  } else {
    return executeControl(op, results);
  }
  return llvm::Error::success();
}
