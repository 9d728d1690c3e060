// SPDX-License-Identifier: Apache-2.0
//
// Rows of depthwise outputs, of an arithmetic as Tile-inl.h describes it.
// Included once per target.

#if defined(MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISE_INL_H) ==               \
    defined(HWY_TARGET_TOGGLE)
#ifdef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISE_INL_H
#undef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISE_INL_H
#else
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISE_INL_H
#endif

#include "Depthwise.h"
#include "Tile-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// Interleaves rows of values: calls `combine(load)` for each vector of 32-bit
/// lanes, where `load(row)` gives them as 32-bit lanes.
template <typename Code, class Combine>
HWY_INLINE void interleaveRows(const void *const *rows, int group,
                               int64_t count, void *to, Combine combine) {
  const hn::ScalableTag<int32_t> d;
  const hn::Rebind<Code, decltype(d)> dc;
  constexpr int64_t lanes = hn::MaxLanes(d);
  auto *groups = static_cast<int32_t *>(to);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(combine([&](int row) HWY_ATTR {
                 return hn::PromoteTo(
                     d,
                     hn::LoadU(dc, static_cast<const Code *>(rows[row]) + i));
               }),
               d, groups + i);
  if (i == count)
    return;
  HWY_ALIGN Code rest[4][lanes] = {};
  auto bytes = static_cast<size_t>(count - i) * sizeof(Code);
  for (int row = 0; row < group; ++row)
    std::memcpy(rest[row], static_cast<const Code *>(rows[row]) + i, bytes);
  HWY_ALIGN int32_t last[lanes];
  hn::Store(combine([&](int row) HWY_ATTR {
              return hn::PromoteTo(d, hn::Load(dc, rest[row]));
            }),
            d, last);
  std::memcpy(groups + i, last,
              static_cast<size_t>(count - i) * sizeof(int32_t));
}

/// Two rows as pairs of 16 bits, less the zero point.
template <typename Code>
HWY_INLINE void interleavePairs(const void *const *rows, int64_t count,
                                int32_t zeroPoint, void *to) {
  const hn::ScalableTag<int32_t> d;
  const auto zero = hn::Set(d, zeroPoint);
  const auto low = hn::Set(d, 0xffff);
  interleaveRows<Code>(rows, 2, count, to, [&](auto load) HWY_ATTR {
    auto a = hn::Sub(load(0), zero);
    auto b = hn::Sub(load(1), zero);
    return hn::Or(hn::And(a, low), hn::ShiftLeft<16>(b));
  });
}

/// Four rows as quads of bytes, with `offset` added to each.
HWY_INLINE void interleaveQuads(const void *const *rows, int64_t count,
                                uint32_t offset, void *to) {
  const hn::ScalableTag<int32_t> d;
  // The weights of a missing last row are zero, and so is the row.
  bool isFull = rows[3] != nullptr;
  const auto sign = hn::Set(
      d, static_cast<int32_t>(offset * (isFull ? 0x01010101U : 0x00010101U)));
  auto three = [&](auto load) HWY_ATTR {
    auto ab = hn::Or(load(0), hn::ShiftLeft<8>(load(1)));
    return hn::Xor(hn::Or(ab, hn::ShiftLeft<16>(load(2))), sign);
  };
  if (isFull)
    interleaveRows<uint8_t>(rows, 4, count, to, [&](auto load) HWY_ATTR {
      return hn::Xor(three(load), hn::ShiftLeft<24>(load(3)));
    });
  else
    interleaveRows<uint8_t>(rows, 3, count, to, three);
}

/// Calls `interleave(rows, to)` for each pixel.
template <class Interleave>
HWY_INLINE void forEachPixel(const DepthwiseInputs &inputs, void *to,
                             Interleave interleave) {
  const void *rows[4];
  auto *groups = static_cast<int32_t *>(to);
  for (int64_t pixel = 0; pixel < inputs.pixels; ++pixel) {
    for (int row = 0; row < 4; ++row)
      rows[row] = inputs.rows[row]
                      ? inputs.rows[row] + pixel * inputs.steps[row]
                      : nullptr;
    interleave(rows, groups + pixel * inputs.count);
  }
}

template <typename Code>
void preparePairs(const DepthwiseInputs &inputs, void *to) {
  forEachPixel(
      inputs, to, [&](const void *const *rows, int32_t *groups) HWY_ATTR {
        interleavePairs<Code>(rows, inputs.count, inputs.zeroPoint, groups);
      });
}
inline void prepareQuads(const DepthwiseInputs &inputs, void *to) {
  forEachPixel(inputs, to,
               [&](const void *const *rows, int32_t *groups) HWY_ATTR {
                 interleaveQuads(rows, inputs.count, 128, groups);
               });
}
/// Moves quads of three rows on by `Stride` rows.
template <int Stride>
HWY_INLINE void advanceQuads(const DepthwiseInputs &inputs, void *to) {
  const hn::ScalableTag<int32_t> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  constexpr int64_t lanes = hn::MaxLanes(d);
  const auto sign = hn::Set(d, Stride == 1 ? 0x00800000 : 0x00808000);
  HWY_ALIGN int32_t last[lanes] = {};
  forEachPixel(
      inputs, to, [&](const void *const *rows, int32_t *groups) HWY_ATTR {
        const int32_t *quads = groups;
        int64_t left = inputs.count;
        auto combine = [&](auto load) HWY_ATTR {
          if (left < lanes)
            std::memcpy(last, quads,
                        static_cast<size_t>(left) * sizeof(int32_t));
          auto kept = hn::BitCast(
              d, hn::ShiftRight<8 * Stride>(hn::BitCast(
                     du, hn::LoadU(d, left < lanes ? last : quads))));
          quads += lanes;
          left -= lanes;
          auto added = hn::ShiftLeft<16>(load(Stride - 1));
          if constexpr (Stride == 2)
            added = hn::Or(added, hn::ShiftLeft<8>(load(0)));
          return hn::Or(kept, hn::Xor(added, sign));
        };
        interleaveRows<uint8_t>(rows, Stride, inputs.count, groups, combine);
      });
}
inline void advanceQuads(const DepthwiseInputs &inputs, int64_t stride,
                         void *to) {
  if (stride == 1)
    advanceQuads<1>(inputs, to);
  else
    advanceQuads<2>(inputs, to);
}

inline void packQuads(const void *const *rows, int64_t count, void *to) {
  interleaveQuads(rows, count, 0, to);
}
template <typename Weight>
void packPairs(const void *const *rows, int64_t count, void *to) {
  interleavePairs<Weight>(rows, count, 0, to);
}

template <class Dot>
void sumQuads(const void *packed, int64_t tapCount, int32_t *sums) {
  const hn::ScalableTag<int32_t> d;
  constexpr int64_t lanes = hn::MaxLanes(d);
  const auto ones = hn::Set(d, 0x01010101);
  for (int64_t lane = 0; lane < panelChannels; lane += lanes) {
    auto total = hn::LoadU(d, sums + lane);
    for (int64_t tap = 0; tap < tapCount; ++tap)
      total = Dot::add(d, total, ones,
                       Dot::weights(d, static_cast<const int8_t *>(packed) +
                                           (tap * panelChannels + lane) * 4));
    hn::StoreU(total, d, sums + lane);
  }
}

template <class D>
HWY_INLINE hn::Vec<D> loadGroups(D d, const char *from) {
  return hn::BitCast(
      d, hn::LoadU(Codes8<D>(), reinterpret_cast<const int8_t *>(from)));
}

/// The outputs of the channels from `channel` on, one vector of them; `Taps`
/// is their number of groups, or 0 for any.
template <class A, class D, int Taps>
HWY_NOINLINE void depthwiseChannels(const DepthwiseRow &row, int64_t channel) {
  const D d;
  const typename A::template Codes<D> both;
  const hn::Half<decltype(both)> one;
  using Code = typename A::Code;
  const int64_t tapCount = Taps == 0 ? row.tapCount : Taps;
  const int8_t *weights =
      row.weights + channel / panelChannels * tapCount * (panelChannels * 4) +
      channel % panelChannels * 4;
  const Channels channels = {row.blocks[channel / panelChannels],
                             channel % panelChannels};
  const auto scales = A::scales(d, channels);
  const char *input = row.input + channel * 4;
  char *out = row.out + channel * sizeof(Code);
  int64_t left = row.channels - channel;
  decltype(A::Dot::weights(d, weights)) loaded[Taps == 0 ? 1 : Taps];
  if constexpr (Taps != 0)
    each<Taps>([&](auto tap) HWY_ATTR {
      loaded[tap] = A::Dot::weights(d, weights + tap * (panelChannels * 4));
    });
  // Two pixels at once; the last of an odd number is its own neighbour.
  for (int64_t column = 0; column < row.columns; column += 2) {
    bool isLast = column + 1 == row.columns;
    const char *next = isLast ? input : input + row.columnStep;
    auto a = A::start(d, channels);
    auto b = A::start(d, channels);
    auto add = [&](int64_t tap, auto w) HWY_ATTR {
      A::add(d, a, loadGroups(d, input + row.taps[tap]), w);
      A::add(d, b, loadGroups(d, next + row.taps[tap]), w);
    };
    if constexpr (Taps != 0)
      each<Taps>([&](auto tap) HWY_ATTR { add(tap, loaded[tap]); });
    else
      for (int64_t tap = 0; tap < tapCount; ++tap)
        add(tap, A::Dot::weights(d, weights + tap * (panelChannels * 4)));
    auto codes = A::finish(d, a, scales, b, scales, row.format);
    storeCodes(one, hn::LowerHalf(one, codes), reinterpret_cast<Code *>(out),
               left);
    if (!isLast)
      storeCodes(one, hn::UpperHalf(one, codes),
                 reinterpret_cast<Code *>(out + row.outColumn), left);
    input = next + row.columnStep;
    out += 2 * row.outColumn;
  }
}

template <class A, class D>
HWY_INLINE void depthwiseVector(const DepthwiseRow &row, int64_t channel) {
  // 3x3 by quads and by pairs.
  if (row.tapCount == 3)
    depthwiseChannels<A, D, 3>(row, channel);
  else if (row.tapCount == 6)
    depthwiseChannels<A, D, 6>(row, channel);
  else
    depthwiseChannels<A, D, 0>(row, channel);
}

template <class A>
void runDepthwise(const DepthwiseRow &row) {
  using D = hn::ScalableTag<int32_t>;
  constexpr int64_t lanes = hn::MaxLanes(D());
  for (int64_t channel = 0; channel < row.channels; channel += lanes) {
    if (lanes > 8 && row.channels - channel <= 8)
      depthwiseVector<A, hn::CappedTag<int32_t, 8>>(row, channel);
    else
      depthwiseVector<A, D>(row, channel);
  }
}

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISE_INL_H
