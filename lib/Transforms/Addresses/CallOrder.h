// SPDX-License-Identifier: Apache-2.0
//
// Functions in the order in which their memory is planned.

#ifndef MLI_LIB_TRANSFORMS_ADDRESSES_CALLORDER_H
#define MLI_LIB_TRANSFORMS_ADDRESSES_CALLORDER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mli {

/// The functions of `module` that have a body, callees first. Diagnoses those
/// that call themselves, or that are used other than by calls.
mlir::FailureOr<llvm::SmallVector<mlir::func::FuncOp>>
sortByCalls(mlir::ModuleOp module);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_ADDRESSES_CALLORDER_H
