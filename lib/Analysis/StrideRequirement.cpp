// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/StrideRequirement.h"

#include "mli/IR/KernelOperands.h"
#include "mli/IR/LocalMemory.h"

using namespace mlir;
using namespace mli;

static StrideRequirement getRequirement(contract::Memory memory) {
  switch (memory) {
  case contract::Memory::Any:
    return StrideRequirement::AnyStrides;
  case contract::Memory::UnitInnerStride:
    return StrideRequirement::UnitInner;
  case contract::Memory::DialectContiguous:
  case contract::Memory::Contiguous:
    return StrideRequirement::Contiguous;
  }
  llvm_unreachable("all kinds of memory are handled");
}

StrideRequirement mli::getStrideRequirement(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (isa<ReshapeOp>(op))
    return StrideRequirement::Contiguous;
  if (isa<ConvertOp>(op))
    return StrideRequirement::UnitInner;
  // Moves, queries and views take what there is.
  const contract::Tensor *contract = getContract(operand);
  return contract ? getRequirement(contract->memory)
                  : StrideRequirement::AnyStrides;
}

bool mli::meetsRequirement(MemRefType type, StrideRequirement need) {
  if (need == StrideRequirement::AnyStrides || isIdentity(type) ||
      isScattered(type))
    return true;
  if (need == StrideRequirement::Contiguous)
    return isContiguous(type);
  return type.getRank() == 0 || getStridesAndOffset(type).first.back() == 1;
}
