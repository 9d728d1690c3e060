// SPDX-License-Identifier: Apache-2.0
//
// A problem with its start NPUs chosen, in the form that the algorithms work
// on: views merged into blocks, time cut into steps, legal offsets in one
// place.

#ifndef MLI_LIB_ALLOCATION_INSTANCE_H
#define MLI_LIB_ALLOCATION_INSTANCE_H

#include "Allocation/Blocks.h"

namespace mli::allocation {

/// Steps of time first..last, both included.
struct StepRange {
  int32_t first = 0;
  int32_t last = 0;
};

/// A block to be placed, with its steps of time and its NPUs.
struct Item {
  int64_t size = 0;
  /// From the first to the last step in which it is live.
  StepRange hull;
  uint64_t npus = 1;

  int64_t width() const { return hull.last - hull.first + 1; }
};

struct Instance {
  std::vector<Item> items;
  /// Empty if any offset is legal for each item.
  std::vector<LegalOffsets> legal;
  /// The ranges of steps in which each item is live; one unless it has gaps.
  Rows<StepRange> live;
  int32_t steps = 0;
  /// One bit for each NPU that has a set of items of its own.
  uint64_t npus = 1;
  /// Some item has a pinned offset.
  bool pinned = false;

  int64_t up(uint32_t item, int64_t x) const {
    return legal.empty() ? x : legal[item].up(x);
  }

  bool conflict(uint32_t a, uint32_t b) const;
  /// For each item the number of others whose hulls overlap its own.
  std::vector<int64_t> overlaps() const;
  /// Number of pairs whose hulls overlap.
  int64_t overlappingPairs() const;
  /// The conflicting items of each item, ascending.
  Rows<uint32_t> neighbours() const;
  /// For each item the most bytes live at once with it, on any of its NPUs.
  std::vector<int64_t> loads() const;
};

/// The blocks of a normal form that are ever live, in their order; `starts` has
/// what was chosen for each of `Blocks::choices`. Item i is block `order[i]`.
Instance makeInstance(const Blocks &blocks, const std::vector<int32_t> &starts,
                      std::vector<uint32_t> &order);

} // namespace mli::allocation

#endif // MLI_LIB_ALLOCATION_INSTANCE_H
