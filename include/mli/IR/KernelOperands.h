// SPDX-License-Identifier: Apache-2.0
//
// The rows of the table of kernels for the operands of operations.

#ifndef MLI_IR_KERNELOPERANDS_H
#define MLI_IR_KERNELOPERANDS_H

#include "mli/Contract/Kernels.h"
#include "mli/IR/MLI.h"

namespace mli {

/// The kind of a quantised element that kernels compute on.
contract::Kind getKind(mlir::Type element);

/// Returns the element types that `kernel`, of a family, computes on.
contract::Kinds getKinds(KernelOpInterface kernel);

/// The contract of an operand; null if its operation is not in the table, or it
/// is no tensor.
const contract::Tensor *getContract(mlir::OpOperand &operand);

/// Whether `operand` is the table of a function that a kernel reads.
bool isTable(mlir::OpOperand &operand);

/// The name of an operand that has a contract: with its number, where it is one
/// of several.
std::string getName(mlir::OpOperand &operand);

/// Whether an operation may write its result where it reads `operand`.
bool mayComputeInPlace(mlir::OpOperand &operand);

/// Whether a kernel of one result may write it over the memory of `operand`,
/// one of its inputs: all that it reads of that memory, by operands for which
/// `isSame` holds, it reads where it writes.
bool mayWriteOver(mlir::OpOperand &operand,
                  llvm::function_ref<bool(mlir::Value)> isSame);

/// Bytes that `op` needs for tables and scratch memory: 0 where it is no
/// kernel, needs none, or as many as is known only when it runs.
int64_t getScratchBytes(mlir::Operation *op);

/// Whether `memref` is known to have no gaps, which is what contracts mean by
/// contiguous.
bool isContiguous(mlir::MemRefType memref);

} // namespace mli

#endif // MLI_IR_KERNELOPERANDS_H
