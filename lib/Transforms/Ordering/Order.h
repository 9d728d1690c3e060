// SPDX-License-Identifier: Apache-2.0
//
// The steps of mli-order: what of a block may run in which order, and applying
// an order.

#ifndef MLI_LIB_TRANSFORMS_ORDERING_ORDER_H
#define MLI_LIB_TRANSFORMS_ORDERING_ORDER_H

#include "TensorMemory.h"

#include "mli/Ordering/Ordering.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseSet.h"

#include <string>

namespace mli {

//===----------------------------------------------------------------------===//
// Concatenations
//===----------------------------------------------------------------------===//

/// The insertion of one operand of a concatenation.
struct InsertedOperand {
  mlir::tensor::InsertSliceOp insert;
  /// The slice of the destination that a kernel computes the operand into; null
  /// if the insertion copies it.
  mlir::Operation *slice = nullptr;
};

/// The operation that writes `operand` into its destination.
mlir::Operation *getWriter(const InsertedOperand &operand);

/// Insertions into an empty tensor that do not overlap, in the order of the
/// file. Nothing but the next one uses the tensor in between, so they may come
/// in any order.
using Concatenation = llvm::SmallVector<InsertedOperand>;

/// The concatenations of `block`.
llvm::SmallVector<Concatenation> findConcatenations(mlir::Block &block);

/// Lets the insertions of `operands` follow each other in the order of `order`,
/// numbers of `operands`. Operations stay where they are.
void relink(const Concatenation &operands, llvm::ArrayRef<size_t> order);

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// The steps of a block as a problem of the search.
class BlockGraph {
public:
  /// `getBytes` returns the bytes of the arena that an operation takes while it
  /// runs, besides its operands.
  BlockGraph(mlir::Block &block,
             llvm::function_ref<int64_t(mlir::Operation *)> getBytes);

  /// The reason why bytes are not known, as `expected <condition>, but got
  /// <value>`; empty if they are.
  const std::string &getObstacle() const { return obstacle; }
  const ordering::Problem &getProblem() const { return problem; }

  /// Moves the operations of the block into `order`. What is freely movable
  /// stays in front of the step that it is in front of, if it can, and is in
  /// front of its first user otherwise.
  void apply(llvm::ArrayRef<int32_t> order);

private:
  using Steps = llvm::SmallVector<int32_t, 2>;
  struct BlockStep {
    /// Null for the end of a concatenation, where all operands are there.
    mlir::Operation *op;
    /// The concatenated tensor at its end.
    mlir::Value complete = {};
  };

  void addOperation(mlir::Operation *op);
  int32_t addStep(BlockStep step);
  void addConcatenationEnd(const Concatenation &operands);
  void orderEffects();
  void connectEnd();
  void addBuffers(const TensorMemory &memory);
  void addReplaceable(mlir::Operation *op, const TensorMemory &memory);
  Steps findSources(mlir::Operation *op) const;
  void relinkAll(llvm::ArrayRef<int32_t> order);

  mlir::Block &block;
  llvm::SmallVector<Concatenation> concatenations;
  /// The concatenation that an insertion, or its slice, belongs to.
  llvm::DenseMap<mlir::Operation *, const Concatenation *> concatenationsByOp;
  /// Insertions of what a kernel has computed in its place, which do nothing.
  llvm::DenseSet<mlir::Operation *> placed;
  ordering::Problem problem;
  llvm::SmallVector<BlockStep> steps;
  llvm::DenseMap<mlir::Operation *, int32_t> stepNumbers;
  /// The steps that the results of an operation wait for: itself, if it is one.
  llvm::DenseMap<mlir::Operation *, Steps> sources;
  std::string obstacle;
};

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_ORDERING_ORDER_H
