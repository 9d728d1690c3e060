// SPDX-License-Identifier: Apache-2.0
//
// The memory that kernels take besides their operands.

#include "mli/Analysis/MemoryProblem.h"

#include "mli/IR/FunctionTable.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;

/// The table of `function`, where the kernel is not given one.
static int64_t getTableBytes(LutFunction function, Value given) {
  return given ? 0 : getTable(function).bytes;
}

/// One vector of the cell for each of `gates`, and its tables.
template <typename CellOp>
static int64_t getCellBytes(CellOp op, int64_t gates) {
  std::optional<int64_t> vector = getDenseBytes(op.getPrevious().getType());
  if (!vector)
    return 0;
  return gates * *vector + getTableBytes(LutFunction::tanh, op.getTanhLut()) +
         getTableBytes(LutFunction::sigm, op.getSigmLut());
}

int64_t mli::getScratchBytes(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([](SigmOp kernel) {
        return getTableBytes(LutFunction::sigm, kernel.getLut());
      })
      .Case([](TanhOp kernel) {
        return getTableBytes(LutFunction::tanh, kernel.getLut());
      })
      .Case([](SoftmaxOp kernel) {
        return getTableBytes(LutFunction::softmax, kernel.getLut());
      })
      .Case([](L2NormalizeOp kernel) {
        return getTableBytes(LutFunction::l2Normalize, kernel.getLut());
      })
      .Case([](LstmCellOp cell) { return getCellBytes(cell, /*gates=*/4); })
      .Case([](GruCellOp cell) { return getCellBytes(cell, /*gates=*/3); })
      .Default([](Operation *) { return 0; });
}
