// SPDX-License-Identifier: Apache-2.0

#include "Contract/KernelContract.h"
#include "Contract/VerifiedTypes.h"

#include "mli/IR/LocalMemory.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

/// Whether `type` is memory of a constant: contiguous, and not in local memory.
static bool isConstantMemory(ShapedType type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return !isLocal(type);
  Attribute space = memref.getMemorySpace();
  return memref.getLayout().isIdentity() &&
         (!space || space == SpaceAttr::get(type.getContext(), Space::system));
}

/// Everything but what the value is stored as: `operands` are the result and
/// the value.
static LogicalResult verifyConstantTypes(Operation *op,
                                         ArrayRef<Operand> operands) {
  const Operand &result = operands[0];
  ShapedType value = operands[1].type;
  if (failed(contract::verifyTensors(op, {result})))
    return failure();
  // D1
  if (value.getShape() != result.type.getShape())
    return op->emitOpError("expected 'value' to have the shape of 'result' ")
           << contract::shapeText(result.type) << ", but got "
           << contract::shapeText(value);
  // D19
  if (!result.type.hasStaticShape())
    return op->emitOpError("expected 'result' to have a static shape, but got ")
           << contract::shapeText(result.type);
  // D2
  if (value.getElementType() != result.quantized().getStorageType())
    return op->emitOpError("expected 'value' to have elements of ")
           << result.quantized().getStorageType() << ", but got "
           << value.getElementType();
  // D5
  if (!isConstantMemory(result.type))
    return op->emitOpError("expected 'result' to be contiguous in system "
                           "memory, but got ")
           << result.type;
  return success();
}

LogicalResult ConstantOp::verify() {
  ElementsAttr value = getValue();
  Operand result{"result", getResult().getType()};
  if (failed(contract::verifyOnce(*this,
                                  {result, {"value", value.getShapedType()}},
                                  verifyConstantTypes)))
    return failure();
  // These hold what their type says; a splat holds one element for all.
  if (isa<DenseIntElementsAttr>(value))
    return success();
  // D3
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  if (!resource)
    return emitOpError("expected 'value' to be dense, but got ") << value;
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  uint64_t held = blob ? blob->getData().size() : 0;
  uint64_t needed =
      elementWidth(result.element()) / 8 * result.type.getNumElements();
  // D4
  if (held != needed)
    return emitOpError("expected 'value' to hold ")
           << needed << " bytes, but got " << held;
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) {
  return DataAttr::get(getContext(), getValue());
}

void ConstantOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &) {}
