// SPDX-License-Identifier: Apache-2.0

#include "Contract/KernelContract.h"

#include "mli/IR/LocalMemory.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mli;
using contract::Operand;

/// The bytes that `value` holds; nothing if it is not stored as one block.
/// A splat holds one element for all.
static std::optional<uint64_t> heldBytes(ElementsAttr value) {
  uint64_t bytes = elementWidth(value.getElementType()) / 8;
  if (isa<DenseIntElementsAttr>(value))
    return bytes * value.getNumElements();
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  if (!resource)
    return std::nullopt;
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  return blob ? blob->getData().size() : 0;
}

/// Whether `type` is memory of a constant: contiguous, and not in local memory.
static bool isConstantMemory(ShapedType type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return !isLocal(type);
  Attribute space = memref.getMemorySpace();
  return memref.getLayout().isIdentity() &&
         (!space || space == SpaceAttr::get(type.getContext(), Space::system));
}

LogicalResult ConstantOp::verify() {
  Operand result{"result", getResult().getType()};
  ShapedType value = getValue().getShapedType();
  if (failed(contract::verifyTensors(*this, {result})))
    return failure();
  // D1
  if (value.getShape() != result.type.getShape())
    return emitOpError("expected 'value' to have the shape of 'result' ")
           << contract::shapeText(result.type) << ", but got "
           << contract::shapeText(value);
  // D19
  if (!result.type.hasStaticShape())
    return emitOpError("expected 'result' to have a static shape, but got ")
           << contract::shapeText(result.type);
  // D2
  if (value.getElementType() != result.quantized().getStorageType())
    return emitOpError("expected 'value' to have elements of ")
           << result.quantized().getStorageType() << ", but got "
           << value.getElementType();
  std::optional<uint64_t> held = heldBytes(getValue());
  // D3
  if (!held)
    return emitOpError("expected 'value' to be dense, but got ") << getValue();
  uint64_t needed =
      elementWidth(result.element()) / 8 * result.type.getNumElements();
  // D4
  if (*held != needed)
    return emitOpError("expected 'value' to hold ")
           << needed << " bytes, but got " << *held;
  // D5
  if (!isConstantMemory(result.type))
    return emitOpError("expected 'result' to be contiguous in system memory, "
                       "but got ")
           << result.type;
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) {
  return DataAttr::get(getContext(), getValue());
}

void ConstantOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &) {}
