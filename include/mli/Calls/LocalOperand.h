// SPDX-License-Identifier: Apache-2.0
//
// What a call gets of local memory: the memory itself where strides describe
// it, as on one NPU, else a copy in plain memory.

#ifndef MLI_CALLS_LOCALOPERAND_H
#define MLI_CALLS_LOCALOPERAND_H

#include "mli/Calls/LocalPlace.h"

namespace mli::calls {

/// How a call gets a block of a buffer in local memory.
struct LocalOperand {
  /// The block or, where that has no layout of its own, all of the buffer.
  LocalPlace place;
  /// Whether the call gets the memory itself.
  bool isView = false;
  /// Whether a copy is gathered before the call, and scattered after it.
  bool isGathered = false, isScattered = false;
  /// Whether the call gets a block of the copy: `shape` elements from `first`
  /// on, at `strides`.
  bool isPart = false;
  int64_t first = 0;
  llvm::SmallVector<int64_t> shape = {}, strides = {};

  /// Elements of the copy.
  int64_t countElements() const;
};

LocalOperand getLocalOperand(mlir::MemRefType memref, Part block, Access access,
                             const layout::Target &target);

/// A move whose elements keep their order, into or out of local memory: a copy
/// of one block, which calls of mli_local.h make.
struct LocalMove {
  llvm::ArrayRef<int64_t> sourceOffsets = {}, targetOffsets = {};
  llvm::SmallVector<int64_t> sizes = {};
  bool isToLocal = false;
  /// Where the side in local memory lies: of two, the target.
  LocalPlace place = {};

  Part getSource() const { return {sourceOffsets, sizes}; }
  Part getTarget() const { return {targetOffsets, sizes}; }
};

/// The move that `op`, on buffers, is; none if it is another one, or its block
/// has no layout of its own.
std::optional<LocalMove> findLocalMove(MovOp op);
/// The same of a copy of all elements with a side in local memory.
LocalMove getLocalMove(mlir::memref::CopyOp op);

/// The plain memory that copies of one call have, one after the other.
class CopyMemory {
public:
  static constexpr int64_t alignment = 64;

  /// Where the next `bytes` bytes are.
  int64_t take(int64_t bytes);
  int64_t getBytes() const { return end; }

private:
  int64_t end = 0;
};

} // namespace mli::calls

#endif // MLI_CALLS_LOCALOPERAND_H
