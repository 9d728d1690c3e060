// SPDX-License-Identifier: Apache-2.0
//
// Runs functions of tensors or buffers one operation after the other: what is
// copied, sliced, padded, permuted, converted or clipped, and nothing else.
// Slow, and with memory that shows what was never written.

#ifndef MLI_TEST_UNIT_TRANSFORMS_INTERPRETER_H
#define MLI_TEST_UNIT_TRANSFORMS_INTERPRETER_H

#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <deque>
#include <map>

namespace mli::test {

/// A tensor or buffer: where each of its elements is.
struct View {
  llvm::SmallVector<int64_t> shape;
  int64_t width = 1; ///< bytes of an element
  /// In plain memory, in elements.
  uint8_t *base = nullptr;
  int64_t offset = 0;
  llvm::SmallVector<int64_t> strides;
  /// In local memory: the layout, and the place of its first element.
  LayoutAttr layout;
  layout::TensorLayout place;

  int64_t count() const;
};

class Interpreter {
public:
  /// In local memory only if `isLocal`: otherwise all is plain memory, and
  /// layouts are overlooked. Memory that is not written holds `seed`.
  Interpreter(bool isLocal, uint8_t seed) : isLocal(isLocal), seed(seed) {}

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
  View allocate(mlir::ShapedType type);
  View blockOf(const View &whole, mlir::Operation *op);
  View elementOf(const View &whole, mlir::ValueRange indices);
  View copyOf(const View &view);
  uint8_t *at(const View &view, llvm::ArrayRef<int64_t> index);
  void copy(const View &from, const View &to);
  void move(MovOp op, const View &from, const View &to);
  void convert(ConvertOp op, const View &from, const View &to);
  std::vector<uint8_t> bytesOf(const View &view);
  void setBytes(const View &view, llvm::ArrayRef<char> bytes);
  int64_t number(mlir::OpFoldResult value);

  bool isLocal;
  uint8_t seed;
  int64_t nextLocal = 0;
  std::map<void *, View> views;
  std::map<void *, int64_t> numbers;
  std::deque<std::vector<uint8_t>> memory;
  std::vector<uint8_t> localMemory;
};

} // namespace mli::test

#endif // MLI_TEST_UNIT_TRANSFORMS_INTERPRETER_H
