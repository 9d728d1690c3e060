// SPDX-License-Identifier: Apache-2.0
//
// Copies of the inputs of small depthwise maps.

#ifndef MLI_LIB_RUNTIME_SIMD_PADDEDINPUTS_H
#define MLI_LIB_RUNTIME_SIMD_PADDEDINPUTS_H

#include "Runtime/Simd/DepthwiseColumns.h"

#include <algorithm>
#include <cstring>

namespace mli::rt::simd {

/// Inputs with their padding, so few that they stay in the first cache level.
class PaddedInputs {
public:
  /// Makes the inputs of `map` its copies; false if they are too many.
  bool set(ColumnMap &map) {
    const PhaseAxis &rows = map.rows;
    const PhaseAxis &columns = map.columns;
    int64_t height = rows.extent(rows.count);
    // The last output may have a neighbour that there is not.
    int64_t width = columns.extent(columns.count) + columns.stride + 1;
    int64_t rowBytes = width * map.channels;
    if (height > mostBytes / rowBytes)
      return false;
    int64_t seen = std::min(columns.in, width - columns.padding);
    int64_t last = seen > 0 ? std::min(rows.in, height - rows.padding) : 0;
    // What follows the inputs of a row, and what precedes those of the next
    // one, is padding in one piece.
    int8_t *gap = codes;
    auto padUpTo = [&](int8_t *end) {
      std::memset(gap, map.zeroPoint, static_cast<size_t>(end - gap));
    };
    // A part of the rows may begin behind the first input.
    for (int64_t row = std::max(-rows.padding, int64_t{0}); row < last; ++row) {
      int8_t *to = codes + (row + rows.padding) * rowBytes +
                   columns.padding * map.channels;
      padUpTo(to);
      copyRow(map, map.input + row * map.inRow, seen, to);
      gap = to + seen * map.channels;
    }
    padUpTo(codes + height * rowBytes);
    map.input = codes;
    map.inRow = rowBytes;
    map.inColumn = map.channels;
    map.rows.in = height;
    map.rows.padding = 0;
    map.columns.in = width;
    map.columns.padding = 0;
    return true;
  }

private:
  static constexpr int64_t mostBytes = 20 << 10;

  static void copyRow(const ColumnMap &map, const int8_t *from, int64_t pixels,
                      int8_t *to) {
    if (map.inColumn == map.channels) {
      std::memcpy(to, from, static_cast<size_t>(pixels * map.channels));
      return;
    }
    for (int64_t x = 0; x < pixels; ++x) {
      if (map.channels == columnChannels)
        std::memcpy(to, from, columnChannels);
      else
        std::memcpy(to, from, static_cast<size_t>(map.channels));
      from += map.inColumn;
      to += map.channels;
    }
  }

  int8_t codes[mostBytes];
};

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_SIMD_PADDEDINPUTS_H
