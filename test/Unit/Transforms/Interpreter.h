// SPDX-License-Identifier: Apache-2.0
//
// Runs functions of tensors or buffers one operation after the other: what is
// copied, sliced, padded, permuted, converted or clipped, and nothing else.
// Slow, and with memory that shows what was never written.

#ifndef MLI_TEST_UNIT_TRANSFORMS_INTERPRETER_H
#define MLI_TEST_UNIT_TRANSFORMS_INTERPRETER_H

#include "InterpreterMemory.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <map>

namespace mli::test {

class Interpreter : InterpreterMemory {
public:
  /// In local memory only if `isLocal`: otherwise all is plain memory, and
  /// layouts are overlooked. Memory that is not written holds `seed`.
  Interpreter(bool isLocal, uint8_t seed) : InterpreterMemory(isLocal, seed) {}

  /// The bytes of the results, in row-major order, for arguments of these bytes
  /// and indices of 1. The last arguments of a function on buffers are its
  /// results, as many as `resultCount`. Empty, with a failure of the test, if
  /// it does not know an operation.
  std::vector<std::vector<uint8_t>>
  run(mlir::func::FuncOp function,
      llvm::ArrayRef<std::vector<uint8_t>> arguments, size_t resultCount);

private:
  bool execute(mlir::Operation *op);
  bool executeTensor(mlir::Operation *op);
  bool executeBuffer(mlir::Operation *op);
  bool executeLoop(mlir::Operation *op);
  bool executeKernel(mlir::Operation *op);
  View blockOf(const View &whole, mlir::Operation *op);
  View getElement(const View &whole, mlir::ValueRange indices);
  void move(MovOp op, const View &from, const View &to);
  void convert(ConvertOp op, const View &from, const View &to);
  int64_t number(mlir::OpFoldResult value);

  std::map<void *, View> views;
  std::map<void *, int64_t> numbers;
};

} // namespace mli::test

#endif // MLI_TEST_UNIT_TRANSFORMS_INTERPRETER_H
