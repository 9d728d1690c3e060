// SPDX-License-Identifier: Apache-2.0
//
// The memory that the tensors of a block are in once they are buffers, for
// passes that decide on tensors what an arena will take.

#ifndef MLI_LIB_TRANSFORMS_ORDERING_TENSORMEMORY_H
#define MLI_LIB_TRANSFORMS_ORDERING_TENSORMEMORY_H

#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace mli {

/// Whether the result of `op` is its first operand, or a slice of it.
bool isView(mlir::Operation *op);

/// Whether `op` is the same wherever it stands and takes no time: a view, a
/// `tensor.empty`, a constant, or the computation of an index.
bool isFreelyMovable(mlir::Operation *op);

/// The memory of the tensors of a block, once they are buffers.
class TensorMemory {
public:
  using Numbers = llvm::SmallVector<int32_t>;

  struct Memory {
    /// Whether the function has to give the memory itself.
    bool isOwn() const { return !isOutside && !isReturned; }
    /// Bytes of all of it; nothing if they are not known.
    std::optional<int64_t> getBytes() const;

    /// A tensor that is all of it: the first one, or what it is outside of the
    /// block.
    mlir::Value tensor;
    /// Whether it is a constant, or from outside of the block.
    bool isOutside = false;
    /// Whether nothing writes it: an argument of the function, or a constant.
    bool isReadOnly = false;
    /// Whether the function returns it, in memory of its caller.
    bool isReturned = false;
    /// Whether operations write over what was written before them, so that
    /// those that use it stay in their order.
    bool isOverwritten = false;
  };

  /// The operations of `concatenated` write slices that do not overlap.
  explicit TensorMemory(
      mlir::Block &block,
      const llvm::SmallPtrSetImpl<mlir::Operation *> &concatenated =
          llvm::SmallPtrSet<mlir::Operation *, 1>());

  llvm::ArrayRef<Memory> getMemories() const { return memories; }
  /// The memories that `op` reads or changes, and those that its results are
  /// in; each once, in the order of its operands or results.
  Numbers getRead(mlir::Operation *op) const;
  Numbers getWritten(mlir::Operation *op) const;
  /// The memories, of as many bytes, that a kernel may compute its result over
  /// where it is the last that uses them.
  Numbers getReplaceable(mlir::Operation *op) const;
  /// The memory of `value`; -1 if it is no tensor of the block, nor one that
  /// the block uses.
  int32_t lookup(mlir::Value value) const;

private:
  int32_t add(const Memory &memory);
  void addOutside(mlir::Value value);
  void addResult(mlir::OpResult result, bool isConcatenated);
  void markReturned();

  mlir::Block &block;
  llvm::SmallVector<Memory> memories;
  llvm::DenseMap<mlir::Value, int32_t> memoryNumbers;
};

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_ORDERING_TENSORMEMORY_H
