// SPDX-License-Identifier: Apache-2.0
//
// Buffers that are views of one another merged into blocks of storage.

#ifndef MLI_LIB_ALLOCATION_BLOCKS_H
#define MLI_LIB_ALLOCATION_BLOCKS_H

#include "Allocation/LegalOffsets.h"
#include "mli/Allocation/Problem.h"

#include <cstddef>

namespace mli::allocation {

/// Consecutive entries of one array for each index.
template <typename T>
struct Rows {
  std::vector<T> values;
  std::vector<uint32_t> begins{0};

  void endRow() { begins.push_back(uint32_t(values.size())); }
  const T *begin(size_t row) const { return values.data() + begins[row]; }
  const T *end(size_t row) const { return values.data() + begins[row + 1]; }
  size_t count(size_t row) const { return begins[row + 1] - begins[row]; }
};

struct Block {
  /// Bytes on each NPU, guards included.
  int64_t size = 0;
  int32_t npuSpan = 1;
  /// Which entry of `Blocks::choices` its start NPU is.
  uint32_t choice = 0;
  /// The least tag of its buffers.
  int64_t tag = 0;
};

struct Blocks {
  std::vector<Block> blocks;
  /// Empty if each block may lie anywhere.
  std::vector<LegalOffsets> legal;
  /// When each block is live: ascending, disjoint; none if it needs no bytes.
  Rows<Interval> live;
  /// The block of each buffer.
  std::vector<uint32_t> blockOf;
  /// The start NPUs that are allowed, one entry for each independent choice.
  std::vector<uint64_t> choices;
  int32_t npus = 1;
};

/// Blocks in the order of their first buffers.
Blocks makeBlocks(const Problem &problem);

/// The blocks of `problem` in an order that depends on what they are alone.
/// Time is cut into steps 0, 1, and so on: the sets of blocks that are live
/// together of which none lies in the next. `live` holds steps in place of
/// times. Of the two directions of time it is the one whose form is less.
Blocks normalForm(const Problem &problem);

/// Assignments of start NPUs, the most promising first; each has the start NPU
/// of every entry of `Blocks::choices`. `complete` if there are no others.
struct StartAssignments {
  std::vector<std::vector<int32_t>> assignments;
  bool complete = false;
};
StartAssignments assignStarts(const Blocks &blocks);

/// Bits start, start + 1, ..., start + span - 1 modulo `npus`.
uint64_t npuMask(int32_t start, int32_t span, int32_t npus);

} // namespace mli::allocation

#endif // MLI_LIB_ALLOCATION_BLOCKS_H
