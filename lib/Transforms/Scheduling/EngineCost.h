// SPDX-License-Identifier: Apache-2.0
//
// Which engine runs an operation on buffers, and how long.

#ifndef MLI_LIB_TRANSFORMS_SCHEDULING_ENGINECOST_H
#define MLI_LIB_TRANSFORMS_SCHEDULING_ENGINECOST_H

#include "Transforms/TileSelection/TileCost.h"

#include "mlir/IR/Value.h"

namespace mli {

/// Whether `op` is a kernel on buffers that are all in local memory.
bool isLocalCompute(mlir::Operation *op);

/// Whether `op` moves between system and local memory.
bool isTransfer(mlir::Operation *op);

/// The buffers of a transfer, views looked through.
mlir::Value getLocalSide(mlir::Operation *transfer);
mlir::Value getSystemSide(mlir::Operation *transfer);
/// Whether it moves into local memory.
bool isMovedIn(mlir::Operation *transfer);

/// In the units of a cost model.
struct EngineCost {
  tiling::CostModel model;
  int64_t npus = 1;

  /// 0 for a kernel whose shapes are not known.
  double ofKernel(mlir::Operation *kernel) const;
  double ofTransfer(mlir::Operation *transfer) const;
};

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_SCHEDULING_ENGINECOST_H
