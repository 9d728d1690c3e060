// SPDX-License-Identifier: Apache-2.0
//
// The formula from an index to local memory. It stands once, for numbers and
// for expressions that stand for numbers: an index is a struct of n, c, h and w
// that add, multiply and have a remainder, `divide(a, b)` rounds down.

#ifndef MLI_LAYOUT_ADDRESSFORMULA_H
#define MLI_LAYOUT_ADDRESSFORMULA_H

#include "mli/Layout/TensorLayout.h"

namespace mli::layout {

/// The place of an element.
template <typename Number>
struct Place {
  Number npu;
  /// In the memory of that NPU, from the offset of the tensor on, in packed
  /// elements.
  Number packed;
  /// Elements from the start of that packed element.
  Number part;
};

/// The NPU of channel `channel` of what starts on `startNpu`.
// L4
template <typename Number>
Number getNpu(const Number &channel, int64_t startNpu, int64_t npus) {
  return (channel + startNpu) % npus;
}

/// Reads neither the shape of `layout` nor the size of an element.
// L6, L17, L18, L20, L21
template <typename Index, typename Divide>
auto getPlace(const TensorLayout &layout, const Index &index, Divide divide)
    -> Place<decltype(index.n)> {
  const Dims &strides = layout.strides;
  int64_t factor = packFactor(layout.mode);
  int64_t npus = layout.target.npus;
  auto channel = index.c + layout.startNpu;
  return {getNpu(index.c, layout.startNpu, npus),
          divide(index.n, factor) * strides.n +
              divide(channel, npus) * strides.c + index.h * strides.h +
              index.w * strides.w,
          index.n % factor};
}

/// The index of what `index` of a matrix has as row n and column w, where a
/// channel has `width` columns.
// L14
template <typename Index, typename Divide>
Index matrixIndex(int64_t width, const Index &index, Divide divide) {
  return {index.n, divide(index.w, width), index.h, index.w % width};
}

/// `divide` of numbers that are not negative.
constexpr int64_t divideNumbers(int64_t a, int64_t b) { return a / b; }

} // namespace mli::layout

#endif // MLI_LAYOUT_ADDRESSFORMULA_H
