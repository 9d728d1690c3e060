// SPDX-License-Identifier: Apache-2.0
//
// What an advance of a ring on buffers moves, which calls no function: a value
// that knows neither LLVM nor C.

#ifndef MLI_CALLS_ROWSHIFT_H
#define MLI_CALLS_ROWSHIFT_H

#include "mli/Calls/Call.h"

namespace mli::calls {

/// The rows that move up. For each index of `others` they are `count` runs of
/// `elements` elements, one a row, which move in the order of rows.
struct RowShift {
  int64_t dim;      ///< whose indices are the rows
  int64_t count;    ///< rows that stay
  int64_t distance; ///< rows that each moves by
  int64_t elements; ///< of a row that are side by side
  /// Whether the rows are side by side too: one move can be all of them.
  bool isContiguous;
  /// Other dimensions of several indices, whose elements have gaps between
  /// them: those before the rows, and those in the rows.
  llvm::SmallVector<int64_t, 2> others;
};

/// The shift of `op` in a buffer with `strides`, in elements. One that is
/// dynamic counts as a gap.
RowShift getRowShift(AdvanceOp op, llvm::ArrayRef<int64_t> strides);

/// The same as two blocks of a ring, for one whose elements have no strides.
struct RingBlocks {
  explicit RingBlocks(AdvanceOp op);

  llvm::SmallVector<int64_t> from, to, sizes;

  Part getSource() const { return {from, sizes}; }
  Part getTarget() const { return {to, sizes}; }
};

} // namespace mli::calls

#endif // MLI_CALLS_ROWSHIFT_H
