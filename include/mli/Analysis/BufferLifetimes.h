// SPDX-License-Identifier: Apache-2.0
//
// When the buffers of a function hold data, and what memory that takes.

#ifndef MLI_ANALYSIS_BUFFERLIFETIMES_H
#define MLI_ANALYSIS_BUFFERLIFETIMES_H

#include "mli/Allocation/Problem.h"
#include "mli/IR/TensorSize.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace mli {

/// The arena of `function`; null if it has none.
mlir::BlockArgument findArena(mlir::func::FuncOp function);

/// The divisor of the address of an arena for any function of `module`; 1 where
/// no addresses are assigned.
int64_t getArenaAlignment(mlir::Operation *module);

/// The byte at which `buffer` starts in an arena; nothing if none is known.
std::optional<int64_t> getArenaOffset(mlir::Value buffer);

/// `value`, or the buffer or tensor that it is all of in another shape, through
/// any number of `mli.reshape`.
mlir::Value stripReshapes(mlir::Value value);

/// The data of `op` if it is a constant buffer that a run reads; else null.
mlir::Attribute findConstantData(mlir::Operation *op);

/// A buffer: what `memref.alloc`, `memref.alloca` or `mli.alloc` returns, or a
/// part of the arena.
struct LiveRange {
  mlir::Value buffer;
  /// The interval from the first operation that uses it, or a view of it, to
  /// after the last, in positions of operations in program order, the first of
  /// which is 0. A buffer allocated before a loop and used in it is live all
  /// through the loop; one used within `mli.parallel`, all through it. Empty if
  /// nothing uses it.
  Interval live;
  /// The first operation that uses it; null if none does.
  mlir::Operation *firstUser = nullptr;
  /// Size in bytes, of elements without gaps; 0 if not known.
  int64_t bytes = 0;
  /// The buffer and all that may be a view of it, the order without meaning.
  llvm::SmallVector<mlir::Value> aliases;
  /// The reason why the buffer can not have a fixed address, in the form `to
  /// <condition>, but got <value>`; empty if it can.
  llvm::StringRef obstacle;
};

/// The memory of one function on buffers.
struct BufferLifetimes {
  /// The ranges in program order.
  llvm::SmallVector<LiveRange> ranges;
  /// Ranges of the memrefs that the caller passes, but for the arena: from the
  /// start where the function may read them, to the end where it writes them.
  llvm::SmallVector<LiveRange> arguments;
  /// The position of each operation, up to after its regions.
  llvm::DenseMap<mlir::Operation *, Interval> positions;
  /// Bytes of the arguments, which are the results' buffers as well, but not
  /// the arena.
  int64_t argumentBytes = 0;
  /// Bytes of constants, equal ones counted once.
  int64_t constantBytes = 0;
  /// Whether the size of all of these is known at compile time.
  bool areSizesKnown = true;

  /// Bytes of all ranges.
  int64_t getTotalBytes() const;
  /// The most bytes that live at once.
  int64_t getPeakBytes() const;
};

/// The lifetimes in `function`. Takes linear time where buffers are not handed
/// from one loop to the next.
BufferLifetimes getBufferLifetimes(mlir::func::FuncOp function);

} // namespace mli

#endif // MLI_ANALYSIS_BUFFERLIFETIMES_H
