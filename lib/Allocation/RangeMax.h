// SPDX-License-Identifier: Apache-2.0
//
// A row of numbers with the greatest of a range, and a range raised to one
// number, both in logarithmic time: a segment tree without lazy pushes.

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
  explicit RangeMax(size_t count) {
    while (leaves < count)
      leaves *= 2;
    nodes.resize(2 * leaves);
  }

  void fill(const std::vector<int64_t> &values) {
    for (size_t i = 0; i < std::min(leaves, values.size()); ++i)
      nodes[leaves + i].greatest = values[i];
    for (size_t i = leaves; i-- > 1;)
      nodes[i].greatest =
          std::max(nodes[2 * i].greatest, nodes[2 * i + 1].greatest);
  }

  /// The greatest of first..last.
  int64_t max(size_t first, size_t last) const {
    size_t a = first + leaves, b = last + leaves + 1;
    int64_t result = 0;
    for (; a < b; a /= 2, b /= 2) {
      if (a & 1)
        result = std::max(result, nodes[a++].greatest);
      if (b & 1)
        result = std::max(result, nodes[--b].greatest);
    }
    // What an ancestor was raised to holds for all below it.
    for (a = (first + leaves) / 2; a > 0; a /= 2)
      result = std::max(result, nodes[a].raised);
    for (b = (last + leaves) / 2; b > 0; b /= 2)
      result = std::max(result, nodes[b].raised);
    return result;
  }

  /// Raises each of first..last to `value`, which none of them exceeds.
  void raise(size_t first, size_t last, int64_t value) {
    size_t a = first + leaves, b = last + leaves + 1;
    for (; a < b; a /= 2, b /= 2) {
      if (a & 1)
        nodes[a++] = {value, value};
      if (b & 1)
        nodes[--b] = {value, value};
    }
    lift((first + leaves) / 2, value);
    lift((last + leaves) / 2, value);
  }

private:
  struct Node {
    int64_t greatest = 0;
    int64_t raised = 0;
  };
  void lift(size_t node, int64_t value) {
    for (; node > 0; node /= 2)
      nodes[node].greatest = std::max(nodes[node].greatest, value);
  }

  size_t leaves = 1;
  std::vector<Node> nodes;
};

} // namespace mli::allocation

#endif // MLI_LIB_ALLOCATION_RANGEMAX_H
