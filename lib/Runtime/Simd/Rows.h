// SPDX-License-Identifier: Apache-2.0
//
// Functions of single rows of quantised values: clips, norms, maxima.

#ifndef MLI_LIB_RUNTIME_SIMD_ROWS_H
#define MLI_LIB_RUNTIME_SIMD_ROWS_H

#include "Runtime/Simd/Ratios.h"

namespace mli::rt::simd {

/// The scale of a row: (code - zeroPoint) * multiplier * 2^-shift.
struct RowScale {
  int32_t zeroPoint;
  int32_t multiplier;
  int shift;
};

/// Columns of values: `count` neighbours, and so on `step` elements further.
template <typename Code>
struct CodeColumns {
  const Code *first;
  int64_t step;
  int64_t rows;
  int64_t count;
};

/// Results may be the row itself.
template <typename Code>
struct RowKernels {
  /// Clips values to `low` and `high`, which wins.
  void (*clip)(const Code *in, Code low, Code high, Code *out, int64_t count);
  /// The sum of the squares of values less their zero point.
  int64_t (*sumSquares)(const Code *in, int32_t zeroPoint, int64_t count);
  void (*scale)(const Code *in, const RowScale &scale, Code *out,
                int64_t count);
  /// The same of each column; as many sums more as LaneRatios has padding are
  /// written.
  void (*columnSquares)(const CodeColumns<Code> &columns, int32_t zeroPoint,
                        int64_t *sums);
  /// Scales each value by a ratio of its own.
  void (*scaleEach)(const Code *in, int32_t zeroPoint, const LaneRatios &ratios,
                    Code *out, int64_t count);
  /// The largest of at least one value.
  Code (*maximum)(const Code *in, int64_t count);
};

/// The kernels of the target of this moment, or null.
MLI_FAST_KERNEL(const RowKernels<int8_t> *rowKernels(int8_t))
MLI_FAST_KERNEL(const RowKernels<int16_t> *rowKernels(int16_t))

/// Whether sums of squares of such values are exact: sa8 ones with a zero point
/// in the range of sa8, fx ones with none.
template <typename Code>
bool suitsSquares(int32_t zeroPoint) {
  return sizeof(Code) == 1 ? zeroPoint >= INT8_MIN && zeroPoint <= INT8_MAX
                           : zeroPoint == 0;
}
/// Whether scaling such values is exact.
template <typename Code>
bool suitsScale(const RowScale &scale) {
  return suitsSquares<Code>(scale.zeroPoint) &&
         suitsLanes(scale.multiplier, scale.shift);
}

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_SIMD_ROWS_H
