// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_IR_CALLERS_H
#define MLI_IR_CALLERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mli {

/// The functions of `module` with an operation that `isWanted`, in their order,
/// and behind them those that call one of all these.
llvm::SetVector<mlir::func::FuncOp>
findFunctionsAndCallers(mlir::ModuleOp module,
                        llvm::function_ref<bool(mlir::Operation *)> isWanted);

} // namespace mli

#endif // MLI_IR_CALLERS_H
