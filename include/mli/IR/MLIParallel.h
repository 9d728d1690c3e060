// SPDX-License-Identifier: Apache-2.0
//
// Moves and kernels that run at the same time.

#ifndef MLI_IR_MLIPARALLEL_H
#define MLI_IR_MLIPARALLEL_H

#include "mli/IR/MLI.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

#define GET_OP_CLASSES
#include "mli/IR/MLIParallelOps.h.inc"

namespace mli {

/// The `mli.parallel` that `op` is in; `op` itself where there is none.
mlir::Operation *getParallelOrSelf(mlir::Operation *op);

/// Returns the buffer that `memref` is a view of: the result of an allocation,
/// an argument, or another value that is no view.
mlir::Value getViewedBuffer(mlir::Value memref);

} // namespace mli

#endif // MLI_IR_MLIPARALLEL_H
