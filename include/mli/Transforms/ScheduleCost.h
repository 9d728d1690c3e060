// SPDX-License-Identifier: Apache-2.0
//
// The costs of the moves and kernels of a function on buffers, in the units of
// the cost model of tiles.

#ifndef MLI_TRANSFORMS_SCHEDULECOST_H
#define MLI_TRANSFORMS_SCHEDULECOST_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <memory>

namespace mli {

namespace tiling {
struct CostModel;
} // namespace tiling

/// The cost of one run; operations in loops of unknown length count once for
/// each of their runs.
struct ScheduleCost {
  /// Bytes between system and local memory.
  int64_t movedBytes = 0;
  /// The cost of each engine, and of the time in which both run.
  double moves = 0, kernels = 0, overlapped = 0;

  double getTotal() const { return moves + kernels - overlapped; }
};

/// Returns the cost of `function`, whose kernels have static shapes.
ScheduleCost getScheduleCost(mlir::func::FuncOp function,
                             const tiling::CostModel &cost);

/// A transfer or kernel on the engine that runs it, and when it does, in the
/// units of the cost model.
struct ScheduledOp {
  mlir::Operation *op;
  bool isTransfer;
  double begin, end;
};

/// The transfers and kernels of one run that cost something, in their order.
/// One waits for all before it, but in `mli.parallel` for those of its engine
/// only, as far as both overlap. The last one ends at the total of the cost.
using Schedule = std::vector<ScheduledOp>;

/// What one run of a function costs and, if that is asked for, its schedule,
/// which is empty where `RunCounts` can not follow all loops.
struct RunEstimate {
  ScheduleCost cost;
  Schedule schedule;
};

/// The costs in docs/guides/tiling.md, but for those that the file at
/// `overrides`, if there is a path, has others of. Fails with a diagnostic at
/// `op` if that can not be read.
mlir::FailureOr<std::shared_ptr<const tiling::CostModel>>
readCosts(mlir::Operation *op, llvm::StringRef overrides);

/// Estimates a run of `function` with the costs `cost`.
RunEstimate estimateRun(mlir::func::FuncOp function,
                        const tiling::CostModel &cost, bool findsSchedule);

} // namespace mli

#endif // MLI_TRANSFORMS_SCHEDULECOST_H
