// SPDX-License-Identifier: Apache-2.0
//
// Half-open ranges of integers: times, bytes, indices.

#ifndef MLI_ALLOCATION_INTERVAL_H
#define MLI_ALLOCATION_INTERVAL_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace mli {

/// The half-open range [lower, upper). Not named as MLIR's `Range`, which is an
/// offset, a size and a stride.
struct Interval {
  int64_t lower = 0;
  int64_t upper = 0;

  int64_t size() const { return upper - lower; }
  bool isEmpty() const { return upper <= lower; }
  bool contains(int64_t point) const { return lower <= point && point < upper; }
  /// Grows to the least interval that has all of both.
  void extend(const Interval &other) {
    lower = std::min(lower, other.lower);
    upper = std::max(upper, other.upper);
  }

  bool operator==(const Interval &other) const {
    return lower == other.lower && upper == other.upper;
  }
  bool operator<(const Interval &other) const {
    return std::tie(lower, upper) < std::tie(other.lower, other.upper);
  }
};

/// Sorts `intervals` and joins those that touch.
inline void joinTouching(std::vector<Interval> &intervals) {
  std::sort(intervals.begin(), intervals.end());
  size_t kept = 0;
  for (const Interval &interval : intervals)
    if (kept > 0 && interval.lower <= intervals[kept - 1].upper)
      intervals[kept - 1].extend(interval);
    else
      intervals[kept++] = interval;
  intervals.resize(kept);
}

} // namespace mli

#endif // MLI_ALLOCATION_INTERVAL_H
