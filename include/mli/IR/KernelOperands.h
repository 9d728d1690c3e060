// SPDX-License-Identifier: Apache-2.0
//
// Operations in the table of kernels: what it says of each operand.

#ifndef MLI_IR_KERNELOPERANDS_H
#define MLI_IR_KERNELOPERANDS_H

#include "mli/Quant/Kernels.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace mli {

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

/// Whether `memref` is known to have no gaps, which is what contracts mean by
/// contiguous.
bool isContiguous(mlir::MemRefType memref);

} // namespace mli

#endif // MLI_IR_KERNELOPERANDS_H
