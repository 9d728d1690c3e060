// SPDX-License-Identifier: Apache-2.0
//
// Which values are in local memory, and from when to when: decided for a whole
// function before anything is changed.

#ifndef MLI_LIB_TRANSFORMS_LOCALMEMORY_MOVEPLAN_H
#define MLI_LIB_TRANSFORMS_LOCALMEMORY_MOVEPLAN_H

#include "MoveNeeds.h"

namespace mli {

/// A value in local memory for a time.
struct LocalCopy {
  LocalCopy(mlir::Value value, const LocalLayout &layout)
      : value(value), layout(layout) {}

  /// On tensors in system memory.
  mlir::Value value;
  LocalLayout layout;
  /// Where it is moved in; null for the result of a kernel.
  mlir::Operation *movedBefore = nullptr;
  /// Whether it waits for a loop that reads it in each round.
  bool isHoisted = false;
  /// Whether the kernel that it is moved in for writes its result over it.
  bool isOverwritten = false;
  /// Of a result: whether it goes to system memory, and whether only for want
  /// of local memory.
  bool isMovedOut = false, isSpilled = false;
  /// The operands that see it.
  llvm::SmallVector<mlir::OpOperand *, 2> uses;
  /// When it is there, in the time of the steps.
  int64_t begin = 0, end = 0;
};

/// All copies of a function, in program order.
using MovePlan = std::vector<LocalCopy>;

/// Decides for a function that has `needs`: what stays in local memory, so that
/// the planner of addresses finds places for all of it, if there are any.
MovePlan planMoves(const MoveNeeds &needs, const layout::Target &target);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_LOCALMEMORY_MOVEPLAN_H
