// SPDX-License-Identifier: Apache-2.0
//
// The steps of mli-assign-addresses: the order of functions, explaining a plan
// that failed, moving buffers to other banks, and applying a plan. The
// loop-carried buffers of mli-double-buffer.

#ifndef MLI_LIB_TRANSFORMS_ADDRESSES_ADDRESSES_H
#define MLI_LIB_TRANSFORMS_ADDRESSES_ADDRESSES_H

#include "mli/Analysis/MemoryAnalysis.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace mli {

/// The functions of `module` that have a body, callees first. Diagnoses those
/// that call themselves, or that are used other than by calls.
mlir::FailureOr<llvm::SmallVector<mlir::func::FuncOp>>
sortByCalls(mlir::ModuleOp module);

/// An error on `function`, in which `memory` has no plan that fits: bytes
/// required and available; the buffers that are live at peak usage and where
/// the lowest plan has them; those that can not be together; what would help.
mlir::LogicalResult reportConflict(mlir::func::FuncOp function,
                                   const MemoryPlan &memory,
                                   const allocation::PlannerOptions &options);

struct BankRules {
  /// Whether buffers move at all.
  bool separates = true;
  /// Whether remarks report which banks are shared.
  bool explains = false;
};

/// Moves the buffers of `memory`, the local one of `function`, to where fewer
/// of those that are used at one time share a bank, up to `limit`.
void separateBanks(mlir::func::FuncOp function, MemoryPlan &memory,
                   int64_t limit, const BankRules &rules);

/// Creates a view of type `type` at byte `offset` of `arena`, as buffer
/// `number` of its function.
mlir::Value createArenaView(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::MemRefType type, mlir::Value arena,
                            int64_t offset, int64_t number);

/// Makes views of `arena` of the buffers of `memory`; calls keep their offsets
/// in `frames`.
void applySystem(const MemoryPlan &memory, mlir::Value arena,
                 llvm::DenseMap<mlir::Operation *, int64_t> &frames);

/// Gives each buffer of `memory` its address, and all that sees it the type of
/// its start NPU. It is allocated where it begins to hold data, by `lifetimes`,
/// those that were planned.
void applyLocal(const MemoryPlan &memory, const BufferLifetimes &lifetimes);

/// Replaces a buffer that each iteration of an `scf.for` allocates and yields,
/// and that lives until the end of the next iteration only, by two that are
/// allocated before the loop and alternate, so that each has one address.
void alternateCarriedBuffers(mlir::func::FuncOp function);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_ADDRESSES_ADDRESSES_H
