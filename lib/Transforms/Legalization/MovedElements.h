// SPDX-License-Identifier: Apache-2.0
//
// What a tensor is made of by operations that move elements and look at none:
// slices, permutations, reshapes, moves, and what puts parts together.

#ifndef MLI_LIB_TRANSFORMS_LEGALIZATION_MOVEDELEMENTS_H
#define MLI_LIB_TRANSFORMS_LEGALIZATION_MOVEDELEMENTS_H

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mli {

/// The operands of `op` whose elements its result consists of, a whole before
/// the part that is put into it. None if `op` does anything but move elements.
llvm::SmallVector<mlir::OpOperand *> getMovedOperands(mlir::Operation *op);

/// The block of a whole that `init`, an operand that is written only, is to be
/// computed in; null if that is none, or has other uses.
SubtensorOp getPlace(mlir::OpOperand &init);

/// Whether one operation uses the elements of `value`; others may see places in
/// it that they compute a part in.
bool isMovedOnce(mlir::Value value);

/// A value and what is behind it: operations with one use each, but for places,
/// in its block, and the values that they begin with.
struct MovedElements {
  explicit MovedElements(mlir::Value value);

  /// Erases what nothing uses, and what that was written to.
  void eraseDead(mlir::RewriterBase &rewriter) const;

  /// All of them: producers before users, and a whole before the part that is
  /// put into it.
  llvm::SetVector<mlir::Value> values;
  /// What they begin with, and how often.
  llvm::MapVector<mlir::Value, unsigned> sources;
};

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_LEGALIZATION_MOVEDELEMENTS_H
