// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-legalize-subtensors: concatenations, insertions and paddings
// disappear, as the producer of each operand writes a slice of the destination
// tensor. One-shot bufferization then finds that the insertion copies nothing.
// An operand that no kernel computes is moved to its slice.

#ifndef MLI_LIB_TRANSFORMS_SLICING_DESTINATIONPASSING_H
#define MLI_LIB_TRANSFORMS_SLICING_DESTINATIONPASSING_H

#include "CopyRemarks.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mli {

/// An operand of a concatenation, an insertion or a padding, and its offsets in
/// the destination tensor.
struct InsertedValue {
  mlir::Value value;
  llvm::SmallVector<mlir::OpFoldResult> offsets;
  /// The number of the operand, for diagnostics.
  int64_t number = 0;
  /// Why it is moved if no kernel computes it; found by itself if not given.
  std::optional<CopyCause> cause = {};
};

/// The operations that compute an inserted value.
struct Producer {
  /// The inits that the destination slice replaces: that of one kernel, or all
  /// uses of the empty tensor of an inner destination.
  llvm::SmallVector<mlir::OpOperand *> inits;
  /// The operation before which the destination slice has to stand.
  mlir::Operation *first;
  /// The result, which is the inserted value but for reshapes.
  mlir::Value value;
};

/// A slice of the destination tensor for a producer, and what is inserted into
/// the destination after it.
struct DestinationSlice {
  mlir::Value slice;
  InsertedValue inserted;
  /// The sizes of the insertion where the destination has more dimensions.
  llvm::SmallVector<mlir::OpFoldResult> sizes;
};

/// Folds concat, insert_slice and pad into the destinations of their producers.
class DestinationPassingRewriter {
public:
  DestinationPassingRewriter(mlir::ModuleOp module, CopyRemarks &remarks)
      : rewriter(module.getContext()), remarks(remarks) {
    int64_t next = 0;
    module.walk<mlir::WalkOrder::PreOrder>(
        [&](mlir::Operation *op) { positions[op] = next++; });
  }

  void fold(mlir::tensor::ConcatOp op);
  void fold(mlir::tensor::InsertSliceOp op);
  void fold(mlir::tensor::PadOp op);

private:
  std::optional<Producer> findProducer(mlir::Value value, mlir::Block *block);
  /// A slice of `destination` for `inserted`, whose shape is static.
  mlir::Value createSlice(mlir::Value destination,
                          const InsertedValue &inserted);
  /// A slice of `destination` for `inserted` in the shape that `producer`
  /// writes.
  DestinationSlice createDestinationSlice(mlir::Value destination,
                                          const InsertedValue &inserted,
                                          const Producer &producer);
  /// Whether `producer` writes, and all other readers of `inserted` than
  /// `inserter` read, with the strides of its slice of a buffer of type
  /// `destination`.
  bool takesSlice(const Producer &producer, mlir::RankedTensorType destination,
                  const InsertedValue &inserted, mlir::Operation *inserter);
  bool areAvailable(llvm::ArrayRef<mlir::OpFoldResult> offsets,
                    const Producer &producer) const;
  /// Lets `producer` write `slice`.
  void redirect(const Producer &producer, mlir::Value slice);
  mlir::tensor::InsertSliceOp
  createInsertion(mlir::Value destination, const InsertedValue &inserted,
                  llvm::ArrayRef<mlir::OpFoldResult> givenSizes = {});
  /// Creates the tensor of `type` and `sizes` that `op` makes of `values`:
  /// producers that can write their slice of it do so, the other values are
  /// moved there before `op`.
  mlir::Value buildDestination(mlir::Operation *op, mlir::RankedTensorType type,
                               llvm::ArrayRef<mlir::OpFoldResult> sizes,
                               llvm::ArrayRef<InsertedValue> values);
  /// Moves the reshapes between `result` and `value` to the producer of
  /// `result`.
  void hoistReshapes(mlir::Value value, mlir::Value result);
  /// Replaces `op` by `value`, a new one, which takes over its position.
  void replace(mlir::Operation *op, mlir::Value value) {
    positions[value.getDefiningOp()] = position(op);
    positions.erase(op);
    rewriter.replaceOp(op, value);
  }
  /// Replaces `op` by its operand `value`.
  void replaceByOperand(mlir::Operation *op, mlir::Value value) {
    positions.erase(op);
    rewriter.replaceOp(op, value);
  }
  void eraseIfDead(mlir::Value value) {
    mlir::Operation *op = value.getDefiningOp();
    if (!op || !mlir::isOpTriviallyDead(op))
      return;
    positions.erase(op);
    rewriter.eraseOp(op);
  }
  int64_t position(mlir::Operation *op) const {
    auto found = positions.find(op);
    return found == positions.end() ? INT64_MAX : found->second;
  }

  mlir::IRRewriter rewriter;
  CopyRemarks &remarks;
  /// Numbers in program order. A new operation has the number of the one that
  /// it stands after.
  llvm::DenseMap<mlir::Operation *, int64_t> positions;
  /// The empty tensor that each destination built here starts as.
  llvm::DenseMap<mlir::Value, mlir::tensor::EmptyOp> destinations;
};

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_SLICING_DESTINATIONPASSING_H
