// SPDX-License-Identifier: Apache-2.0

#include "Pooling.h"

#include "Runtime/Simd/Target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Runtime/Pooling/Simd/Pooling.cpp"
#include "hwy/foreach_target.h"

#include "Runtime/Simd/Rows-inl.h"

#include <limits>

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// Calls `visit(d, c)` for vectors of channels from `c` on. The last ones
/// overlap, unless there are too few: never in place.
template <typename Code, class Visit>
HWY_INLINE void forEachVector(int64_t channels, Visit visit) {
  const hn::ScalableTag<Code> d;
  const hn::CappedTag<Code, 8> narrow;
  constexpr int64_t lanes = hn::MaxLanes(d);
  int64_t c = 0;
  for (; c + lanes <= channels; c += lanes)
    visit(d, c);
  if (c < channels && channels >= lanes) {
    visit(d, channels - lanes);
    return;
  }
  for (; c + 8 <= channels; c += 8)
    visit(narrow, c);
  if (c < channels && channels >= 8) {
    visit(narrow, channels - 8);
    return;
  }
  for (; c < channels; ++c)
    visit(hn::CappedTag<Code, 1>(), c);
}

template <class Visit>
HWY_INLINE void forEachSample(const PoolWindow &window, Visit visit) {
  for (int64_t y = 0; y < window.rows; ++y)
    for (int64_t x = 0; x < window.columns; ++x)
      visit(y * window.rowStep + x * window.columnStep);
}

/// The maximum of a column of `Rows` inputs.
template <int Rows, class D, typename Code>
HWY_INLINE hn::Vec<D> columnMax(D d, const Code *from, ptrdiff_t rowStep) {
  auto most = hn::LoadU(d, from);
  each<Rows - 1>([&](auto y) HWY_ATTR {
    most = hn::Max(most, hn::LoadU(d, from + (y + 1) * rowStep));
  });
  return most;
}

/// The maxima of one vector of channels of `pixels` pixels. Columns that a
/// pixel shares with the one before are loaded once.
template <int Rows, int Columns, int Stride, class D, typename Code>
HWY_INLINE void maxOfWindows(D d, const Code *in, const PoolRow &row,
                             int64_t pixels, Code *out) {
  constexpr int shared = Columns - Stride;
  const ptrdiff_t rowStep = row.window.rowStep;
  const ptrdiff_t columnStep = row.window.columnStep;
  const ptrdiff_t outStep = row.outStep;
  hn::Vec<D> columns[Columns];
  each<shared>([&](auto x) HWY_ATTR {
    columns[x] = columnMax<Rows>(d, in + x * columnStep, rowStep);
  });
  in += shared * columnStep;
  for (int64_t pixel = 0; pixel < pixels; ++pixel) {
    each<Stride>([&](auto x) HWY_ATTR {
      columns[shared + x] = columnMax<Rows>(d, in + x * columnStep, rowStep);
    });
    auto most = columns[0];
    each<Columns - 1>([&](auto x)
                          HWY_ATTR { most = hn::Max(most, columns[x + 1]); });
    hn::StoreU(most, d, out);
    each<shared>([&](auto x) HWY_ATTR { columns[x] = columns[x + Stride]; });
    in += Stride * columnStep;
    out += outStep;
  }
}

/// The maxima of `Vectors` vectors of channels of a pixel, whose window has any
/// shape.
template <int Vectors, class D, typename Code>
HWY_INLINE void maxOfAnyWindow(D d, const Code *in, const PoolWindow &window,
                               Code *out) {
  constexpr int64_t lanes = hn::MaxLanes(d);
  hn::Vec<D> most[Vectors];
  each<Vectors>([&](auto i)
                    HWY_ATTR { most[i] = hn::LoadU(d, in + i * lanes); });
  forEachSample(window, [&](ptrdiff_t at) HWY_ATTR {
    each<Vectors>([&](auto i) HWY_ATTR {
      most[i] = hn::Max(most[i], hn::LoadU(d, in + at + i * lanes));
    });
  });
  each<Vectors>([&](auto i)
                    HWY_ATTR { hn::StoreU(most[i], d, out + i * lanes); });
}

template <typename Code>
void maxOfAnyWindows(const Code *in, const PoolRow &row, Code *out) {
  const hn::ScalableTag<Code> d;
  constexpr int vectors = 4;
  constexpr int64_t block = vectors * hn::MaxLanes(d);
  const PoolWindow window = row.window;
  for (int64_t pixel = 0; pixel < row.pixels; ++pixel) {
    int64_t c = 0;
    for (; c + block <= window.channels; c += block)
      maxOfAnyWindow<vectors>(d, in + c, window, out + c);
    forEachVector<Code>(
        window.channels - c, [&](auto few, int64_t at) HWY_ATTR {
          maxOfAnyWindow<1>(few, in + c + at, window, out + c + at);
        });
    in += row.stride * window.columnStep;
    out += row.outStep;
  }
}

/// The bytes of inputs beside each other that are kept in the fastest cache
/// while vector after vector of their channels is read.
inline constexpr int64_t groupBytes = 4096;

template <int Rows, int Columns, int Stride, typename Code>
void maxRowOf(const Code *in, const PoolRow &row, Code *out) {
  const int64_t channels = row.window.channels;
  const int64_t pixelBytes = channels * static_cast<int64_t>(sizeof(Code));
  int64_t pixels = row.pixels;
  if (pixels * pixelBytes > groupBytes)
    pixels = HWY_MAX(groupBytes / pixelBytes, 1);
  for (int64_t left = row.pixels; left > 0; left -= pixels) {
    pixels = HWY_MIN(pixels, left);
    forEachVector<Code>(channels, [&](auto d, int64_t c) HWY_ATTR {
      maxOfWindows<Rows, Columns, Stride>(d, in + c, row, pixels, out + c);
    });
    in += pixels * Stride * row.window.columnStep;
    out += pixels * row.outStep;
  }
}

/// Windows of 3x3 and 2x2, and what padding above or below leaves of the
/// former, are common.
template <typename Code>
void maxRow(const Code *in, const PoolRow &row, Code *out) {
  auto has = [&](int64_t rows, int64_t columns, int64_t stride) {
    return row.window.rows == rows && row.window.columns == columns &&
           row.stride == stride;
  };
  if (has(3, 3, 2))
    maxRowOf<3, 3, 2>(in, row, out);
  else if (has(2, 3, 2))
    maxRowOf<2, 3, 2>(in, row, out);
  else if (has(3, 3, 1))
    maxRowOf<3, 3, 1>(in, row, out);
  else if (has(2, 3, 1))
    maxRowOf<2, 3, 1>(in, row, out);
  else if (has(2, 2, 2))
    maxRowOf<2, 2, 2>(in, row, out);
  else
    maxOfAnyWindows(in, row, out);
}

/// Scales sums of 32 bits; both additions are those of the scalar code.
template <class D>
HWY_INLINE hn::Vec<D> scaleSums(D d, hn::Vec<D> sums, const PoolScale &scale,
                                int8_t /*code*/) {
  auto total = hn::Add(hn::Mul(sums, hn::Set(d, scale.multiplier)),
                       hn::Set(d, scale.start));
  int32_t half = getRoundingHalf(scale.shift);
  total = hn::Add(
      hn::Min(total, hn::Set(d, std::numeric_limits<int32_t>::max() - half)),
      hn::Set(d, half));
  return hn::ShiftRightSame(total, scale.shift);
}

/// The same with products of 64 bits.
template <class D>
HWY_INLINE hn::Vec<D> scaleSums(D /*d*/, hn::Vec<D> sums,
                                const PoolScale &scale, int16_t /*code*/) {
  return WideScale<D>(scale.multiplier, scale.shift)(sums);
}

/// The number of samples whose 8-bit values have a sum of 16 bits.
inline constexpr int64_t narrowSamples = 256;

/// Whole vectors of the averages of so few samples; returns how many channels
/// they are. The last one overlaps, unless there are fewer channels.
inline int64_t averageNarrow(const int8_t *in, const PoolWindow &window,
                             const PoolScale &scale, int8_t *out) {
  const hn::ScalableTag<int32_t> d;
  const Codes16<decltype(d)> d16;
  const hn::Half<decltype(d16)> half;
  const hn::Rebind<int8_t, decltype(d16)> dc;
  const hn::Rebind<int8_t, decltype(d)> dOut;
  constexpr int64_t lanes = hn::MaxLanes(d16);
  int64_t c = 0;
  auto reduce = [&](auto count) HWY_ATTR {
    constexpr int n = decltype(count)::value;
    hn::Vec<decltype(d16)> sums[n];
    each<n>([&](auto i) HWY_ATTR { sums[i] = hn::Zero(d16); });
    forEachSample(window, [&](ptrdiff_t at) HWY_ATTR {
      each<n>([&](auto i) HWY_ATTR {
        sums[i] =
            hn::Add(sums[i],
                    hn::PromoteTo(d16, hn::LoadU(dc, in + c + i * lanes + at)));
      });
    });
    auto finish = [&](auto part, int64_t channel) HWY_ATTR {
      hn::StoreU(hn::DemoteTo(dOut, scaleSums(d, hn::PromoteTo(d, part), scale,
                                              int8_t{})),
                 dOut, out + channel);
    };
    each<n>([&](auto i) HWY_ATTR {
      int64_t channel = c + i * lanes;
      finish(hn::LowerHalf(half, sums[i]), channel);
      finish(hn::UpperHalf(half, sums[i]), channel + lanes / 2);
    });
    c += n * lanes;
  };
  while (c + 8 * lanes <= window.channels)
    reduce(std::integral_constant<int, 8>());
  if (c + 4 * lanes <= window.channels)
    reduce(std::integral_constant<int, 4>());
  while (c + lanes <= window.channels)
    reduce(std::integral_constant<int, 1>());
  if (c < window.channels && window.channels >= lanes) {
    c = window.channels - lanes;
    reduce(std::integral_constant<int, 1>());
  }
  return c;
}

template <typename Code>
void averagePixel(const Code *in, const PoolWindow &window,
                  const PoolScale &scale, Code *out) {
  if constexpr (sizeof(Code) == 1)
    if (window.rows * window.columns <= narrowSamples &&
        averageNarrow(in, window, scale, out) == window.channels)
      return;
  const hn::ScalableTag<int32_t> d;
  const hn::Rebind<Code, decltype(d)> dc;
  constexpr int64_t lanes = hn::MaxLanes(d);
  constexpr int vectors = 4;
  int64_t c = 0;
  auto reduce = [&](auto count) HWY_ATTR {
    constexpr int n = decltype(count)::value;
    hn::Vec<decltype(d)> sums[n];
    each<n>([&](auto i) HWY_ATTR { sums[i] = hn::Zero(d); });
    forEachSample(window, [&](ptrdiff_t at) HWY_ATTR {
      each<n>([&](auto i) HWY_ATTR {
        sums[i] = hn::Add(
            sums[i], hn::PromoteTo(d, hn::LoadU(dc, in + c + i * lanes + at)));
      });
    });
    each<n>([&](auto i) HWY_ATTR {
      hn::StoreU(hn::DemoteTo(dc, scaleSums(d, sums[i], scale, Code{})), dc,
                 out + c + i * lanes);
    });
    c += n * lanes;
  };
  while (c + vectors * lanes <= window.channels)
    reduce(std::integral_constant<int, vectors>());
  while (c + lanes <= window.channels)
    reduce(std::integral_constant<int, 1>());
  if (c < window.channels && window.channels >= lanes) {
    c = window.channels - lanes;
    reduce(std::integral_constant<int, 1>());
  }
  if (c == window.channels)
    return;
  // Fewer channels than lanes.
  HWY_ALIGN int32_t few[lanes] = {};
  HWY_ALIGN Code codes[lanes];
  auto left = static_cast<size_t>(window.channels - c);
  forEachSample(window, [&](ptrdiff_t at) {
    for (size_t i = 0; i < left; ++i)
      few[i] += in[c + static_cast<int64_t>(i) + at];
  });
  hn::Store(hn::DemoteTo(dc, scaleSums(d, hn::Load(d, few), scale, Code{})), dc,
            codes);
  std::memcpy(out + c, codes, left * sizeof(Code));
}

inline constexpr PoolKernels pooling = {maxRow<int8_t>, maxRow<int16_t>,
                                        averagePixel<int8_t>,
                                        averagePixel<int16_t>};

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace mli::rt::simd {

const PoolKernels *poolKernels() {
  return MLI_SIMD_CHOOSE(PoolKernels, pooling);
}

} // namespace mli::rt::simd
#endif
