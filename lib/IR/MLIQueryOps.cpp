// SPDX-License-Identifier: Apache-2.0
//
// Queries that a type answers.

#include "Contract/KernelContract.h"

using namespace mlir;
using namespace mli;

LogicalResult ElemCountOp::verify() {
  auto dim = static_cast<int32_t>(getDim());
  int64_t rank = getSource().getType().getRank();
  if (failed(
          contract::verifyTensors(*this, {{"source", getSource().getType()}})))
    return failure();
  // H1
  if (dim < 0 || dim > rank)
    return emitOpError("expected 'dim' to be in [0, ")
           << rank << "], but got " << dim;
  return success();
}

OpFoldResult ElemCountOp::fold(FoldAdaptor) {
  ArrayRef<int64_t> sizes =
      getSource().getType().getShape().drop_front(getDim());
  if (llvm::any_of(sizes, ShapedType::isDynamic))
    return {};
  return IntegerAttr::get(getType(), llvm::product_of(sizes));
}

// H2
OpFoldResult ElementSizeOp::fold(FoldAdaptor) {
  unsigned bits = elementWidth(getSource().getType().getElementType());
  return IntegerAttr::get(getType(), bits / 8);
}

/// Whether there is one set of parameters for each index. A tensor that is cut
/// along its quantised axis has them all until the pass that legalises slices
/// gives it those of its indices.
static bool hasOwnParams(ShapedType type, QuantizedType element) {
  if (!element.isPerAxis() || element.getAxis() >= type.getRank())
    return !element.isPerAxis();
  int64_t size = type.getDimSize(element.getAxis());
  return ShapedType::isDynamic(size) ||
         size == static_cast<int64_t>(element.getNumParams());
}

/// Buffers are legal: queries of them are answered when the program runs.
template <typename ParamOp>
static LogicalResult verifyParam(ParamOp op) {
  ShapedType type = op.getSource().getType();
  return isa<MemRefType>(type) ? contract::verifyTensors(op, {{"source", type}})
                               : success();
}

LogicalResult ScaleOp::verify() { return verifyParam(*this); }
LogicalResult ScaleShiftOp::verify() { return verifyParam(*this); }
LogicalResult ZeroOffsetOp::verify() { return verifyParam(*this); }

/// `read` of the parameters of `op`, where these are known: those of f32 are
/// scale 1 and nothing else.
template <typename ParamOp>
static OpFoldResult foldParam(ParamOp op, Attribute index,
                              int64_t (*read)(quant::QuantParams)) {
  auto type =
      dyn_cast<QuantizedType>(op.getSource().getType().getElementType());
  if (!type)
    return IntegerAttr::get(op.getType(), read(quant::QuantParams()));
  if (!hasOwnParams(op.getSource().getType(), type))
    return {};
  uint64_t set = 0;
  if (type.isPerAxis()) {
    auto known = dyn_cast_or_null<IntegerAttr>(index);
    if (!known || known.getValue().uge(type.getNumParams()))
      return {};
    set = known.getValue().getZExtValue();
  }
  return IntegerAttr::get(op.getType(), read(type.getParam(set)));
}

// H3
OpFoldResult ScaleOp::fold(FoldAdaptor adaptor) {
  return foldParam(*this, adaptor.getIndex(),
                   [](quant::QuantParams p) -> int64_t { return p.scale; });
}

// H4
OpFoldResult ScaleShiftOp::fold(FoldAdaptor adaptor) {
  return foldParam(*this, adaptor.getIndex(),
                   [](quant::QuantParams p) -> int64_t { return p.fracBits; });
}

// H5
OpFoldResult ZeroOffsetOp::fold(FoldAdaptor adaptor) {
  return foldParam(*this, adaptor.getIndex(),
                   [](quant::QuantParams p) -> int64_t { return p.zeroPoint; });
}
