// SPDX-License-Identifier: Apache-2.0
//
// The planning problem: buffers with known lifetimes, and the memory that they
// share. Knows nothing of MLIR; bytes and half-open ranges throughout.

#ifndef MLI_ALLOCATION_PROBLEM_H
#define MLI_ALLOCATION_PROBLEM_H

#include "mli/Allocation/Interval.h"

#include <optional>
#include <string>

namespace mli::allocation {

/// One block of storage. On a memory of several NPUs it takes the same bytes
/// [offset, offset + size) on `npuSpan` NPUs that follow each other from its
/// start NPU on, the last one being followed by the first.
struct Buffer {
  /// Bytes on each NPU that it covers, >= 0. A buffer of size 0, or one that is
  /// never live, conflicts with nothing.
  int64_t size = 0;
  /// The offset is a multiple of this, >= 1.
  int64_t alignment = 1;
  /// The logical time in which its contents are needed.
  Interval live;
  /// The intervals of `live` during which the buffer keeps nothing and others
  /// may use its bytes; ascending, disjoint, not empty, inside `live`.
  std::vector<Interval> gaps;
  /// The offset that it must have.
  std::optional<int64_t> pinned;
  /// Bytes after the buffer that no other live buffer may use, >= 0. They
  /// count as used: the peak and the capacity include them.
  int64_t guard = 0;
  /// Buffers of equal `aliasSet` >= 0 are views of one block: each lies
  /// `aliasOffset` >= 0 bytes after the block's start, and all have the
  /// block's start NPU. They never conflict with each other.
  int32_t aliasSet = -1;
  int64_t aliasOffset = 0;
  /// Bit b: no byte of it may lie in bank b. 0 if the memory has no banks.
  uint64_t avoidBanks = 0;
  /// Number of NPUs that it covers, in [1, Memory::npus].
  int32_t npuSpan = 1;
  /// Bit q: it may start on NPU q. At least one bit below Memory::npus.
  uint64_t startNpus = 1;
  /// Buffers of equal `startGroup` >= 0 have one start NPU.
  int32_t startGroup = -1;
  /// Breaks ties between otherwise equal buffers, so that plans do not depend
  /// on the order of the input. Equal tags fall back to that order.
  int64_t tag = 0;
};

/// The memory to plan for.
struct Memory {
  /// Bytes on each NPU. Without one the peak is minimised.
  std::optional<int64_t> capacity;
  /// In [1, 64].
  int32_t npus = 1;
  /// Bytes of one bank; bank b is [b * bankBytes, (b + 1) * bankBytes). 0:
  /// none.
  int64_t bankBytes = 0;
};

struct Problem {
  std::vector<Buffer> buffers;
  Memory memory;
};

/// Offsets, sizes and their sums, guards, alignments and alias offsets counted
/// with them, and times either way, stay within this.
constexpr int64_t maxBytes = int64_t(1) << 60;

/// The place of one buffer.
struct Placement {
  int64_t offset = 0;
  int32_t startNpu = 0;
};

/// The first buffer (or -1: the memory) that breaks the contract above, with
/// the reason as `expected '<field>' to <condition>, but got <value>`.
struct ProblemError {
  int64_t buffer = -1;
  std::string message;
};
std::optional<ProblemError> checkProblem(const Problem &problem);

} // namespace mli::allocation

#endif // MLI_ALLOCATION_PROBLEM_H
