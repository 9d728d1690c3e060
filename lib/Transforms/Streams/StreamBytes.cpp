// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a graph whose vertices all run whole.

#include "StreamGraph.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mli;
using namespace mli::streams;

std::vector<int64_t> StreamGraph::getLiveBytes() const {
  // Changes first, then their sums.
  std::vector<int64_t> live(vertices.size() + 2, 0);
  for (const StreamValue &value : values) {
    size_t begin = value.producer ? *value.producer + 1 : 0;
    size_t end = value.isReturned      ? vertices.size() + 1
                 : value.users.empty() ? begin
                                       : value.users.back() + 1;
    auto bytes = static_cast<int64_t>(llvm::alignTo(value.bytes, alignment));
    if (end > begin) {
      live[begin] += bytes;
      live[end] -= bytes;
    }
  }
  live.pop_back();
  std::partial_sum(live.begin(), live.end(), live.begin());
  return live;
}

int64_t StreamGraph::getWholeBytes(size_t number) const {
  const StreamVertex &vertex = vertices[number];
  int64_t bytes = vertex.scratchBytes;
  for (size_t result : vertex.results) {
    const StreamValue &value = values[result];
    bool isOver = llvm::any_of(vertex.replaceable, [&](size_t input) {
      return values[input].bytes == value.bytes &&
             !values[input].livesAt(number + 1);
    });
    if (value.producer == number && !isOver)
      bytes += static_cast<int64_t>(llvm::alignTo(value.bytes, alignment));
  }
  return bytes;
}

int64_t StreamGraph::getBytes(size_t number, int64_t rows,
                              int64_t columns) const {
  if (measure)
    return measure(number, rows, columns);
  const MapShape &map = *values[number].map;
  return rows * (map.rowBytes / map.columns) * columns;
}
