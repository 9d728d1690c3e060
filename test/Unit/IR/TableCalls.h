// SPDX-License-Identifier: Apache-2.0
//
// Calls by the table of kernels: as operations for the verifier, and as calls
// of the runtime.

#ifndef MLI_TEST_UNIT_IR_TABLECALLS_H
#define MLI_TEST_UNIT_IR_TABLECALLS_H

#include "mli/Contract/Kernels.h"
#include "mli/IR/MLI.h"
#include "mli/Runtime/C/mli_types.h"

#include "mlir/IR/MLIRContext.h"

namespace mli::test {

/// One tensor of a call: what a memref and an `mli_tensor` are made of.
struct TableOperand {
  const contract::Tensor *contract;
  llvm::SmallVector<int64_t> shape;
  llvm::SmallVector<int64_t> strides;
  contract::Kind kind;
  quant::QuantParams params;
  int64_t axis = -1;
  /// The tensor of the call whose memory it lies in, if that is not its own,
  /// and the bytes from there.
  std::optional<size_t> place = std::nullopt;
  int64_t offset = 0;

  /// Strides without gaps.
  void makeDense();
  int64_t elementBytes() const;
  /// Bytes up to the last element.
  int64_t viewBytes() const;
};

using TableOperands = llvm::SmallVector<TableOperand>;

/// Makes calls of one family, and asks both what they are worth.
class TableCalls {
public:
  explicit TableCalls(contract::Family family);

  /// The tensors of a right call, if there is a kernel of `kinds`; in the order
  /// of the table, which is that of the operands.
  TableOperands operands(const contract::Kinds &kinds) const;

  /// Whether the verifier takes the call, on buffers; one that lies at the
  /// beginning of another has to be of its type, and is the same.
  bool isVerified(llvm::ArrayRef<TableOperand> operands);
  bool haveOneType(const TableOperand &one, const TableOperand &other);
  mli_status run(llvm::ArrayRef<TableOperand> operands,
                 const contract::Kinds &kinds);

  /// Of slopes, where the call has one.
  int32_t axis = -1;

private:
  mlir::Type getElement(const TableOperand &operand);
  mlir::MemRefType getType(const TableOperand &operand);

  contract::Family family;
  mlir::MLIRContext context;
};

} // namespace mli::test

#endif // MLI_TEST_UNIT_IR_TABLECALLS_H
