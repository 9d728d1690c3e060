// SPDX-License-Identifier: Apache-2.0
//
// The calls around moves and kernels that run at the same time.

#ifndef MLI_LIB_CONVERSION_MLITOLLVM_PARALLELCALLS_H
#define MLI_LIB_CONVERSION_MLITOLLVM_PARALLELCALLS_H

#include "mli/IR/MLIParallel.h"

#include "mlir/IR/SymbolTable.h"

namespace mli {

/// The functions of the runtime that begin and end a bracket of calls that run
/// at the same time. Neither fails.
inline constexpr llvm::StringLiteral parallelStartName = "okk_parallel_start";
inline constexpr llvm::StringLiteral parallelEndName = "okk_parallel_end";

/// Puts what is in `op` in its place, between calls of the runtime: kernels
/// leave their function when they fail, which no region can. Operations from
/// inside keep a mark.
void inlineParallel(ParallelOp op, mlir::SymbolTableCollection &collection);

} // namespace mli

#endif // MLI_LIB_CONVERSION_MLITOLLVM_PARALLELCALLS_H
