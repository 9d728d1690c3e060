// SPDX-License-Identifier: Apache-2.0
//
// Kernels along an axis: the whole tensor is one slice, or every vector along
// the axis is.

#ifndef MLI_LIB_RUNTIME_CORE_SLICES_H
#define MLI_LIB_RUNTIME_CORE_SLICES_H

#include "Tensor.h"

namespace mli::rt {

/// A slice of a tensor, visited in row-major order.
template <typename Code>
struct Slice {
  Code *base;
  Extents extents;
  Strides strides;

  /// Calls `visit(code)`.
  template <typename Visit>
  void forEach(Visit visit) const {
    forEachRow<1>(extents, {strides},
                  [&](const Extents &, const std::array<int64_t, 1> &at) {
                    const Code *row = base + at[0];
                    // Compilers make vectors of loops without gaps.
                    if (strides[3] == 1)
                      for (int64_t i = 0; i < extents[3]; ++i)
                        visit(row[i]);
                    else
                      for (int64_t i = 0; i < extents[3]; ++i)
                        visit(row[i * strides[3]]);
                  });
  }

  /// Whether the elements lie one after another.
  bool isDense() const {
    int64_t step = 1;
    for (size_t dim = extents.size(); dim-- > 0;) {
      if (extents[dim] != 1 && strides[dim] != step)
        return false;
      step *= extents[dim];
    }
    return true;
  }

  /// Sets each element to the next `code()`.
  template <typename Next>
  void set(Next code) const {
    forEachRow<1>(extents, {strides},
                  [&](const Extents &, const std::array<int64_t, 1> &at) {
                    for (int64_t i = 0; i < extents[3]; ++i)
                      base[at[0] + i * strides[3]] = code();
                  });
  }

  /// Sets each element to `map(code)` of the same element of `source`.
  template <typename Map>
  void forEachFrom(const Slice<const Code> &source, Map map) const {
    if constexpr (sizeof(Code) == 1)
      if (size() >= tableSize) {
        // Cheaper once for each quantised value.
        std::array<Code, 256> table;
        for (int code = -128; code < 128; ++code)
          table[code + 128] = map(static_cast<Code>(code));
        setFrom(source, [&](Code code) { return table[code + 128]; });
        return;
      }
    setFrom(source, map);
  }

  /// The same where `map(codes, count, results)` does so for rows without
  /// gaps.
  template <typename MapRow>
  void forEachRowFrom(const Slice<const Code> &source, MapRow map) const {
    if constexpr (sizeof(Code) == 1)
      if (size() >= tableSize) {
        std::array<Code, 256> table;
        for (int code = -128; code < 128; ++code)
          table[code + 128] = static_cast<Code>(code);
        map(table.data(), 256, table.data());
        setFrom(source, [&](Code code) { return table[code + 128]; });
        return;
      }
    Extents rows = extents;
    std::array<Strides, 2> steps = {source.strides, strides};
    mergeRows(rows, steps);
    forEachRow<2>(rows, steps,
                  [&](const Extents &, const std::array<int64_t, 2> &at) {
                    map(source.base + at[0], rows[3], base + at[1]);
                  });
  }

  /// The step from an element to the next one of a slice along one axis.
  int64_t step() const {
    for (size_t dim = 0; dim < extents.size(); ++dim)
      if (extents[dim] != 1)
        return strides[dim];
    return 0;
  }

  int64_t size() const {
    return int64_t{extents[0]} * extents[1] * extents[2] * extents[3];
  }

  /// Elements from which on tables of all 8-bit values are profitable.
  static constexpr int64_t tableSize = 384;

private:
  template <typename Map>
  void setFrom(const Slice<const Code> &source, Map map) const {
    forEachRow<2>(extents, {source.strides, strides},
                  [&](const Extents &, const std::array<int64_t, 2> &at) {
                    for (int64_t i = 0; i < extents[3]; ++i)
                      base[at[1] + i * strides[3]] =
                          map(source.base[at[0] + i * source.strides[3]]);
                  });
  }
};

/// Calls `visit(source, target, count)` for the slices along `axis`, with the
/// first of `count` ones that lie beside each other: each begins an element
/// further. All is one slice if `axis` is negative.
template <typename Code, typename Visit>
void forEachSliceRow(const mli_tensor &in, mli_tensor &out, int32_t axis,
                     Visit visit) {
  Slice<const Code> source = {getElements<Code>(in), getExtents(in),
                              getDenseRowStrides(in)};
  Slice<Code> target = {getElements<Code>(out), getExtents(in),
                        getDenseRowStrides(out)};
  if (axis < 0) {
    visit(source, target, 1);
    return;
  }
  // The other dimensions select a slice.
  Extents others = getExtents(in);
  others[paddedDim(in, axis)] = 1;
  Extents along = {1, 1, 1, 1};
  along[paddedDim(in, axis)] = in.shape[axis];
  source.extents = target.extents = along;
  const Code *sourceBase = source.base;
  Code *targetBase = target.base;
  forEachRow<2>(others, {source.strides, target.strides},
                [&](const Extents &, const std::array<int64_t, 2> &at) {
                  source.base = sourceBase + at[0];
                  target.base = targetBase + at[1];
                  visit(source, target, int64_t{others[3]});
                });
}

/// Calls `visit(source, target)` for each of them.
template <typename Code, typename Visit>
void forEachSlice(const mli_tensor &in, mli_tensor &out, int32_t axis,
                  Visit visit) {
  forEachSliceRow<Code>(
      in, out, axis,
      [&](Slice<const Code> source, Slice<Code> target, int64_t count) {
        for (; count > 0; --count, ++source.base, ++target.base)
          visit(source, target);
      });
}

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_CORE_SLICES_H
