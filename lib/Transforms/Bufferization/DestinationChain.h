// SPDX-License-Identifier: Apache-2.0
//
// Tensors that mli-bufferize knows to be one buffer without an analysis.

#ifndef MLI_LIB_TRANSFORMS_BUFFERIZATION_DESTINATIONCHAIN_H
#define MLI_LIB_TRANSFORMS_BUFFERIZATION_DESTINATIONCHAIN_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mli {

/// The tensors that a buffer holds one after the other, each of which hands the
/// buffer on to the next one. A tensor has two kinds of uses. It is read by
/// kernels, directly or through slices whose strides they take. It is handed on
/// by
/// - a kernel of one result that has it as destination: to the result;
/// - the insertion of what one kernel computes into the slice that is inserted,
///   where nothing else uses this slice and this result: to the result;
/// - a condition, each branch of which hands it on, if at all, and yields the
///   last tensor, as the same result: to that result;
/// - a loop that it is the initial value of, whose body hands the argument on,
///   if at all, and yields the last tensor in the same place: to the result.
///
/// One operation of a block hands a tensor on in the block, itself or in a
/// region: what two branches of a condition do excludes each other, while no
/// body of a loop and no other region hands on a tensor from outside of it. All
/// reads in the block run before that operation begins to write: they are
/// before it or, if it is an insertion, before the slice. A kernel that hands
/// on what it reads itself must be one that computes in place, and a condition
/// may read it before its branch hands it on. A tensor that is used in another
/// way is the last one.
///
/// So each tensor is complete when it is read, and none is read any more when
/// the buffer is written again.
class DestinationChain {
public:
  /// Follows the chain from `first` on, in the block that it is defined in.
  explicit DestinationChain(mlir::Value first);

  /// The last tensor; `first` if nothing hands that on.
  mlir::Value getLast() const { return last; }
  bool isOnlyFirst() const { return tensors.size() == 1; }
  /// Whether `use` is a read as defined above.
  static bool isRead(mlir::OpOperand &use);
  /// Replaces the tensors by the buffer of `empty`, the first one. Where the
  /// last one is used in other ways, it remains a tensor, which is in the
  /// buffer.
  void bufferize(mlir::tensor::EmptyOp empty);

private:
  /// A kernel that writes to the buffer, or to a slice of it that is inserted.
  struct Write {
    mlir::Operation *kernel;
    mlir::Operation *slice = nullptr;
    mlir::Operation *insertion = nullptr;
  };

  mlir::Value follow(mlir::Value tensor, mlir::Block *block);
  mlir::Value findNext(mlir::Value tensor, mlir::Block *block);
  mlir::Value followKernel(mlir::OpOperand &use);
  mlir::Value followInsertion(mlir::tensor::InsertSliceOp insert);
  mlir::Value followCondition(mlir::Value tensor, mlir::scf::IfOp condition);
  mlir::Value followLoop(mlir::OpOperand &use);
  void keepLast(mlir::Value buffer);

  llvm::SmallVector<mlir::Value> tensors;
  llvm::SmallVector<Write> writes;
  mlir::Value last;
};

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_BUFFERIZATION_DESTINATIONCHAIN_H
