// SPDX-License-Identifier: Apache-2.0
//
// The buffers in local memory of a function that have no layout yet, and all
// that sees them.

#ifndef MLI_LIB_TRANSFORMS_LOCALMEMORY_LOCALBUFFERS_H
#define MLI_LIB_TRANSFORMS_LOCALMEMORY_LOCALBUFFERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace mli {

/// Values that have one type: control flow hands one on as another.
struct LocalValues {
  llvm::SmallVector<mlir::Value, 1> values;
  /// What allocates some of them, in program order; none of views.
  llvm::SmallVector<mlir::Operation *, 1> allocations;
  /// By what reads and writes elements.
  llvm::SmallVector<mlir::OpOperand *> uses;
  /// What makes views of them: slices and reshapes.
  llvm::SmallVector<mlir::Operation *> views;

  mlir::MemRefType getType() const {
    return mlir::cast<mlir::MemRefType>(values.front().getType());
  }
};

struct LocalBuffers {
  /// In program order.
  std::vector<LocalValues> all;
  /// The index in `all` of each value.
  llvm::DenseMap<mlir::Value, unsigned> indexOf;
};

/// The local buffers of `function`. Diagnoses what comes from elsewhere, or
/// goes where a layout can not follow.
mlir::FailureOr<LocalBuffers> findLocalBuffers(mlir::func::FuncOp function);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_LOCALMEMORY_LOCALBUFFERS_H
