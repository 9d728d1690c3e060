// SPDX-License-Identifier: Apache-2.0
//
// When the buffers of a function hold data, and what memory that takes.

#ifndef MLI_ANALYSIS_BUFFERLIFETIMES_H
#define MLI_ANALYSIS_BUFFERLIFETIMES_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace mli {

/// A buffer between its `memref.alloc` and its `memref.dealloc`.
struct LiveRange {
  mlir::Value buffer;
  /// Half-open, in positions of operations in program order, the first of which
  /// is 0. A buffer that is never freed lives to the end of the function.
  int64_t begin = 0, end = 0;
  /// Size in bytes.
  int64_t bytes = 0;
};

/// The memory of one function on buffers.
struct BufferLifetimes {
  /// What the function allocates, in program order. A loop's body counts once:
  /// its buffers are freed before they are allocated again.
  llvm::SmallVector<LiveRange> ranges;
  /// Bytes of the arguments, which are the results' buffers as well.
  int64_t argumentBytes = 0;
  /// Bytes of constants, equal ones counted once.
  int64_t constantBytes = 0;

  /// Bytes of all ranges.
  int64_t getTotalBytes() const;
  /// The most bytes that live at once.
  int64_t getPeakBytes() const;
};

/// The lifetimes in `function`; fails, without a diagnostic, where the size of
/// a buffer is not known at compile time.
llvm::FailureOr<BufferLifetimes>
getBufferLifetimes(mlir::func::FuncOp function);

} // namespace mli

#endif // MLI_ANALYSIS_BUFFERLIFETIMES_H
