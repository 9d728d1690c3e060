// SPDX-License-Identifier: Apache-2.0
//
// The last step of mli-assign-addresses: applies plans to the buffers.

#ifndef MLI_LIB_TRANSFORMS_ADDRESSES_APPLIEDPLAN_H
#define MLI_LIB_TRANSFORMS_ADDRESSES_APPLIEDPLAN_H

#include "mli/Analysis/MemoryAnalysis.h"

#include "mlir/IR/Builders.h"

namespace mli {

/// Creates a view of type `type` at byte `offset` of `arena`, as buffer
/// `number` of its function.
mlir::Value createArenaView(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::MemRefType type, mlir::Value arena,
                            int64_t offset, int64_t number);

/// Replaces the buffers of `memory` by views of `arena`. Records the offsets of
/// the arenas of calls in `frames`.
void applySystem(const MemoryPlan &memory, mlir::Value arena,
                 llvm::DenseMap<mlir::Operation *, int64_t> &frames);

/// Gives each buffer of `memory` its address, and all views of it the type of
/// its start NPU. Allocates it where its live range in `lifetimes` begins.
void applyLocal(const MemoryPlan &memory, const BufferLifetimes &lifetimes);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_ADDRESSES_APPLIEDPLAN_H
