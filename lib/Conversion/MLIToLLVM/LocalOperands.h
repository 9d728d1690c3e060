// SPDX-License-Identifier: Apache-2.0
//
// convert-mli-to-llvm passes buffers in local memory to calls here. Their
// converted value is the local address (i32) of their first element. A kernel
// gets the memory itself where strides describe it, as on one NPU, and else a
// copy in plain memory.

#ifndef MLI_LIB_CONVERSION_MLITOLLVM_LOCALOPERANDS_H
#define MLI_LIB_CONVERSION_MLITOLLVM_LOCALOPERANDS_H

#include "CallBuilder.h"

#include "mli/Calls/LocalOperand.h"
#include "mli/IR/AttributeNames.h"

namespace mli {

/// The operands of one call.
class LocalOperands {
public:
  LocalOperands(mlir::Operation *op, CallBuilder &calls,
                mlir::OpBuilder &builder)
      : op(op), calls(calls), builder(builder) {}

  using Access = calls::Access;

  /// A pointer to an `mli_tensor` for `block` of `memref`, in any memory, whose
  /// converted value is `converted`.
  mlir::Value tensor(mlir::MemRefType memref, mlir::Value converted,
                     Access access, calls::Part block = {});

  /// A pointer to `address` (i32) in local memory, that of the first NPU.
  mlir::Value getPointer(mlir::Value address);

  /// Whether local memory is an argument of the function: it is plain memory
  /// then, and no function of the local memory model is called.
  bool isArgument() { return calls.findMemory(localAttrName) != nullptr; }

  /// Copies the results of the call back to local memory, after it.
  void writeBack();

  /// A block of a buffer, and what that has been converted to.
  struct Block {
    mlir::MemRefType memref;
    mlir::Value converted;
    calls::Part part = {};
  };

  /// Makes `move` from one buffer to the other.
  void move(const calls::LocalMove &move, const Block &source,
            const Block &target);

  /// Copies all elements of `source`, in row-major order, to `target`, which
  /// may have another shape, or overlap with it. Both have layouts.
  void copyElements(const Block &source, const Block &target);

  /// Fills what `memref` at `address` takes with poison, if that is on.
  void poison(mlir::MemRefType memref, mlir::Value address);

private:
  mlir::Value describe(const calls::LocalPlace &place, mlir::Value address);
  mlir::Value getType(mlir::Type element, llvm::ArrayRef<int64_t> shape);
  mlir::Value denseTensor(mlir::Type element, llvm::ArrayRef<int64_t> shape,
                          const Field &memory);
  mlir::Value inArgument(mlir::MemRefType memref, mlir::Value address,
                         calls::Part block);
  mlir::Value view(mlir::Type element, const calls::LocalPlace &place,
                   mlir::Value address, Access access);
  void recordAccess(mlir::Value local, mlir::Value tensor, Access access);
  /// The `mli_local_access` of an operand.
  mlir::Value getAccess(Access access);
  /// Calls `mli_local_load` or `mli_local_store`.
  void load(const CallBuilder::Described &source, mlir::Value local,
            mlir::Value access);
  void store(mlir::Value local, const CallBuilder::Described &target,
             mlir::Value access);
  mlir::Value copy(mlir::Type element, const calls::LocalOperand &operand,
                   mlir::Value address, Access access);
  mlir::Value takeMemory(int64_t bytes);

  /// Elements that go to local memory after the call.
  struct Written {
    CallBuilder::Described copied;
    mlir::Value local;
  };

  mlir::Operation *op;
  CallBuilder &calls;
  mlir::OpBuilder &builder;
  llvm::SmallVector<Written, 2> written;
  calls::CopyMemory copies;
};

/// Makes `function`, if it has buffers in local memory, prepare it first.
void prepareLocalMemory(mlir::func::FuncOp function, CallSymbols &symbols);

} // namespace mli

#endif // MLI_LIB_CONVERSION_MLITOLLVM_LOCALOPERANDS_H
