// SPDX-License-Identifier: Apache-2.0
//
// convert-mli-to-llvm lowers all kernels by this pattern: tensors and a
// configuration on the stack, then the call. An overload of `addArguments` for
// its class, in the file of its chapter, adds what a kernel takes besides its
// tensors.

#ifndef MLI_LIB_CONVERSION_MLITOLLVM_KERNELCALL_H
#define MLI_LIB_CONVERSION_MLITOLLVM_KERNELCALL_H

#include "CallBuilder.h"
#include "LocalOperands.h"
#include "StatusChecks.h"

#include "mli/IR/FunctionTable.h"
#include "mli/IR/KernelOperands.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"

namespace mli {

/// The function that computes `op`.
llvm::StringRef getCallee(KernelOpInterface op);

/// A pointer to an `mli_lut` with the memory of `tensor`, a pointer to an
/// `mli_tensor`, and the fields of `table`.
mlir::Value getLut(const FunctionTable &table, mlir::Value tensor,
                   CallBuilder &calls);

/// One call in the making.
struct KernelArguments {
  CallBuilder &calls;
  mlir::ConversionPatternRewriter &rewriter;
  mlir::Operation *op;
  /// So far: a pointer to an `mli_tensor` for each input.
  llvm::SmallVector<mlir::Value> values;
  /// Bytes of the scratch memory that are taken.
  int64_t scratchUsed = 0;
  /// Pointers to an `mli_tensor` for each operand that is a table.
  llvm::SmallDenseMap<mlir::Value, mlir::Value, 2> tables{};
  /// The stack pointer to go back to after the call, if there is one.
  mlir::Value stack = {};

  /// A pointer to an `mli_tensor` for `operand`, which has become `converted`.
  mlir::Value tensor(mlir::OpOperand &operand, mlir::Value converted,
                     LocalOperands &operands);
  /// Leaves the function if `operand`, which has become `descriptor`, has gaps
  /// that the called one does not find: it counts in memory, or gets a table.
  void checkGaps(mlir::OpOperand &operand, mlir::Value descriptor);
  /// A configuration of `fields`.
  void addConfig(llvm::ArrayRef<Field> fields) {
    values.push_back(calls.readOnly(fields));
  }
  /// A pointer to `bytes` bytes of scratch memory: in the arena or, where its
  /// results are there, in local memory, if the kernel has some, else on the
  /// stack.
  mlir::Value scratch(int64_t bytes);
  /// An `mli_lut` for each table of `kernel`: of the operand or, without, one
  /// that is made for the call.
  void addTables(TableOpInterface kernel);
};

/// Inputs, then what only this kernel takes, then the outputs.
template <typename KernelOp>
struct KernelCall : CallPattern<KernelOp> {
  using CallPattern<KernelOp>::CallPattern;

  llvm::LogicalResult
  matchAndRewrite(KernelOp op, typename KernelOp::Adaptor adaptor,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    auto dps = mlir::cast<mlir::DestinationStyleOpInterface>(op.getOperation());
    if (!dps.hasPureBufferSemantics())
      return rewriter.notifyMatchFailure(op, "operands are tensors");
    CallBuilder calls = this->callsFor(op, rewriter);
    KernelArguments arguments{calls, rewriter, op, {}};
    LocalOperands operands(op, calls, rewriter);
    llvm::SmallVector<mlir::Value, 2> outputs;
    mlir::ValueRange converted = adaptor.getOperands();
    for (mlir::OpOperand &operand : op->getOpOperands()) {
      if (!mlir::isa<mlir::MemRefType>(operand.get().getType()))
        continue; // Padding, which is part of the configuration.
      mlir::Value descriptor = converted[operand.getOperandNumber()];
      mlir::Value tensor = arguments.tensor(operand, descriptor, operands);
      arguments.checkGaps(operand, descriptor);
      if (dps.isDpsInit(&operand))
        outputs.push_back(tensor);
      else if (isTable(operand))
        arguments.tables[operand.get()] = tensor;
      else
        arguments.values.push_back(tensor);
    }
    addArguments(op, adaptor, arguments);
    llvm::append_range(arguments.values, outputs);
    calls.checkedCall(getCallee(op), arguments.values, describeCall(op));
    operands.writeBack();
    if (arguments.stack)
      mlir::LLVM::StackRestoreOp::create(rewriter, op.getLoc(),
                                         arguments.stack);
    rewriter.eraseOp(op);
    return mlir::success();
  }
};

} // namespace mli

#endif // MLI_LIB_CONVERSION_MLITOLLVM_KERNELCALL_H
