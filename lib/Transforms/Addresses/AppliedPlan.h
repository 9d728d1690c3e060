// SPDX-License-Identifier: Apache-2.0
//
// From a plan of addresses to buffers that are at them.

#ifndef MLI_LIB_TRANSFORMS_ADDRESSES_APPLIEDPLAN_H
#define MLI_LIB_TRANSFORMS_ADDRESSES_APPLIEDPLAN_H

#include "mli/Analysis/MemoryProblem.h"

#include "mlir/IR/Builders.h"

namespace mli {

/// Where the buffers of one memory of a function lie.
struct MemoryPlan {
  MemoryProblem problem;
  allocation::Plan plan;
};

/// `type` at byte `offset` of `arena`, as buffer `number` of its function.
mlir::Value createArenaView(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::MemRefType type, mlir::Value arena,
                            int64_t offset, int64_t number);

/// Makes views of `arena` of the buffers of `memory`; calls keep their offsets
/// in `frames`.
void applySystem(const MemoryPlan &memory, mlir::Value arena,
                 llvm::DenseMap<mlir::Operation *, int64_t> &frames);

/// Gives each buffer of `memory` its address, and all that sees it the type of
/// its start NPU. It is allocated where it begins to hold data, of which
/// `lifetimes`, those that were planned, tell.
void applyLocal(const MemoryPlan &memory, const BufferLifetimes &lifetimes);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_ADDRESSES_APPLIEDPLAN_H
