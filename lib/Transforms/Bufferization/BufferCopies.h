// SPDX-License-Identifier: Apache-2.0
//
// The copies that mli-bufferize makes, each with its cause.

#ifndef MLI_LIB_TRANSFORMS_BUFFERIZATION_BUFFERCOPIES_H
#define MLI_LIB_TRANSFORMS_BUFFERIZATION_BUFFERCOPIES_H

#include "Transforms/Slicing/CopyRemarks.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>

namespace mli {

/// Whether `value` is an argument of a function or a constant, which are never
/// written.
bool isReadOnly(mlir::Value value);

/// Creates the copies of one module and collects them for remarks.
class BufferCopies {
public:
  explicit BufferCopies(mlir::ModuleOp module);

  /// Notes the causes that are known on tensors only: of each copying
  /// `bufferization.alloc_tensor` and of each insertion.
  void noteCauses(mlir::ModuleOp module);
  /// Notes why `op`, an insertion or a write to a buffer, copies its first
  /// operand.
  void noteInsertion(mlir::Operation *op);
  /// Notes why `op`, which initialises the buffer of a chain of insertions that
  /// starts with `writer`, copies its first operand.
  void noteInit(mlir::Operation *op, mlir::Operation *writer);
  /// Creates the copy of `from` to `to` for the operation at the insertion
  /// point of `builder`; none if both are the same memory.
  llvm::LogicalResult copy(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value from, mlir::Value to);
  /// Copies a buffer that is returned twice, as the out parameter of a result
  /// replaces one allocation. Does so for static shapes only, as only those are
  /// replaced.
  void separateResults(mlir::func::ReturnOp op);

  /// Reports all copies function by function, as bufferization does not create
  /// them in program order.
  void report(CopyRemarks &remarks);

private:
  void note(mlir::Operation *op, CopyCause cause);

  struct Copy {
    mlir::Location loc;
    CopyCause cause;
    mlir::ShapedType copied;
  };

  CopyCause getCause(mlir::Operation *op, mlir::Value from, mlir::Value to);
  CopyReasonAttr add(mlir::Operation *op, const CopyCause &cause,
                     mlir::Value copied);

  /// The copies by the number of their function.
  std::multimap<int64_t, Copy> copies;
  llvm::DenseMap<mlir::Operation *, int64_t> functions;
  /// The causes by an attribute of the operation that copies, as another one
  /// may have its address once it is erased.
  llvm::DenseMap<mlir::Attribute, CopyCause> causes;
};

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_BUFFERIZATION_BUFFERCOPIES_H
