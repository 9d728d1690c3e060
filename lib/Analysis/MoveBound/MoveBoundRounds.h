// SPDX-License-Identifier: Apache-2.0
//
// The rounds in which sums over channels run where local memory is small.

#ifndef MLI_LIB_ANALYSIS_MOVEBOUND_MOVEBOUNDROUNDS_H
#define MLI_LIB_ANALYSIS_MOVEBOUND_MOVEBOUNDROUNDS_H

#include "llvm/ADT/ArrayRef.h"

namespace mli::movebound {

/// A kernel of a segment that sums over all channels of a map.
struct Sum {
  int64_t weightBytes;
  /// Bytes of its map and of what is gathered of its result: as much of them as
  /// belongs to one round is in local memory at one time.
  int64_t blockBytes;
  /// Bytes of its map that the segment moves in.
  int64_t movedBytes;
  int64_t positions;
};

/// Bytes of local memory that a segment has, and those of them that whole
/// values take at one of its ends.
struct SegmentRoom {
  int64_t all, held;
};

/// How exactly `countMovedAgain` looks.
struct RoundsBudget {
  /// Intervals of the bytes that weights keep.
  int64_t pieces;
  /// Sums that may be looked at still.
  int64_t steps;
};

/// The bytes at least that `sums`, of one segment, move again: their weights in
/// all rounds but the first, or their maps. It stops at `limit` or more.
int64_t countMovedAgain(llvm::ArrayRef<Sum> sums, const SegmentRoom &room,
                        int64_t limit, RoundsBudget &budget);

} // namespace mli::movebound

#endif // MLI_LIB_ANALYSIS_MOVEBOUND_MOVEBOUNDROUNDS_H
