// SPDX-License-Identifier: Apache-2.0
//
// The data movement that mli-legalize-conversions moves converts across: the
// backward slice of a tensor through slices, permutations, reshapes, moves,
// concatenations and insertions.

#ifndef MLI_LIB_TRANSFORMS_LEGALIZATION_DATAMOVEMENT_H
#define MLI_LIB_TRANSFORMS_LEGALIZATION_DATAMOVEMENT_H

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mli {

/// The operands of `op` whose elements its result consists of, the destination
/// of an insertion before its source. None if `op` does more than move
/// elements.
llvm::SmallVector<mlir::OpOperand *> getMovedOperands(mlir::Operation *op);

/// The slice of a destination tensor that `init`, an operand that is written
/// only, is; null if it is none or has other uses.
SubtensorOp getDestinationSlice(mlir::OpOperand &init);

/// Whether one operation uses the elements of `value`, besides destination
/// slices of it.
bool isMovedOnce(mlir::Value value);

/// The data movement that computes a value: operations of its block with one
/// use each, besides destination slices, and the values that they start from.
struct DataMovement {
  explicit DataMovement(mlir::Value value);

  /// Erases the operations that nothing uses, and their destinations.
  void eraseDead(mlir::RewriterBase &rewriter) const;

  /// All values, producers before users, and the destination of an insertion
  /// before its source.
  llvm::SetVector<mlir::Value> values;
  /// The values that the data movement starts from, with the number of their
  /// uses in it.
  llvm::MapVector<mlir::Value, unsigned> sources;
};

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_LEGALIZATION_DATAMOVEMENT_H
