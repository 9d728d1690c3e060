// SPDX-License-Identifier: Apache-2.0
//
// Verifiers and folds of the operations that hold or move elements.

#include "KernelContract.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

//===----------------------------------------------------------------------===//
// ConstantOp
//===----------------------------------------------------------------------===//

LogicalResult ConstantOp::verify() {
  Operand result{"result", getResult().getType()};
  ShapedType value = getValue().getShapedType();
  // D1
  if (value.getShape() != result.type.getShape())
    return emitOpError("expected 'value' to have the shape of 'result' [")
           << result.type.getShape() << "], but got [" << value.getShape()
           << "]";
  // D2
  if (value.getElementType() != result.quantized().getStorageType())
    return emitOpError("expected 'value' to have elements of ")
           << result.quantized().getStorageType() << ", but got "
           << value.getElementType();
  return contract::verifyTensors(*this, {result});
}

void ConstantOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &) {}

//===----------------------------------------------------------------------===//
// ReshapeOp
//===----------------------------------------------------------------------===//

/// The dimension of `to` that holds exactly dimension `axis` of `from`; -1 if
/// the reshape merges or splits it.
static int32_t renumberAxis(ArrayRef<int64_t> from, int32_t axis,
                            ArrayRef<int64_t> to) {
  auto product = [](ArrayRef<int64_t> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), int64_t(1),
                           std::multiplies<>());
  };
  int64_t outer = product(from.take_front(axis));
  int64_t before = 1;
  for (auto [i, size] : llvm::enumerate(to)) {
    if (before == outer && size == from[axis])
      return static_cast<int32_t>(i);
    before *= size;
  }
  return -1;
}

LogicalResult ReshapeOp::verify() {
  Operand source{"source", getSource().getType()};
  Operand result{"result", getResult().getType()};
  // D3
  if (isa<TensorType>(source.type) != isa<TensorType>(result.type))
    return emitOpError("expected 'result' to be a ")
           << (isa<TensorType>(source.type) ? "tensor" : "memref")
           << " as 'source', but got " << result.type;
  if (failed(contract::verifyTensors(*this, {source, result})))
    return failure();
  // D4
  if (!source.type.hasStaticShape() || !result.type.hasStaticShape())
    return emitOpError("expected static shapes, but got ")
           << source.type << " and " << result.type;
  // D5
  if (source.type.getNumElements() != result.type.getNumElements())
    return emitOpError("expected 'result' to have the ")
           << source.type.getNumElements() << " elements of 'source', but got "
           << result.type.getNumElements();
  auto memref = dyn_cast<MemRefType>(source.type);
  // D6
  if (memref && !memref.getLayout().isIdentity())
    return emitOpError("expected 'source' to be contiguous, but got ")
           << memref;

  Type expected = source.element();
  if (QuantizedType type = source.quantized(); type && type.isPerAxis()) {
    int32_t axis = renumberAxis(source.type.getShape(), type.getAxis(),
                                result.type.getShape());
    // D7
    if (axis < 0)
      return emitOpError("expected quantised axis ")
             << type.getAxis() << " of 'source' to stay a dimension of its own,"
             << " but got shape [" << result.type.getShape() << "]";
    expected = type.withAxis(axis);
  }
  // D8
  if (result.element() != expected)
    return emitOpError("expected 'result' to have elements of ")
           << expected << ", but got " << result.element();
  return success();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto inner = getSource().getDefiningOp<ReshapeOp>()) {
    if (inner.getSource().getType() == getType())
      return inner.getSource();
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  return {};
}

Value ReshapeOp::getViewSource() { return getSource(); }
Value ReshapeOp::getViewDest() { return getResult(); }

//===----------------------------------------------------------------------===//
// MovOp
//===----------------------------------------------------------------------===//

/// A list of the operation: absent, or one entry a dimension, none below
/// `least`.
static LogicalResult verifyMovList(MovOp op, StringRef name,
                                   ArrayRef<int64_t> values, int64_t least) {
  int64_t rank = op.getInput().getType().getRank();
  // D9
  if (!values.empty() && static_cast<int64_t>(values.size()) != rank)
    return op.emitOpError("expected '")
           << name << "' to have no or " << rank << " entries, but got "
           << values.size();
  for (int64_t value : values)
    // D10
    if (value < least)
      return op.emitOpError("expected '")
             << name << "' to be at least " << least << ", but got " << value;
  return success();
}

/// Entry `i` of a list that may be absent.
static int64_t at(ArrayRef<int64_t> values, int64_t i, int64_t absent) {
  return values.empty() ? absent : values[i];
}

/// Dimension `i` of the block that is written into `init`.
static int64_t writtenSize(MovOp op, int64_t i) {
  int64_t p = at(op.getPermutation(), i, i);
  int64_t source = op.getInput().getType().getDimSize(p);
  int64_t size = at(op.getSizes(), p, 0);
  if (size == 0) {
    if (ShapedType::isDynamic(source))
      return source;
    size = source - at(op.getOffsets(), p, 0) + at(op.getPadLow(), p, 0) +
           at(op.getPadHigh(), p, 0);
  }
  return llvm::divideCeilSigned(size, at(op.getSteps(), p, 1));
}

LogicalResult MovOp::verify() {
  Operand input{"input", getInput().getType()};
  Operand init{"init", getInit().getType()};
  if (failed(contract::verifyTensors(*this, {input, init})) ||
      failed(verifyMovList(*this, "offsets", getOffsets(), 0)) ||
      failed(verifyMovList(*this, "sizes", getSizes(), 1)) ||
      failed(verifyMovList(*this, "steps", getSteps(), 1)) ||
      failed(verifyMovList(*this, "dst_offsets", getDstOffsets(), 0)) ||
      failed(verifyMovList(*this, "permutation", getPermutation(), 0)) ||
      failed(verifyMovList(*this, "pad_low", getPadLow(), 0)) ||
      failed(verifyMovList(*this, "pad_high", getPadHigh(), 0)))
    return failure();
  // D11
  if (input.type.getRank() != init.type.getRank())
    return emitOpError("expected 'init' to have rank ")
           << input.type.getRank() << ", but got " << init.type.getRank();
  // D12
  if (!getPermutation().empty() && !isPermutationVector(getPermutation()))
    return emitOpError("expected 'permutation' to name each dimension once, "
                       "but got [")
           << getPermutation() << "]";
  if (QuantizedType type = input.quantized(); type && type.isPerAxis()) {
    // D13
    return emitOpError("expected 'input' to be quantised per tensor, but got "
                       "axis ")
           << type.getAxis();
  }
  if (failed(contract::verifySameElement(*this, input, init)))
    return failure();
  for (int64_t i = 0; i < input.type.getRank(); ++i) {
    int64_t last = at(getOffsets(), i, 0) + at(getSizes(), i, 1);
    int64_t size = input.type.getDimSize(i) + at(getPadLow(), i, 0) +
                   at(getPadHigh(), i, 0);
    // D15
    if (!input.type.isDynamicDim(i) && last > size)
      return emitOpError("expected dimension ")
             << i << " of 'input' with padding to reach " << last
             << ", the end of the slice, but got " << size;
  }
  for (int64_t i = 0; i < init.type.getRank(); ++i) {
    int64_t written = writtenSize(*this, i), size = init.type.getDimSize(i);
    int64_t first = isPartial() ? getDstOffsets()[i] : 0;
    // D14
    if (ShapedType::isStatic(written) && ShapedType::isStatic(size) &&
        (written < 1 || first + written > size ||
         (!isPartial() && written != size)))
      return emitOpError("expected dimension ")
             << i << " of 'init' to hold the " << written
             << " elements written from " << first << ", but got " << size;
  }
  return success();
}
