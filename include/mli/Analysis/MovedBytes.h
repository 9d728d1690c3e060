// SPDX-License-Identifier: Apache-2.0
//
// Counts the bytes that a function moves between system and local memory, and
// those that move up in rings.

#ifndef MLI_ANALYSIS_MOVEDBYTES_H
#define MLI_ANALYSIS_MOVEDBYTES_H

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mli {

struct MovedBytes {
  /// Into and out of local memory, in one run of the function as `RunCounts`
  /// has it.
  int64_t in = 0, out = 0;
};

/// The bytes that `op`, of static shapes, writes each time.
int64_t getMovedBytes(MovOp op);

/// The bytes that `op` moves into and out of local memory each time; none if it
/// is no move between memories.
MovedBytes getTransferredBytes(mlir::Operation *op);

/// The bytes that the moves in `function`, on buffers or on tensors, move.
MovedBytes countMovedBytes(mlir::func::FuncOp function);

/// The bytes that `op` moves up each time.
int64_t getShiftedBytes(AdvanceOp op);

/// The bytes that move up in the rings of `function` in one run as `RunCounts`
/// has it.
int64_t countShiftedBytes(mlir::func::FuncOp function);

/// The fewest bytes that are moved for `function`, on tensors in system memory,
/// if kernels use all of what it is given and make all of what it gives: each
/// argument with a use and each constant once, equal constants as one, and each
/// result once. A state that is shifted in system memory moves less.
int64_t getMinMovedBytes(mlir::func::FuncOp function);

} // namespace mli

#endif // MLI_ANALYSIS_MOVEDBYTES_H
