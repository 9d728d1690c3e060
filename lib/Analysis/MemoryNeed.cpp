// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/MemoryNeed.h"

#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;

/// Whether the kernel walks `operand` as one row, whatever its strides.
static bool isWalkedAsRow(OpOperand &operand) {
  auto isOneOf = [&](std::initializer_list<OpOperand *> operands) {
    return llvm::is_contained(operands, &operand);
  };
  return llvm::TypeSwitch<Operation *, bool>(operand.getOwner())
      .Case(
          [&](FullyConnectedOp op) { return isOneOf({&op.getInputMutable()}); })
      .Case([&](PreluOp op) { return isOneOf({&op.getSlopeMutable()}); })
      .Case([&](RnnDenseOp op) {
        return operand.getOperandNumber() < op.getInputs().size();
      })
      .Case<LstmCellOp, GruCellOp, ArgmaxOp>([&](auto op) {
        return isOneOf({&op.getInputMutable(), &op.getInitMutable()});
      })
      .Default(false);
}

MemoryNeed mli::getMemoryNeed(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (isa<ReshapeOp>(op))
    return MemoryNeed::Contiguous;
  // Queries and views take what there is.
  if (!isa_and_nonnull<MLIDialect>(op->getDialect()) ||
      isa<MovOp, PermuteOp>(op) || !isa<DestinationStyleOpInterface>(op))
    return MemoryNeed::AnyStrides;
  return isWalkedAsRow(operand) ? MemoryNeed::Contiguous
                                : MemoryNeed::UnitInner;
}

bool mli::meetsNeed(MemRefType type, MemoryNeed need) {
  if (need == MemoryNeed::AnyStrides || type.getLayout().isIdentity() ||
      isScattered(type))
    return true;
  if (need == MemoryNeed::Contiguous)
    return memref::isStaticShapeAndContiguousRowMajor(type);
  return type.getRank() == 0 || type.getStridesAndOffset().first.back() == 1;
}
