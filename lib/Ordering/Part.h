// SPDX-License-Identifier: Apache-2.0
//
// Parts of a problem that run one after the other in every order.

#ifndef MLI_LIB_ORDERING_PART_H
#define MLI_LIB_ORDERING_PART_H

#include "mli/Ordering/Ordering.h"

#include <cstddef>

namespace mli::ordering {

/// A step of a part. Steps and buffers have the numbers of the part.
struct PartStep {
  std::vector<int32_t> successors;
  int32_t predecessors = 0;
  std::vector<int32_t> buffers;
  int64_t scratchBytes = 0;
  int32_t result = -1;
  std::vector<int32_t> replaceable;
};

/// A buffer that steps of a part use.
struct PartBuffer {
  int64_t bytes = 0;
  int32_t users = 0;
  /// Whether steps in front of the part use it, and steps behind.
  bool isLiveBefore = false, isLiveAfter = false;
};

/// Steps that follow each other in the file, from `begin` on.
struct Part {
  int32_t begin = 0;
  std::vector<PartStep> steps;
  std::vector<PartBuffer> buffers;
  /// Bytes that are live in front of it.
  int64_t liveBefore = 0;
};

/// Cuts problems into parts.
class Parts {
public:
  explicit Parts(const Problem &problem);

  /// The first step of each part, and the number of all steps at the end. A
  /// part begins with a step that all steps have before or behind them: what is
  /// live there is the same in every order.
  const std::vector<int32_t> &getBegins() const { return begins; }

  /// Steps `begin` to before `end`, in front of which `liveBefore` bytes are
  /// live.
  Part make(int32_t begin, int32_t end, int64_t liveBefore) const;
  /// All steps as one part.
  Part makeWhole() const;

private:
  const Problem &problem;
  /// The buffers of each step.
  std::vector<std::vector<int32_t>> usedBuffers;
  std::vector<int32_t> begins;
};

/// Bytes that are live in every order of `part`: no order has less at the time
/// when it has the most.
int64_t getLowerBound(const Part &part);

} // namespace mli::ordering

#endif // MLI_LIB_ORDERING_PART_H
