// SPDX-License-Identifier: Apache-2.0
//
// Verifier and folds of `mli.reshape`.

#include "Contract/KernelContract.h"

#include "mli/IR/KernelOperands.h"
#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

/// The dimensions of `to` that hold exactly dimension `axis` of `from`: none if
/// the reshape merges or splits it, several if its size is 1.
static SmallVector<int32_t, 1> findAxis(ArrayRef<int64_t> from, int32_t axis,
                                        ArrayRef<int64_t> to) {
  SmallVector<int32_t, 1> found;
  int64_t outer = llvm::product_of(from.take_front(axis));
  int64_t before = 1;
  for (auto [i, size] : llvm::enumerate(to)) {
    if (before == outer && size == from[axis])
      found.push_back(static_cast<int32_t>(i));
    before *= size;
  }
  return found;
}

/// Returns where `type` is, or is wanted.
static Attribute getSpace(ShapedType type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return memref.getMemorySpace();
  return cast<RankedTensorType>(type).getEncoding();
}

MemRefType ReshapeOp::inferViewType(MemRefType source, ArrayRef<int64_t> shape,
                                    Type element) {
  int64_t offset = source.getStridesAndOffset().second;
  MemRefLayoutAttrInterface layout;
  if (offset != 0)
    layout = StridedLayoutAttr::get(source.getContext(), offset,
                                    computeStrides(shape));
  return MemRefType::get(shape, element, layout, source.getMemorySpace());
}

/// Buffers that have strides have no gaps and start at the same element.
static LogicalResult verifyPlainView(ReshapeOp op, Operand source,
                                     Operand result) {
  auto isPlain = [](Operand operand) {
    auto memref = dyn_cast<MemRefType>(operand.type);
    return memref && !isa<LayoutAttr>(memref.getLayout());
  };
  for (Operand operand : {source, result}) {
    // D9
    if (isPlain(operand) && !isContiguous(cast<MemRefType>(operand.type)))
      return op.emitOpError("expected '")
             << operand.name << "' to be contiguous, but got " << operand.type;
  }
  if (!isPlain(source) || !isPlain(result))
    return success();
  // D20
  if (cast<MemRefType>(source.type).getStridesAndOffset().second !=
      cast<MemRefType>(result.type).getStridesAndOffset().second)
    return op.emitOpError("expected 'result' to start where 'source' does, ")
           << source.type << ", but got " << result.type;
  return success();
}

LogicalResult ReshapeOp::verify() {
  Operand source{"source", getSource().getType()};
  Operand result{"result", getResult().getType()};
  if (failed(contract::verifySameContainer(*this, source, result)))
    return failure();
  if (failed(contract::verifyTensors(*this, {source, result})))
    return failure();
  // D7
  if (!source.type.hasStaticShape() || !result.type.hasStaticShape())
    return emitOpError("expected static shapes, but got ")
           << source.type << " and " << result.type;
  // D8
  if (source.type.getNumElements() != result.type.getNumElements())
    return emitOpError("expected 'result' to have the ")
           << source.type.getNumElements() << " elements of 'source', but got "
           << result.type.getNumElements();
  if (failed(verifyPlainView(*this, source, result)))
    return failure();
  // D10
  if (getSpace(source.type) != getSpace(result.type))
    return emitOpError("expected 'result' to be in the memory space of ")
           << source.type << ", but got " << result.type;
  if (failed(contract::verifySameAddresses(*this, source, result)))
    return failure();

  Type expected = source.element();
  QuantizedType type = source.quantized();
  QuantizedType renumbered = result.quantized();
  // D12
  bool isDropped = type && type.isPerAxis() && type.getNumParams() == 1 &&
                   renumbered && !renumbered.isPerAxis();
  if (isDropped) {
    expected = type.withAxis(-1);
  } else if (type && type.isPerAxis()) {
    SmallVector<int32_t, 1> axes = findAxis(
        source.type.getShape(), type.getAxis(), result.type.getShape());
    // D11
    if (axes.empty())
      return emitOpError("expected quantised axis ")
             << type.getAxis() << " of 'source' to stay a dimension of its own,"
             << " but got shape " << contract::shapeText(result.type);
    bool fits = renumbered && llvm::is_contained(axes, renumbered.getAxis());
    expected = type.withAxis(fits ? renumbered.getAxis() : axes.front());
  }
  // D12
  if (result.element() != expected)
    return emitOpError("expected 'result' to have elements of ")
           << expected << ", but got " << result.element();
  return success();
}

// F6
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
