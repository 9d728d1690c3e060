// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/MemoryNeed.h"

#include "mli/IR/KernelOperands.h"
#include "mli/IR/LocalMemory.h"

using namespace mlir;
using namespace mli;

static MemoryNeed needOf(contract::Memory memory) {
  switch (memory) {
  case contract::Memory::Any:
    return MemoryNeed::AnyStrides;
  case contract::Memory::Rows:
    return MemoryNeed::UnitInner;
  case contract::Memory::Counted:
  case contract::Memory::Contiguous:
    return MemoryNeed::Contiguous;
  }
  llvm_unreachable("all kinds of memory are handled");
}

MemoryNeed mli::getMemoryNeed(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (isa<ReshapeOp>(op))
    return MemoryNeed::Contiguous;
  if (isa<ConvertOp>(op))
    return MemoryNeed::UnitInner;
  // Moves, queries and views take what there is.
  const contract::Tensor *contract = getContract(operand);
  return contract ? needOf(contract->memory) : MemoryNeed::AnyStrides;
}

bool mli::meetsNeed(MemRefType type, MemoryNeed need) {
  if (need == MemoryNeed::AnyStrides || type.getLayout().isIdentity() ||
      isScattered(type))
    return true;
  if (need == MemoryNeed::Contiguous)
    return isContiguous(type);
  return type.getRank() == 0 || type.getStridesAndOffset().first.back() == 1;
}
