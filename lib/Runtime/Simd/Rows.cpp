// SPDX-License-Identifier: Apache-2.0

#include "Runtime/Simd/Rows.h"

#include "Runtime/Simd/Target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Runtime/Simd/Rows.cpp"
#include "hwy/foreach_target.h"

#include "Runtime/Simd/Rows-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

template <typename Code>
void clipRow(const Code *in, Code low, Code high, Code *out, int64_t count) {
  const hn::ScalableTag<Code> d;
  constexpr int64_t lanes = hn::MaxLanes(d);
  const auto least = hn::Set(d, low);
  const auto most = hn::Set(d, high);
  auto clip = [&](auto codes)
                  HWY_ATTR { return hn::Min(hn::Max(codes, least), most); };
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(clip(hn::LoadU(d, in + i)), d, out + i);
  if (i == count)
    return;
  HWY_ALIGN Code rest[lanes] = {};
  auto left = static_cast<size_t>(count - i) * sizeof(Code);
  std::memcpy(rest, in + i, left);
  hn::Store(clip(hn::Load(d, rest)), d, rest);
  std::memcpy(out + i, rest, left);
}

/// Sums of pairs of squares, which are below 2^32, in 64 bits.
class SquareSums {
  using D = hn::ScalableTag<int32_t>;
  using D64 = hn::Repartition<uint64_t, D>;

public:
  SquareSums() : even(hn::Zero(D64())), odd(hn::Zero(D64())) {}
  HWY_INLINE void add(hn::Vec<D> pairs) {
    auto both = hn::BitCast(D64(), pairs);
    even = hn::Add(even, hn::And(both, hn::Set(D64(), 0xffffffffU)));
    odd = hn::Add(odd, hn::ShiftRight<32>(both));
  }
  HWY_INLINE int64_t total() const {
    HWY_ALIGN uint64_t sums[lanes];
    hn::Store(hn::Add(even, odd), D64(), sums);
    uint64_t sum = 0;
    for (uint64_t part : sums)
      sum += part;
    return static_cast<int64_t>(sum);
  }
  /// Sums of each pair.
  HWY_INLINE void store(int64_t *sums) const {
    HWY_ALIGN int64_t parts[2][lanes];
    const hn::RebindToSigned<D64> d;
    hn::Store(hn::BitCast(d, even), d, parts[0]);
    hn::Store(hn::BitCast(d, odd), d, parts[1]);
    for (size_t i = 0; i < 2 * lanes; ++i)
      sums[i] = parts[i % 2][i / 2];
  }

private:
  static constexpr size_t lanes = hn::MaxLanes(D64());
  hn::Vec<D64> even, odd;
};

template <typename Code>
int64_t sumSquares(const Code *in, int32_t zeroPoint, int64_t count) {
  const hn::ScalableTag<int32_t> d;
  const Codes16<decltype(d)> d16;
  const hn::Rebind<Code, decltype(d16)> dc;
  constexpr int64_t lanes = hn::MaxLanes(d16);
  const auto zero = hn::Set(d16, static_cast<int16_t>(zeroPoint));
  SquareSums sums;
  auto add = [&](auto codes) HWY_ATTR {
    if constexpr (sizeof(Code) == 1) {
      auto values = hn::Sub(hn::PromoteTo(d16, codes), zero);
      sums.add(multiplyPairs(d, values, values));
    } else {
      sums.add(multiplyPairs(d, codes, codes));
    }
  };
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    add(hn::LoadU(dc, in + i));
  if (i < count) {
    HWY_ALIGN Code rest[lanes];
    hn::Store(hn::Set(dc, static_cast<Code>(zeroPoint)), dc, rest);
    std::memcpy(rest, in + i, static_cast<size_t>(count - i) * sizeof(Code));
    add(hn::Load(dc, rest));
  }
  return sums.total();
}

template <typename Code>
void scaleRow(const Code *in, const RowScale &scale, Code *out, int64_t count) {
  const hn::ScalableTag<int32_t> d;
  const auto zero = hn::Set(d, scale.zeroPoint);
  const auto multiplier = hn::Set(d, scale.multiplier);
  const auto half = hn::Set(d, getRoundingHalf(scale.shift));
  mapRow(in, out, count, [&](auto codes) HWY_ATTR {
    auto product = hn::Mul(hn::Sub(codes, zero), multiplier);
    return hn::ShiftRightSame(hn::Add(product, half), scale.shift);
  });
}

template <typename Code>
void columnSquares(const CodeColumns<Code> &columns, int32_t zeroPoint,
                   int64_t *sums) {
  const hn::ScalableTag<int32_t> d;
  const hn::Rebind<Code, decltype(d)> dc;
  constexpr int64_t lanes = hn::MaxLanes(d);
  const auto zero = hn::Set(d, zeroPoint);
  for (int64_t i = 0; i < columns.count; i += lanes) {
    int64_t left = columns.count - i;
    const Code *codes = columns.first + i;
    SquareSums column;
    for (int64_t row = 0; row < columns.rows; ++row, codes += columns.step) {
      auto vector =
          left >= lanes ? hn::LoadU(dc, codes) : loadN(dc, codes, left);
      auto value = hn::Sub(hn::PromoteTo(d, vector), zero);
      column.add(hn::Mul(value, value));
    }
    column.store(sums + i);
  }
}

template <typename Code>
void scaleEach(const Code *in, int32_t zeroPoint, const LaneRatios &ratios,
               Code *out, int64_t count) {
  const hn::ScalableTag<int32_t> d;
  const auto zero = hn::Set(d, zeroPoint);
  mapIndexed(in, out, count, [&](auto codes, int64_t at) HWY_ATTR {
    return scaleLanes(d, hn::Sub(codes, zero), ratios, at);
  });
}

template <typename Code>
Code rowMaximum(const Code *in, int64_t count) {
  const hn::ScalableTag<Code> d;
  constexpr int64_t lanes = hn::MaxLanes(d);
  HWY_ALIGN Code rest[lanes];
  hn::Store(hn::Set(d, in[0]), d, rest);
  int64_t whole = count / lanes * lanes;
  std::memcpy(rest, in + whole,
              static_cast<size_t>(count - whole) * sizeof(Code));
  auto most = hn::Load(d, rest);
  for (int64_t i = 0; i < whole; i += lanes)
    most = hn::Max(most, hn::LoadU(d, in + i));
  hn::Store(most, d, rest);
  Code largest = rest[0];
  for (Code code : rest)
    largest = code > largest ? code : largest;
  return largest;
}

template <typename Code>
inline constexpr RowKernels<Code> rows = {clipRow<Code>,   sumSquares<Code>,
                                          scaleRow<Code>,  columnSquares<Code>,
                                          scaleEach<Code>, rowMaximum<Code>};

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace mli::rt::simd {

const RowKernels<int8_t> *rowKernels(int8_t /*code*/) {
  return MLI_SIMD_CHOOSE(RowKernels<int8_t>, rows<int8_t>);
}

const RowKernels<int16_t> *rowKernels(int16_t /*code*/) {
  return MLI_SIMD_CHOOSE(RowKernels<int16_t>, rows<int16_t>);
}

} // namespace mli::rt::simd
#endif
