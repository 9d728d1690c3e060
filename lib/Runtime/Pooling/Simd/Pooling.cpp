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

/// Calls `reduce(from, d)` for vectors of channels and stores what it returns;
/// the last ones overlap, or are copied first if there are too few.
template <typename Code, class Reduce>
HWY_INLINE void forEachVector(const Code *in, const PoolWindow &window,
                              Code *out, Reduce reduce) {
  const hn::ScalableTag<Code> d;
  const hn::CappedTag<Code, 8> narrow;
  constexpr int64_t lanes = hn::MaxLanes(d);
  int64_t channels = window.channels;
  int64_t c = 0;
  for (; c + lanes <= channels; c += lanes)
    hn::StoreU(reduce(d, in + c, window), d, out + c);
  // Never in place: channels may be computed twice.
  if (c < channels && channels >= lanes) {
    c = channels - lanes;
    hn::StoreU(reduce(d, in + c, window), d, out + c);
    return;
  }
  for (; c + 8 <= channels; c += 8)
    hn::StoreU(reduce(narrow, in + c, window), narrow, out + c);
  if (c < channels && channels >= 8) {
    c = channels - 8;
    hn::StoreU(reduce(narrow, in + c, window), narrow, out + c);
    return;
  }
  const hn::CappedTag<Code, 1> one;
  for (; c < channels; ++c)
    hn::StoreU(reduce(one, in + c, window), one, out + c);
}

template <class Visit>
HWY_INLINE void forEachSample(const PoolWindow &window, Visit visit) {
  for (int64_t y = 0; y < window.rows; ++y)
    for (int64_t x = 0; x < window.columns; ++x)
      visit(y * window.rowStep + x * window.columnStep);
}

/// The maximum of `columns` neighbours in each row.
template <int Columns, class D, typename Code>
HWY_INLINE hn::Vec<D> getMax(D d, const Code *from, const PoolWindow &window) {
  auto most = hn::Set(d, std::numeric_limits<Code>::min());
  for (int64_t y = 0; y < window.rows; ++y, from += window.rowStep) {
    if constexpr (Columns != 0)
      each<Columns>([&](auto x) HWY_ATTR {
        most = hn::Max(most, hn::LoadU(d, from + x * window.columnStep));
      });
    else
      for (int64_t x = 0; x < window.columns; ++x)
        most = hn::Max(most, hn::LoadU(d, from + x * window.columnStep));
  }
  return most;
}

template <int Columns, typename Code>
HWY_INLINE void maxVectors(const Code *in, const PoolWindow &window,
                           Code *out) {
  forEachVector(in, window, out,
                [](auto d, const Code *from, const PoolWindow &samples)
                    HWY_ATTR { return getMax<Columns>(d, from, samples); });
}

template <typename Code>
void maxPixel(const Code *in, const PoolWindow &window, Code *out) {
  if (window.columns == 3)
    maxVectors<3>(in, window, out);
  else if (window.columns == 2)
    maxVectors<2>(in, window, out);
  else
    maxVectors<0>(in, window, out);
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

inline constexpr PoolKernels pooling = {maxPixel<int8_t>, maxPixel<int16_t>,
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
