// SPDX-License-Identifier: Apache-2.0
//
// Where inputs lie in a copy that has their padding.

#ifndef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_PADDEDSTRIP_H
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_PADDEDSTRIP_H

#include "Geometry.h"

#include <algorithm>
#include <cstring>

namespace mli::rt::simd {

/// A copy of `count` rows of `width` pixels, from input row `first` on, which
/// may be negative: inputs are in a box of it, around them is padding.
struct PaddedStrip {
  PaddedStrip(const PhaseAxis &rows, int64_t first, int64_t count,
              const PhaseAxis &columns, int64_t width, int64_t pixelBytes)
      : count(count), rowBytes(width * pixelBytes),
        begin(std::clamp<int64_t>(columns.padding, 0, width)),
        end(std::clamp(columns.in + columns.padding, begin, width)),
        firstRow(std::clamp<int64_t>(-first, 0, count)),
        endRow(begin == end ? firstRow
                            : std::clamp(rows.in - first, firstRow, count)),
        before(begin * pixelBytes), after((width - end) * pixelBytes) {}

  bool hasInputs() const { return firstRow < endRow; }

  /// Writes the padding, and after all rows `slack` bytes more. May write
  /// where inputs will be: their turn is after it.
  void pad(uint8_t byte, int64_t slack, char *to) const {
    auto fill = [&](int64_t from, int64_t until) {
      std::memset(to + from, byte, static_cast<size_t>(until - from));
    };
    int64_t bytes = count * rowBytes + slack;
    bool hasGaps = before + after > 0;
    if (!hasInputs() || (hasGaps && rowBytes < shortRowBytes))
      return fill(0, bytes);
    fill(0, firstRow * rowBytes + before);
    // After a row is its padding, and that of the next one.
    for (int64_t row = firstRow + 1; hasGaps && row < endRow; ++row)
      fill(row * rowBytes - after, row * rowBytes + before);
    fill(endRow * rowBytes - after, bytes);
  }

  int64_t count, rowBytes;
  /// The columns and rows of the box.
  int64_t begin, end, firstRow, endRow;
  /// Bytes of padding in each of its rows.
  int64_t before, after;

private:
  /// Rows shorter than that are padding first, from end to end: to write some
  /// bytes twice takes less than to find the gaps.
  static constexpr int64_t shortRowBytes = 512;
};

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_PADDEDSTRIP_H
