// SPDX-License-Identifier: Apache-2.0
//
// Kernels that work on a copy of an operand.

#ifndef MLI_LIB_TRANSFORMS_SLICING_USECOPIES_H
#define MLI_LIB_TRANSFORMS_SLICING_USECOPIES_H

#include "mlir/IR/Builders.h"

namespace mli {

/// What an operation does with an operand.
struct Access {
  bool reads = false, writes = false;
};

/// Of `use`, by an operation that says its effects.
Access getAccess(mlir::OpOperand &use);

/// Has the operation of `use` take `copy`, which `fill` fills before it if it
/// reads its operand, and `empty` takes back after it if it writes it.
void copyAround(mlir::OpOperand &use, mlir::Value copy,
                llvm::function_ref<void(mlir::OpBuilder &)> fill,
                llvm::function_ref<void(mlir::OpBuilder &)> empty);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_SLICING_USECOPIES_H
