// SPDX-License-Identifier: Apache-2.0
//
// The steps of mli-assign-layouts: the buffers without a layout, the usage that
// decides the layout of each, copies for kernels that do not take it, and the
// NPUs that buffers may start on.

#ifndef MLI_LIB_TRANSFORMS_LOCALMEMORY_ASSIGNLAYOUTS_H
#define MLI_LIB_TRANSFORMS_LOCALMEMORY_ASSIGNLAYOUTS_H

#include "Transforms/Slicing/CopyRemarks.h"

#include "mli/Analysis/LocalNeed.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace mli {

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Values that have one type, as control flow forwards one as another.
struct LocalValues {
  llvm::SmallVector<mlir::Value, 1> values;
  /// The allocations of some of them in program order; none for views.
  llvm::SmallVector<mlir::Operation *, 1> allocations;
  /// The uses by operations that read or write elements.
  llvm::SmallVector<mlir::OpOperand *> uses;
  /// The slices and reshapes of them.
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

/// The buffers of `function` in local memory that have no layout. Fails, with
/// an error, on those that are not allocated in it, or that an operation uses
/// that takes no layout.
mlir::FailureOr<LocalBuffers> findLocalBuffers(mlir::func::FuncOp function);

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// The description of a buffer of `type` for the layout policy.
layout::LocalTensorDesc getUse(mlir::MemRefType type,
                               layout::OperandUsage role);

/// The role of each of `buffers.all`, of static shape: the one for which the
/// fewest bytes are copied for kernels with another contract. A kernel without
/// a contract gives the role of one operand to the others of the same shape.
std::vector<layout::OperandUsage>
chooseUsages(const LocalBuffers &buffers, const layout::Target &target,
             const layout::PolicyOptions &options);

/// The target and the options of the layout policy.
struct RelayoutRules {
  layout::Target target;
  layout::PolicyOptions options;
};

/// Lets the kernel of `use` work on a copy in a layout of its contract if it
/// does not take that of its operand. Emits an error if no move can create it.
void relayoutUse(mlir::OpOperand &use, const RelayoutRules &rules,
                 CopyRemarks &remarks);

/// The type of `op`, a reshape of a buffer of type `source` with an
/// `#mli.layout`, as a view of it; null if there is none.
mlir::MemRefType findReshapedType(ReshapeOp op, mlir::MemRefType source,
                                  const RelayoutRules &rules);

/// Lets the users of `op`, which is no view of its source, work on copies
/// through system memory. Emits an error on a user that neither reads nor
/// writes it.
void copyReshape(ReshapeOp op, const RelayoutRules &rules,
                 CopyRemarks &remarks);

/// Sets the NPUs on which each scattered `mli.alloc` in `function` without an
/// address or a choice may start: those on which it takes the fewest bytes and
/// every view of it is legal. The operands of one kernel start on one NPU.
void assignStartNpus(mlir::func::FuncOp function, const layout::Target &target);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_LOCALMEMORY_ASSIGNLAYOUTS_H
