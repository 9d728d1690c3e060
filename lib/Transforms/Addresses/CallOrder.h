// SPDX-License-Identifier: Apache-2.0
//
// The order in which mli-assign-addresses and mli-print-memory-map plan
// functions.

#ifndef MLI_LIB_TRANSFORMS_ADDRESSES_CALLORDER_H
#define MLI_LIB_TRANSFORMS_ADDRESSES_CALLORDER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mli {

/// The functions of `module` that have a body, callees first. Fails, with an
/// error, on recursive functions and on those that are used other than by
/// calls. `llvm::scc_iterator` of a `CallGraph` does not reach private
/// functions that nothing calls, whose memory is planned as well.
mlir::FailureOr<llvm::SmallVector<mlir::func::FuncOp>>
sortByCalls(mlir::ModuleOp module);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_ADDRESSES_CALLORDER_H
