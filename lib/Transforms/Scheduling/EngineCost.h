// SPDX-License-Identifier: Apache-2.0
//
// The costs of transfers and kernels on buffers, for mli-double-buffer and
// mli-run.

#ifndef MLI_LIB_TRANSFORMS_SCHEDULING_ENGINECOST_H
#define MLI_LIB_TRANSFORMS_SCHEDULING_ENGINECOST_H

#include "Transforms/TileSelection/TileCost.h"

#include "mlir/IR/Value.h"

namespace mli {

/// Whether `op` is a kernel on buffers that are all in local memory.
bool isLocalCompute(mlir::Operation *op);

/// Whether `op` is a move between system and local memory.
bool isTransfer(mlir::Operation *op);

/// The buffer of a transfer in each memory, of which its operand may be a view.
mlir::Value getLocalSide(mlir::Operation *transfer);
mlir::Value getSystemSide(mlir::Operation *transfer);
/// Whether `transfer` moves into local memory.
bool isMovedIn(mlir::Operation *transfer);

/// The cost of an operation on the engine that runs it, in units of `model`.
struct EngineCost {
  tiling::CostModel model;
  int64_t npus = 1;

  /// 0 for a kernel of dynamic shape.
  double getKernelCost(mlir::Operation *kernel) const;
  double getTransferCost(mlir::Operation *transfer) const;
};

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_SCHEDULING_ENGINECOST_H
