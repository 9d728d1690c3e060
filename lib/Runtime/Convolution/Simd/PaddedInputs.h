// SPDX-License-Identifier: Apache-2.0
//
// Copies of the inputs of small depthwise maps.

#ifndef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_PADDEDINPUTS_H
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_PADDEDINPUTS_H

#include "DepthwiseColumns.h"
#include "PaddedStrip.h"

#include <cstring>

namespace mli::rt::simd {

/// Inputs with their padding, so few that they stay in the first cache level.
class PaddedInputs {
public:
  /// Makes the inputs of `map` its copies; false if they are too many.
  bool set(ColumnMap &map) {
    rows = *map.rows;
    columns = *map.columns;
    int64_t height = rows.extent(map.endRow - map.firstRow);
    int64_t first = map.firstRow * rows.stride - rows.padding;
    // The last output may have a neighbour that there is not.
    int64_t width = columns.extent(columns.count) + columns.stride + 1;
    int64_t rowBytes = width * map.channels;
    if (height > maxBytes / rowBytes)
      return false;
    const PaddedStrip strip(rows, first, height, columns, width, map.channels);
    strip.pad(static_cast<uint8_t>(map.layer->zeroPoint), 0,
              reinterpret_cast<char *>(codes));
    for (int64_t y = strip.firstRow; y < strip.endRow; ++y)
      copyRow(map,
              map.input + (first + y) * map.inRow +
                  (strip.begin - columns.padding) * map.inColumn,
              strip.end - strip.begin, codes + y * rowBytes + strip.before);
    map.input = codes;
    map.inRow = rowBytes;
    map.inColumn = map.channels;
    // The first row of the copies is the first one that its outputs see.
    rows.in = height;
    rows.padding = 0;
    columns.in = width;
    columns.padding = 0;
    map.rows = &rows;
    map.columns = &columns;
    map.out += map.firstRow * map.outRow;
    map.endRow -= map.firstRow;
    map.firstRow = 0;
    return true;
  }

private:
  static constexpr int64_t maxBytes = 20 << 10;

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

  PhaseAxis rows;
  PhaseAxis columns;
  int8_t codes[maxBytes];
};

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_PADDEDINPUTS_H
