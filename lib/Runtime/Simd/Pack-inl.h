// SPDX-License-Identifier: Apache-2.0
//
// Packing of weight rows into panels, and the preparation of inputs. Included
// once per target.

#if defined(MLI_LIB_RUNTIME_SIMD_PACK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef MLI_LIB_RUNTIME_SIMD_PACK_INL_H
#undef MLI_LIB_RUNTIME_SIMD_PACK_INL_H
#else
#define MLI_LIB_RUNTIME_SIMD_PACK_INL_H
#endif

#include "Runtime/Simd/Dot-inl.h"
#include "Runtime/Simd/Matrix.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// The rows of a segment one after another, zeros beyond the last.
template <typename Weight>
class RowReader {
public:
  RowReader(const WeightRows &rows, int64_t channels)
      : rows(rows), channels(channels),
        tap(static_cast<const Weight *>(rows.base)), next(tap),
        left(rows.count()), leftOfTap(rows.depth) {}

  /// 16 weights of the next row; what is not there is zero.
  HWY_INLINE const Weight *read() {
    if (left == 0)
      return std::end(buffers[0]) - panelChannels;
    const Weight *row = next;
    --left;
    next += rows.rowStride;
    if (--leftOfTap == 0) {
      tap += rows.tapStride;
      next = tap;
      leftOfTap = rows.depth;
    }
    if (HWY_LIKELY(channels >= panelChannels))
      return row;
    Weight *buffer = buffers[1 + left % 4];
    std::memcpy(buffer, row, static_cast<size_t>(channels) * sizeof(Weight));
    return buffer;
  }

private:
  const WeightRows &rows;
  int64_t channels;
  const Weight *tap;
  const Weight *next;
  int64_t left;
  int64_t leftOfTap;
  Weight buffers[5][panelChannels] = {};
};

/// One group of 8-bit rows interleaved: the first of all channels together.
template <int Group>
HWY_INLINE void packBytes(RowReader<int8_t> &rows, int8_t *panel) {
  const hn::FixedTag<int8_t, 16> d;
  auto a = hn::LoadU(d, rows.read());
  auto b = hn::LoadU(d, rows.read());
  auto low = hn::InterleaveLower(d, a, b);
  auto high = hn::InterleaveUpper(d, a, b);
  if constexpr (Group == 2) {
    hn::StoreU(low, d, panel);
    hn::StoreU(high, d, panel + 16);
  } else {
    const hn::FixedTag<int16_t, 8> d16;
    auto e = hn::LoadU(d, rows.read());
    auto f = hn::LoadU(d, rows.read());
    auto lowB = hn::BitCast(d16, hn::InterleaveLower(d, e, f));
    auto highB = hn::BitCast(d16, hn::InterleaveUpper(d, e, f));
    auto lowA = hn::BitCast(d16, low);
    auto highA = hn::BitCast(d16, high);
    auto *to = reinterpret_cast<int16_t *>(panel);
    hn::StoreU(hn::InterleaveLower(d16, lowA, lowB), d16, to);
    hn::StoreU(hn::InterleaveUpper(d16, lowA, lowB), d16, to + 8);
    hn::StoreU(hn::InterleaveLower(d16, highA, highB), d16, to + 16);
    hn::StoreU(hn::InterleaveUpper(d16, highA, highB), d16, to + 24);
  }
}

template <int Group>
void packPanel8(const WeightRows &rows, int64_t channels, int8_t *panel,
                int32_t *sums) {
  RowReader<int8_t> reader(rows, channels);
  const hn::FixedTag<int32_t, 4> d;
  const auto ones = hn::Set(hn::FixedTag<int16_t, 8>(), 1);
  hn::Vec<decltype(d)> totals[4];
  each<4>([&](auto i) HWY_ATTR { totals[i] = hn::LoadU(d, sums + 4 * i); });
  for (int64_t row = 0; row < rows.count(); row += Group) {
    packBytes<Group>(reader, panel);
    if constexpr (Group == 4)
      each<4>([&](auto i) HWY_ATTR {
        auto quads =
            hn::BitCast(hn::FixedTag<int16_t, 8>(),
                        hn::LoadU(hn::FixedTag<int8_t, 16>(), panel + 16 * i));
        auto pairs = hn::Add(hn::ShiftRight<8>(hn::ShiftLeft<8>(quads)),
                             hn::ShiftRight<8>(quads));
        totals[i] = multiplyAddPairs<false>(d, totals[i], pairs, ones);
      });
    panel += Group * panelChannels;
  }
  each<4>([&](auto i) HWY_ATTR { hn::StoreU(totals[i], d, sums + 4 * i); });
}

inline void packPanel16(const WeightRows &rows, int64_t channels, int8_t *panel,
                        int32_t * /*sums*/) {
  RowReader<int16_t> reader(rows, channels);
  const hn::FixedTag<int16_t, 8> d;
  auto *to = reinterpret_cast<int16_t *>(panel);
  for (int64_t row = 0; row < rows.count(); row += 2) {
    const int16_t *a = reader.read();
    const int16_t *b = reader.read();
    for (int half = 0; half < 16; half += 8) {
      auto x = hn::LoadU(d, a + half);
      auto y = hn::LoadU(d, b + half);
      hn::StoreU(hn::InterleaveLower(d, x, y), d, to + 2 * half);
      hn::StoreU(hn::InterleaveUpper(d, x, y), d, to + 2 * half + 8);
    }
    to += 2 * panelChannels;
  }
}

/// 16 bits of each code less the zero point.
inline void prepareWidened(const void *from, int64_t count, int32_t zeroPoint,
                           void *to) {
  const hn::ScalableTag<int16_t> d;
  const hn::Rebind<int8_t, decltype(d)> d8;
  const auto *codes = static_cast<const int8_t *>(from);
  auto *prepared = static_cast<int16_t *>(to);
  const auto zero = hn::Set(d, static_cast<int16_t>(zeroPoint));
  constexpr int64_t lanes = hn::MaxLanes(d);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(hn::Sub(hn::PromoteTo(d, hn::LoadU(d8, codes + i)), zero), d,
               prepared + i);
  for (; i < count; ++i)
    prepared[i] = static_cast<int16_t>(codes[i] - zeroPoint);
}

/// Codes plus 128, unsigned.
inline void prepareOffset(const void *from, int64_t count, int32_t /*zero*/,
                          void *to) {
  const hn::ScalableTag<uint8_t> d;
  const auto *codes = static_cast<const uint8_t *>(from);
  auto *prepared = static_cast<uint8_t *>(to);
  const auto sign = hn::Set(d, uint8_t{128});
  constexpr int64_t lanes = hn::MaxLanes(d);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(hn::Xor(hn::LoadU(d, codes + i), sign), d, prepared + i);
  for (; i < count; ++i)
    prepared[i] = codes[i] ^ 128;
}

inline void prepareCopy(const void *from, int64_t count, int32_t /*zero*/,
                        void *to) {
  std::memcpy(to, from, static_cast<size_t>(count) * sizeof(int16_t));
}

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#endif // MLI_LIB_RUNTIME_SIMD_PACK_INL_H
