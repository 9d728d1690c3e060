// SPDX-License-Identifier: Apache-2.0
//
// A row of numbers with the greatest of a range, and a range raised to one
// number. Ranges are mostly short: blocks of the row beat a tree.

#ifndef MLI_LIB_ALLOCATION_RANGEMAX_H
#define MLI_LIB_ALLOCATION_RANGEMAX_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mli::allocation {

class RangeMax {
public:
  /// `count` zeros.
  explicit RangeMax(size_t count)
      : values(count), blocks((count + length - 1) / length) {}

  explicit RangeMax(const std::vector<int64_t> &start)
      : RangeMax(start.size()) {
    for (size_t i = 0; i < start.size(); ++i)
      raise(i, i, start[i]);
  }

  /// The greatest of first..last.
  int64_t max(size_t first, size_t last) const {
    int64_t result = 0;
    forEachPart(first, last, [&](size_t block, size_t from, size_t to) {
      if (to - from + 1 == length) {
        result = std::max(result, blocks[block].greatest);
        return;
      }
      result = std::max(result, blocks[block].raised);
      for (size_t i = from; i <= to; ++i)
        result = std::max(result, values[i]);
    });
    return result;
  }

  /// Raises each of first..last to `value`, which none of them exceeds.
  void raise(size_t first, size_t last, int64_t value) {
    forEachPart(first, last, [&](size_t block, size_t from, size_t to) {
      blocks[block].greatest = std::max(blocks[block].greatest, value);
      if (to - from + 1 == length)
        blocks[block].raised = value;
      else
        std::fill(values.begin() + from, values.begin() + to + 1, value);
    });
  }

private:
  static constexpr size_t length = 32;
  /// The greatest of a block, and what all of it was raised to.
  struct Block {
    int64_t greatest = 0;
    int64_t raised = 0;
  };

  template <typename Function>
  static void forEachPart(size_t first, size_t last, Function function) {
    for (size_t block = first / length; block <= last / length; ++block)
      function(block, std::max(first, block * length),
               std::min(last, block * length + length - 1));
  }

  std::vector<int64_t> values;
  std::vector<Block> blocks;
};

} // namespace mli::allocation

#endif // MLI_LIB_ALLOCATION_RANGEMAX_H
