// SPDX-License-Identifier: Apache-2.0
//
// The copies that bufferization makes, each with what it is for.

#ifndef MLI_LIB_TRANSFORMS_BUFFERIZATION_BUFFERCOPIES_H
#define MLI_LIB_TRANSFORMS_BUFFERIZATION_BUFFERCOPIES_H

#include "Transforms/Slicing/CopyLog.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>

namespace mli {

/// Whether `value` is an argument of a function or a constant: nobody writes
/// these.
bool isKept(mlir::Value value);

class BufferCopies {
public:
  explicit BufferCopies(mlir::ModuleOp module);

  /// Notes what can be seen on tensors only: why each
  /// `bufferization.alloc_tensor` is a copy of something, and what is inserted.
  void noteCauses(mlir::ModuleOp module);
  /// Notes why `op`, which inserts its first operand, copies it.
  void noteInsertion(mlir::Operation *op);
  /// Notes why `op`, which begins what `writer` inserts into, copies its first
  /// operand.
  void noteBegin(mlir::Operation *op, mlir::Operation *writer);
  /// Copies `from` to `to` for the operation that `builder` stands at. Nothing,
  /// where both are one place.
  llvm::LogicalResult copy(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value from, mlir::Value to);
  /// A buffer that is returned twice becomes two: each result is an allocation
  /// that its out parameter replaces. Only static ones are replaced.
  void separateResults(mlir::func::ReturnOp op);

  /// Tells `log` of all copies, function by function: bufferization takes them
  /// in an order of its own.
  void report(CopyLog &log);

private:
  void note(mlir::Operation *op, CopyCause cause);

  struct Copy {
    mlir::Location loc;
    CopyCause cause;
    mlir::ShapedType copied;
  };

  CopyCause causeOf(mlir::Operation *op, mlir::Value from, mlir::Value to);
  CopyReasonAttr add(mlir::Operation *op, const CopyCause &cause,
                     mlir::Value copied);

  /// By the number of their function, those of one in order.
  std::multimap<int64_t, Copy> copies;
  llvm::DenseMap<mlir::Operation *, int64_t> functions;
  /// By an attribute of the operation that copies: others may have its address
  /// when it is gone.
  llvm::DenseMap<mlir::Attribute, CopyCause> causes;
};

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_BUFFERIZATION_BUFFERCOPIES_H
