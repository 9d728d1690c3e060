// SPDX-License-Identifier: Apache-2.0
//
// convert-mli-to-llvm lowers a call here: tensors and a configuration on the
// stack, tables, scratch memory, then the call of the function.

#ifndef MLI_LIB_CONVERSION_MLITOLLVM_CALLLOWERING_H
#define MLI_LIB_CONVERSION_MLITOLLVM_CALLLOWERING_H

#include "CallBuilder.h"
#include "LocalOperands.h"

#include "mli/Calls/Call.h"

namespace mli {

class CallLowering {
public:
  /// `converted` are what the operands of `op` have become.
  CallLowering(mlir::Operation *op, mlir::ValueRange converted,
               CallBuilder &calls, mlir::ConversionPatternRewriter &rewriter)
      : op(op), converted(converted), calls(calls), rewriter(rewriter),
        operands(op, calls, rewriter) {}

  /// Creates the tensors of `call`, which else are created where they are
  /// arguments, and checks what the function does not.
  void prepareTensors(const calls::Call &call);
  /// Creates the call.
  void lower(const calls::Call &call);
  /// Creates a struct.
  mlir::Value getRecord(const calls::Record &record);

private:
  mlir::Value createTensor(const calls::TensorArgument &tensor);
  mlir::Value getTensor(const calls::TensorArgument &tensor);
  void checkGaps(mlir::OpOperand &operand);
  mlir::Value scratch(int64_t bytes);
  Field getContainer(const calls::Scratch &memory);
  void convertPadding();
  Field getInteger(const calls::Number &number, int64_t width);
  void addMember(const calls::Record &record, size_t i,
                 llvm::SmallVectorImpl<Field> &fields);
  mlir::Value createLut(const FunctionTable &table, mlir::Value entries);

  mlir::Value getArgument(const calls::TensorArgument &tensor);
  mlir::Value getArgument(const calls::TensorsArgument &list);
  mlir::Value getArgument(const calls::UnreadArgument &);
  mlir::Value getArgument(const calls::TableArgument &argument);
  mlir::Value getArgument(const calls::ConfigArgument &config);

  mlir::Operation *op;
  mlir::ValueRange converted;
  CallBuilder &calls;
  mlir::ConversionPatternRewriter &rewriter;
  LocalOperands operands;
  /// Pointers to an `mli_tensor` for operands.
  llvm::SmallMapVector<mlir::OpOperand *, mlir::Value, 8> tensors;
  /// Padding, as bytes.
  llvm::SmallDenseMap<mlir::Value, mlir::Value, 4> bytes;
  /// Bytes of the scratch memory that are taken.
  int64_t scratchUsed = 0;
  /// The stack pointer to go back to after the call, if there is one.
  mlir::Value stack = {};
};

} // namespace mli

#endif // MLI_LIB_CONVERSION_MLITOLLVM_CALLLOWERING_H
