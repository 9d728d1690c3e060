// SPDX-License-Identifier: Apache-2.0
//
// Moves and other shapes of what is in local memory.

#ifndef MLI_LIB_TRANSFORMS_LOCALMEMORY_LOCALMOVES_H
#define MLI_LIB_TRANSFORMS_LOCALMEMORY_LOCALMOVES_H

#include "mli/Layout/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace mli {

using LocalMoves = llvm::DenseSet<mlir::Operation *>;

/// The moves of `function` that are to be within local memory of `target`:
/// padding, slices and permutations where fewer bytes go between the memories
/// then. Kernels that read a reshape of what a kernel computes read a new one
/// of these, to another shape: a map is a vector on other NPUs. What a move
/// reads and writes fits `target` together.
LocalMoves chooseLocalMoves(mlir::func::FuncOp function,
                            const layout::Target &target);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_LOCALMEMORY_LOCALMOVES_H
