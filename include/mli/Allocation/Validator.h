// SPDX-License-Identifier: Apache-2.0
//
// Checks a plan against its problem and nothing else: it shares no code with
// the planner, and every plan goes through it.

#ifndef MLI_ALLOCATION_VALIDATOR_H
#define MLI_ALLOCATION_VALIDATOR_H

#include "mli/Allocation/Problem.h"

#include <cstddef>

namespace mli::allocation {

/// The ways in which a plan can be wrong, one for each rule of the
/// specification.
enum class Breach {
  WrongCount,
  OutOfRange,
  Misaligned,
  NotPinned,
  AboveCapacity,
  Overlap,
  AliasOffset,
  StartNpu,
  StartGroup,
  AvoidedBank,
};

/// One breach; `other` is the second buffer of it, or -1.
struct Violation {
  Breach breach = Breach::WrongCount;
  int64_t buffer = -1;
  int64_t other = -1;
  /// In words, with the numbers; buffers are named #index.
  std::string message;
};

/// At most `limit` breaches, in a fixed order; none means the plan is right.
/// O(n log n) per NPU and gap when there are none.
/// The problem must have passed `checkProblem`.
std::vector<Violation> validate(const Problem &problem,
                                const std::vector<Placement> &placements,
                                size_t limit = 20);

/// One past the last byte used by any live buffer, its guard included.
int64_t getPeak(const Problem &problem,
                const std::vector<Placement> &placements);

} // namespace mli::allocation

#endif // MLI_ALLOCATION_VALIDATOR_H
