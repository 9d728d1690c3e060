// SPDX-License-Identifier: Apache-2.0

#include "mli/IR/PackedAttr.h"

#include "mli/IR/AttributeNames.h"
#include "mli/IR/ConstantData.h"
#include "mli/IR/LocalMemory.h"

using namespace mlir;
using namespace mli;

ElementsAttr mli::getPackedLayer(Operation *op) {
  return op->getAttrOfType<ElementsAttr>(packedAttrName);
}

bool mli::isPackedOnly(ConstantOp constant) {
  auto isPacked = [](OpOperand &use) {
    unsigned number = use.getOperandNumber();
    return getPackedLayer(use.getOwner()) && (number == 1 || number == 2);
  };
  return !constant->use_empty() && llvm::all_of(constant->getUses(), isPacked);
}

static LogicalResult verifyThreads(Operation *op, Attribute value) {
  auto threads = dyn_cast<IntegerAttr>(value);
  // X1
  if (!threads || !threads.getType().isInteger(32) || threads.getInt() < 1)
    return op->emitError("expected 'mli.threads' to be an i32 of at least 1, "
                         "but got ")
           << value;
  return success();
}

/// The bytes of a layer: one row, all of which is there.
static LogicalResult verifyLayer(Operation *op, Attribute value) {
  auto layer = dyn_cast<ElementsAttr>(value);
  ShapedType type = layer ? layer.getShapedType() : ShapedType();
  // X2
  if (!layer || type.getRank() != 1 || !type.getElementType().isInteger(8))
    return op->emitError("expected 'mli.packed' to be a row of i8, but got ")
           << value;
  std::optional<ArrayRef<char>> held = getHeldBytes(layer);
  // X2
  if (!held)
    return op->emitError("expected 'mli.packed' to be dense, but got ")
           << value;
  // X2
  if (!layer.isSplat() &&
      static_cast<int64_t>(held->size()) != type.getNumElements())
    return op->emitError("expected 'mli.packed' to hold ")
           << type.getNumElements() << " bytes, but got " << held->size();
  return success();
}

LogicalResult mli::verifyPackedAttribute(Operation *op,
                                         NamedAttribute attribute) {
  if (attribute.getName() == threadsAttrName)
    return verifyThreads(op, attribute.getValue());
  if (attribute.getName() != packedAttrName)
    return success();
  // X3
  if (!isa<WeightedOpInterface>(op))
    return op->emitError(
               "expected 'mli.packed' to be on a kernel with weights, "
               "but got ")
           << op->getName();
  for (Type type : op->getOperandTypes())
    // X3
    if (isa<TensorType>(type) || isLocal(type))
      return op->emitError("expected 'mli.packed' to be on a kernel on buffers "
                           "in system memory, but got ")
             << type;
  return verifyLayer(op, attribute.getValue());
}
