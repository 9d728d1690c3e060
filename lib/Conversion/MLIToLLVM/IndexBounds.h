// SPDX-License-Identifier: Apache-2.0
//
// convert-mli-to-llvm finds here which offsets of slices need no check.

#ifndef MLI_LIB_CONVERSION_MLITOLLVM_INDEXBOUNDS_H
#define MLI_LIB_CONVERSION_MLITOLLVM_INDEXBOUNDS_H

#include "mli/IR/MLI.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

namespace mli {

/// Ranges of integers in functions whose loops and conditions are blocks. They
/// follow from constants, from the start and step of induction variables, and
/// from the comparisons with constants whose branches lead to a block, which
/// upstream's integer range analysis does not read. A sum that is said to have
/// no overflow is taken to have none: else its value is poison.
class IndexBounds {
public:
  /// The signed range of `value`, an integer or index, in `block`, which it
  /// dominates: that of its type if nothing is known.
  mlir::ConstantIntRanges getRange(mlir::Value value, mlir::Block *block) {
    return getRange(value, block, maxDepth);
  }

private:
  /// Longer expressions have any value; the time for one is exponential in it.
  static constexpr unsigned maxDepth = 6;
  /// Of the blocks between a value and its use, conditions of more are not
  /// read.
  static constexpr unsigned maxBlocks = 100;
  /// Arguments of blocks with more predecessors than a loop has any value.
  static constexpr ptrdiff_t maxPredecessors = 2;

  mlir::ConstantIntRanges getRange(mlir::Value value, mlir::Block *block,
                                   unsigned depth);
  mlir::ConstantIntRanges inferRange(mlir::InferIntRangeInterface op,
                                     mlir::Value result, mlir::Block *block,
                                     unsigned depth);
  mlir::ConstantIntRanges getArgumentRange(mlir::BlockArgument argument,
                                           unsigned depth);
  bool isIncreased(mlir::Value next, mlir::BlockArgument argument,
                   mlir::Block *block);
  mlir::ConstantIntRanges narrow(mlir::ConstantIntRanges range,
                                 mlir::Value value, mlir::Block *block);

  mlir::DominanceInfo dominance;
};

/// The dimensions of the slices in `module` whose offsets are values that have
/// been proven to be in the source, with all elements of the slice.
class ProvenOffsets {
public:
  explicit ProvenOffsets(mlir::ModuleOp module);

  bool contains(SubtensorOp slice, int64_t dim) const {
    return proven.contains({slice, dim});
  }

private:
  llvm::DenseSet<std::pair<mlir::Operation *, int64_t>> proven;
};

} // namespace mli

#endif // MLI_LIB_CONVERSION_MLITOLLVM_INDEXBOUNDS_H
