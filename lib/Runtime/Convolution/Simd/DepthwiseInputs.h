// SPDX-License-Identifier: Apache-2.0
//
// Where the inputs of a row of depthwise outputs are.

#ifndef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISEINPUTS_H
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISEINPUTS_H

#include "DepthwiseColumns.h"

#include <hwy/base.h>

namespace mli::rt::simd {

/// Three rows of some channels, of which columns may be padding.
class SparseInputs {
public:
  HWY_INLINE SparseInputs(const ColumnMap &map, const ColumnRows &rows,
                          int64_t channel, const int8_t *padding)
      : in(map.columns->in), next(-map.columns->padding), padding(padding) {
    for (int row = 0; row < 3; ++row) {
      inputs[row] = rows.rows[row] + channel;
      steps[row] = rows.steps[row];
      offsets[row] = next * steps[row];
    }
  }

  /// Whether the next `count` columns are no padding.
  HWY_INLINE bool areInside(int64_t count) const {
    return next >= 0 && next + count <= in;
  }
  /// Where the `column`th of the next columns is; `IsChecked` if that may be
  /// padding.
  template <bool IsChecked>
  HWY_INLINE const int8_t *at(int row, int64_t column) const {
    if (IsChecked &&
        static_cast<uint64_t>(next + column) >= static_cast<uint64_t>(in))
      return padding;
    return inputs[row] + (offsets[row] + column * steps[row]);
  }
  HWY_INLINE void advance(int64_t count) {
    next += count;
    for (int row = 0; row < 3; ++row)
      offsets[row] += count * steps[row];
  }

private:
  int64_t in;
  /// The first of the next columns, and where it lies in each row.
  int64_t next;
  ptrdiff_t offsets[3];
  const int8_t *inputs[3];
  ptrdiff_t steps[3];
  const int8_t *padding;
};

/// The same of copies that have their padding.
class DenseInputs {
public:
  HWY_INLINE DenseInputs(const int8_t *first, ptrdiff_t rowStep, ptrdiff_t step)
      : step(step) {
    for (int row = 0; row < 3; ++row)
      inputs[row] = first + row * rowStep;
  }

  static HWY_INLINE bool areInside(int64_t) { return true; }
  template <bool IsChecked>
  HWY_INLINE const int8_t *at(int row, int64_t column) const {
    return inputs[row] + column * step;
  }
  HWY_INLINE void advance(int64_t count) {
    for (int row = 0; row < 3; ++row)
      inputs[row] += count * step;
  }

private:
  const int8_t *inputs[3];
  ptrdiff_t step;
};

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISEINPUTS_H
