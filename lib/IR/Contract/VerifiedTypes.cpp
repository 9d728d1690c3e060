// SPDX-License-Identifier: Apache-2.0

#include "VerifiedTypes.h"

#include "mli/IR/LocalMemory.h"

using namespace mlir;
using namespace mli;
using contract::Operand;
using contract::VerifiedTypes;

bool VerifiedTypes::contains(Key key) const { return keys->set.contains(key); }

void VerifiedTypes::insert(Key key) {
  keys->set.insert(key.copy(keys->elements));
}

/// Whether what is legal for `operand` depends on its operation: that of a view
/// in local memory whose buffer has no layout yet.
static bool dependsOnUses(const Operand &operand) {
  auto memref = dyn_cast<MemRefType>(operand.type);
  return memref && !isa<LayoutAttr>(memref.getLayout()) && isLocal(memref) &&
         !isIdentity(memref);
}

static bool hasLayout(const Operand &operand) {
  auto memref = dyn_cast<MemRefType>(operand.type);
  return memref && isa<LayoutAttr>(memref.getLayout());
}

template <typename T>
static uintptr_t toNumber(T *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

LogicalResult contract::verifyOnce(Operation *op, ArrayRef<Operand> operands,
                                   TypeRule rule,
                                   ArrayRef<Attribute> attributes) {
  if (llvm::any_of(operands, dependsOnUses))
    return rule(op, operands);
  TargetAttr target =
      llvm::any_of(operands, hasLayout) ? findTarget(op) : TargetAttr();
  SmallVector<uintptr_t, 16> key = {
      toNumber(rule), toNumber(op->getName().getAsOpaquePointer()),
      op->getNumOperands(), toNumber(target.getAsOpaquePointer())};
  for (Attribute attribute : attributes)
    key.push_back(toNumber(attribute.getAsOpaquePointer()));
  static_assert(alignof(contract::Tensor) > 1, "the lowest bit is free");
  for (const Operand &operand : operands) {
    key.push_back(toNumber(operand.type.getAsOpaquePointer()));
    key.push_back(toNumber(operand.contract) | uintptr_t{operand.isChw});
  }
  auto *verified = op->getDialect()->getRegisteredInterface<VerifiedTypes>();
  assert(verified && "expected an operation of the mli dialect");
  if (verified->contains(key))
    return success();
  if (failed(rule(op, operands)))
    return failure();
  verified->insert(key);
  return success();
}
