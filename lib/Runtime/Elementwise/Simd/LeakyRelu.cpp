// SPDX-License-Identifier: Apache-2.0

#include "Eltwise.h"

#include "Runtime/Simd/Target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Runtime/Elementwise/Simd/LeakyRelu.cpp"
#include "hwy/foreach_target.h"

#include "Runtime/Simd/Rows-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// One vector of 32-bit lanes; no product leaves them.
template <typename Code>
class LeakyLanes {
  using D = hn::ScalableTag<int32_t>;
  using V = hn::Vec<D>;

public:
  explicit LeakyLanes(const LeakyFormat &format)
      : shift(format.shift), zeroIn(hn::Set(d, format.zeroIn)),
        zeroOut(hn::Set(d, format.zeroOut)),
        multiplier(hn::Set(d, format.multiplier)),
        half(hn::Set(d, getRoundingHalf(format.shift))) {}

  /// `scale(value)` is that of values below 0.
  template <class Scale>
  HWY_INLINE V operator()(V code, const Scale &scale) const {
    if constexpr (sizeof(Code) == 2)
      return hn::IfThenElse(isNegative(code), scale(code), code);
    V value = hn::Sub(code, zeroIn);
    V scaled =
        hn::ShiftRightSame(hn::Add(hn::Mul(value, multiplier), half), shift);
    return hn::Add(hn::IfThenElse(isNegative(value), scale(value), scaled),
                   zeroOut);
  }

private:
  static HWY_INLINE hn::Mask<D> isNegative(V value) {
    return hn::Lt(value, hn::Zero(d));
  }

  static constexpr D d = {};
  int shift;
  V zeroIn, zeroOut, multiplier, half;
};

template <typename Code>
void leakyRow(const Code *in, const LeakyFormat &format, int32_t slope,
              int slopeShift, Code *out, int64_t count) {
  const hn::ScalableTag<int32_t> d;
  const LeakyLanes<Code> lanes(format);
  const auto multiplier = hn::Set(d, slope);
  const auto half = hn::Set(d, getRoundingHalf(slopeShift));
  mapRow(in, out, count, [&](auto codes) HWY_ATTR {
    return lanes(codes, [&](auto values) HWY_ATTR {
      return hn::ShiftRightSame(hn::Add(hn::Mul(values, multiplier), half),
                                slopeShift);
    });
  });
}

template <typename Code>
void leakyZip(const Code *in, const LeakyFormat &format,
              const LaneRatios &slopes, Code *out, int64_t count) {
  const hn::ScalableTag<int32_t> d;
  const LeakyLanes<Code> lanes(format);
  mapIndexed(in, out, count, [&](auto codes, int64_t at) HWY_ATTR {
    return lanes(codes, [&](auto values) HWY_ATTR {
      return scaleLanes(d, values, slopes, at);
    });
  });
}

template <typename Code>
inline constexpr LeakyKernels<Code> leaky = {leakyRow<Code>, leakyZip<Code>};

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace mli::rt::simd {

const LeakyKernels<int8_t> *leakyKernels(const LeakyFormat &format,
                                         int8_t /*code*/) {
  bool suits = format.zeroIn >= INT8_MIN && format.zeroIn <= INT8_MAX &&
               suitsLanes(format.multiplier, format.shift);
  return suits ? MLI_SIMD_CHOOSE(LeakyKernels<int8_t>, leaky<int8_t>) : nullptr;
}

const LeakyKernels<int16_t> *leakyKernels(const LeakyFormat & /*format*/,
                                          int16_t /*code*/) {
  return MLI_SIMD_CHOOSE(LeakyKernels<int16_t>, leaky<int16_t>);
}

} // namespace mli::rt::simd
#endif
