// SPDX-License-Identifier: Apache-2.0
//
// Runs functions on tensors or buffers, one operation after the other. It is
// slow and simple, and shares no code with passes and lowering.

#ifndef MLI_TEST_FUZZ_INTERPRETER_INTERPRETER_H
#define MLI_TEST_FUZZ_INTERPRETER_INTERPRETER_H

#include "Kernels.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <variant>

namespace mli::fuzz {

/// What a value of the program is.
using Datum = std::variant<int64_t, Tensor, View>;

/// An error that names `op`.
llvm::Error failAt(mlir::Operation *op, const llvm::Twine &what);

class Interpreter {
public:
  /// `kernels` computes kernels. Bytes that the program does not define are
  /// `poison`.
  Interpreter(Kernels &kernels, char poison)
      : kernels(kernels), poison(poison) {}
  virtual ~Interpreter() = default;

  /// The results of `function` for `inputs`, one for each argument. Fails for
  /// an access outside of a tensor, for an operation that it does not know, and
  /// after `mostSteps` operations.
  llvm::Expected<llvm::SmallVector<Datum>> run(mlir::func::FuncOp function,
                                               llvm::ArrayRef<Datum> inputs);

  /// Operations of a run, before it is given up.
  int64_t mostSteps = 10000000;

protected:
  /// Called with each operation and what it has computed.
  virtual void note(mlir::Operation *op, llvm::ArrayRef<Datum> results) {}

private:
  using Results = llvm::SmallVector<Datum, 2>;

  llvm::Error execute(mlir::Operation *op);
  llvm::Error executeBlock(mlir::Block &block, Results &yielded);
  bool executeNumber(mlir::Operation *op, Results &results);
  llvm::Error executeControl(mlir::Operation *op, Results &results);
  llvm::Error executeTensor(mlir::Operation *op, Results &results);
  llvm::Error executeSlice(mlir::Operation *op, Results &results);
  llvm::Error executeElement(mlir::Operation *op, Results &results);
  llvm::Error executeGenerate(mlir::Operation *op, Results &results);
  llvm::Error executeView(mlir::Operation *op, Results &results);
  bool executeBuffer(mlir::Operation *op, Results &results, llvm::Error &error);
  llvm::Error executeKernel(KernelOpInterface op, Results &results);
  void executeAdvance(AdvanceOp op, Results &results);

  Tensor makeTensor(mlir::Type type, llvm::ArrayRef<int64_t> sizes) const;
  int64_t number(mlir::OpFoldResult value) const;
  llvm::SmallVector<int64_t, 4>
  numbers(llvm::ArrayRef<mlir::OpFoldResult> values) const;
  llvm::SmallVector<int64_t, 4> numbers(mlir::ValueRange values) const;
  const Tensor &tensor(mlir::Value value) const;
  const View &view(mlir::Value value) const;
  Results get(mlir::ValueRange values) const;
  void set(mlir::ValueRange values, llvm::ArrayRef<Datum> all);
  llvm::Error getBlock(mlir::Operation *op, llvm::ArrayRef<int64_t> shape,
                       TensorBlock &block) const;

  Kernels &kernels;
  char poison;
  int64_t steps = 0;
  llvm::DenseMap<mlir::Value, Datum> data;
};

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_INTERPRETER_INTERPRETER_H
