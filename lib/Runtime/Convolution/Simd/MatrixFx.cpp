// SPDX-License-Identifier: Apache-2.0
//
// The inner kernels of fx16 with weights of 8 and of 16 bits.

#include "Depthwise.h"
#include "Matrix.h"
#include "Runtime/Simd/Target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Runtime/Convolution/Simd/MatrixFx.cpp"
#include "hwy/foreach_target.h"

#include "Contiguous-inl.h"
#include "Depthwise-inl.h"
#include "Grid-inl.h"
#include "Pack-inl.h"
#include "Runtime/Simd/Ratios.h"
#include "Runtime/Simd/Requantize-inl.h"

#include <limits>

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// The fx16 values of two vectors of results that are still 32 bits wide.
template <class D>
HWY_INLINE hn::Vec<Codes16<D>> narrowCodes(D /*d*/, hn::Vec<D> a, hn::Vec<D> b,
                                           const OutputFormat &format) {
  const Codes16<D> d16;
  auto codes = inOrder(d16, hn::ReorderDemote2To(d16, a, b));
  return hn::Max(hn::Min(codes, hn::Set(d16, format.high)),
                 hn::Set(d16, format.low));
}

/// The types that weights of both widths share; panels have `WeightType`.
template <typename WeightType>
struct Fx16 {
  using Weight = WeightType;
  using Code = int16_t;
  template <class D>
  using Codes = Codes16<D>;
  static constexpr bool isSa8 = false;

  /// All channels have the shift of the format.
  template <class D>
  static HWY_INLINE Channels scales(D /*d*/, const Channels &channels) {
    return channels;
  }
};

/// 8-bit weights, packed as `Packed`: 32-bit sums that wrap.
template <typename Packed, bool HasDot>
struct Fx16Fx8 : Fx16<Packed>, VectorSums<PairDot<Packed, HasDot>> {
  template <class D>
  static HWY_INLINE auto finish(D d, hn::Vec<D> a, const Channels &channelsA,
                                hn::Vec<D> b, const Channels &channelsB,
                                const OutputFormat &format) {
    if (HWY_UNLIKELY(format.hasLateBias != 0)) {
      a = withBias(d, a, channelsA, format);
      b = withBias(d, b, channelsB, format);
    }
    return narrowCodes(d, hn::ShiftRightSame(a, format.shift),
                       hn::ShiftRightSame(b, format.shift), format);
  }

private:
  /// The sum with its bias and the rounding constant; both additions saturate.
  template <class D>
  static HWY_INLINE hn::Vec<D> withBias(D d, hn::Vec<D> sum,
                                        const Channels &channels,
                                        const OutputFormat &format) {
    auto bias = hn::LoadU(d, channels.block.lateBias + channels.lane);
    auto total = hn::Add(sum, bias);
    // Overflow if both operands have the sign that the result has not.
    auto overflow = hn::And(hn::Xor(sum, total), hn::Xor(bias, total));
    auto limit = hn::Xor(hn::Set(d, std::numeric_limits<int32_t>::max()),
                         hn::ShiftRight<31>(bias));
    total = hn::IfThenElse(hn::Lt(overflow, hn::Zero(d)), limit, total);
    int32_t half = getRoundingHalf(format.shift);
    return hn::Add(
        hn::Min(total, hn::Set(d, std::numeric_limits<int32_t>::max() - half)),
        hn::Set(d, half));
  }
};

/// The upper and the lower bytes of 16-bit pairs of weights.
template <class V>
struct SplitWeights {
  V upper;
  V lower;
};

template <bool HasDot>
struct SplitDot {
  static constexpr int group = 2;
  static constexpr bool takesLanes = false;

  template <class D>
  static HWY_INLINE auto weights(D d, const int8_t *from) {
    const Codes16<D> d16;
    auto both = PairDot<int16_t, HasDot>::weights(d, from);
    return SplitWeights<decltype(both)>{hn::ShiftRight<8>(both),
                                        hn::And(both, hn::Set(d16, 255))};
  }
};

/// 16-bit weights: 64-bit sums, of products with the two bytes of weights each
/// on its own: top * 2^24 + middle * 2^8 + low.
template <bool HasDot>
struct Fx16Fx16 : Fx16<int16_t> {
  using Dot = SplitDot<HasDot>;
  template <class V>
  struct Sums {
    V low;
    V middle;
    V top;
  };
  template <class D>
  using Sum = Sums<hn::Vec<D>>;
  template <class D>
  using Split =
      std::conditional_t<addsPairsSplit, Sums<SplitSums<hn::Vec<D>>>, Sum<D>>;
  /// Split, the top ones need registers, too: else sums move between them.
  static constexpr int registersPerSum = addsPairsSplit ? 6 : 2;
  static constexpr int registersPerInput = 0;
  static constexpr int registersPerWeights = 2;
  /// Two products with a lower byte are below 2^24.
  static constexpr int64_t flushAfter = 127;

  template <class D>
  static HWY_INLINE Sum<D> start(D d, const Channels &channels) {
    auto bias = hn::LoadU(d, channels.block.start + channels.lane);
    return {hn::And(bias, hn::Set(d, 255)), hn::ShiftRight<8>(bias),
            hn::Zero(d)};
  }
  template <class D>
  static HWY_INLINE Split<D> split(D d, const Sum<D> &sum) {
    if constexpr (addsPairsSplit)
      return convertSums(
          sum, [d](auto part) MLI_SIMD_INLINED { return splitSums(d, part); });
    else
      return sum;
  }
  template <class D>
  static HWY_INLINE Sum<D> join(D d, const Split<D> &sum) {
    if constexpr (addsPairsSplit)
      return convertSums(
          sum, [d](auto part) MLI_SIMD_INLINED { return joinSums(d, part); });
    else
      return sum;
  }
  template <class D, class S, class W>
  static HWY_INLINE void add(D d, S &sum, hn::Vec<D> input, W weights) {
    auto pairs = hn::BitCast(Codes16<D>(), input);
    sum.low = multiplyAddPairs<HasDot>(d, sum.low, pairs, weights.lower);
    sum.middle = multiplyAddPairs<HasDot>(d, sum.middle, pairs, weights.upper);
  }
  template <class D>
  static HWY_INLINE void flush(D d, Sums<SplitSums<hn::Vec<D>>> &sum) {
    Sum<D> lower = {sum.low.lower, sum.middle.lower, sum.top.lower};
    Sum<D> upper = {sum.low.upper, sum.middle.upper, sum.top.upper};
    flush(d, lower);
    flush(d, upper);
    sum = {{lower.low, upper.low},
           {lower.middle, upper.middle},
           {lower.top, upper.top}};
  }
  template <class D>
  static HWY_INLINE void flush(D d, Sum<D> &sum) {
    sum.middle = hn::Add(sum.middle, hn::ShiftRight<8>(sum.low));
    sum.low = hn::And(sum.low, hn::Set(d, 255));
    sum.top = hn::Add(sum.top, hn::ShiftRight<16>(sum.middle));
    sum.middle = hn::And(sum.middle, hn::Set(d, 0xffff));
  }
  template <class D>
  static HWY_INLINE auto finish(D d, const Sum<D> &a, const Channels &,
                                const Sum<D> &b, const Channels &,
                                const OutputFormat &format) {
    return narrowCodes(d, shifted(d, a, format), shifted(d, b, format), format);
  }

private:
  template <class V, class Convert>
  static HWY_INLINE auto convertSums(const Sums<V> &sum, Convert convert) {
    return Sums<decltype(convert(sum.low))>{
        convert(sum.low), convert(sum.middle), convert(sum.top)};
  }

  /// The sum over 2^shift, rounded, for shifts from 0 on, saturated to 32 bits.
  template <class D>
  static HWY_INLINE hn::Vec<D> shifted(D d, Sum<D> sum,
                                       const OutputFormat &format) {
    flush(d, sum);
    auto high =
        hn::Add(hn::ShiftLeft<8>(sum.top), hn::ShiftRight<8>(sum.middle));
    if (HWY_LIKELY(format.shift > 16)) {
      auto total = hn::Add(high, hn::Set(d, 1 << (format.shift - 17)));
      return hn::ShiftRightSame(total, format.shift - 16);
    }
    auto rest = hn::Add(hn::ShiftLeft<8>(hn::And(sum.middle, hn::Set(d, 255))),
                        sum.low);
    return shiftedLittle(d, high, rest, format.shift);
  }

  /// The same for up to 16 bits, lane by lane: outputs with as many fraction
  /// bits as the products have are rare.
  template <class D>
  static HWY_NOINLINE hn::Vec<D> shiftedLittle(D d, hn::Vec<D> high,
                                               hn::Vec<D> rest, int shift) {
    constexpr size_t lanes = hn::MaxLanes(d);
    HWY_ALIGN int32_t highs[lanes];
    HWY_ALIGN int32_t rests[lanes];
    hn::Store(high, d, highs);
    hn::Store(rest, d, rests);
    for (size_t i = 0; i < lanes; ++i) {
      int64_t total = int64_t{highs[i]} * 65536 + int64_t{rests[i]};
      if (shift > 0)
        total = (total + (int64_t{1} << (shift - 1))) >> shift;
      constexpr int64_t most = std::numeric_limits<int32_t>::max();
      highs[i] = static_cast<int32_t>(total > most        ? most
                                      : total < -most - 1 ? -most - 1
                                                          : total);
    }
    return hn::Load(d, highs);
  }
};

/// Weights of type `Weight`, packed by `P`, multiplied by `run`.
template <class A, typename Weight, class P>
constexpr MatrixKernels fixedPointKernels(void (*run)(const Grid &)) {
  return {2,     sizeof(int16_t), sizeof(Weight), sizeof(typename A::Weight),
          false, nullptr,         packPanels<P>,  run};
}

// fx16 takes product instructions for pairs.
template <QuadInputs Quads>
using Bytes = Fx16Fx8<int8_t, hasPairDot<Quads>>;
template <QuadInputs Quads>
using Words = Fx16Fx8<int16_t, hasPairDot<Quads>>;
template <QuadInputs Quads>
using Wide = Fx16Fx16<hasPairDot<Quads>>;

template <QuadInputs Quads>
inline constexpr MatrixKernels fx16Fx8Bytes =
    fixedPointKernels<Bytes<Quads>, int8_t, PackedBytes<2>>(
        runGrid<Bytes<Quads>>);
template <QuadInputs Quads>
inline constexpr MatrixKernels fx16Fx8Words =
    fixedPointKernels<Words<Quads>, int8_t, PackedWords<int8_t>>(
        runGrid<Words<Quads>>);
inline constexpr MatrixKernels contiguous = {
    contiguousInputs,
    sizeof(int16_t),
    1,
    1,
    false,
    nullptr,
    packContiguous,
    runContiguous<Bytes<QuadInputs::None>>};
template <QuadInputs Quads>
inline constexpr MatrixKernels fx16Fx16 =
    fixedPointKernels<Wide<Quads>, int16_t, PackedWords<int16_t>>(
        runGrid<Wide<Quads>>);

/// Weights are interleaved as pairs of 16 bits, whatever their own width.
template <class A, typename Weight>
constexpr DepthwiseKernels fixedPointDepthwise() {
  return {2,
          false,
          preparePairs<int16_t>,
          nullptr,
          packPairs<Weight>,
          nullptr,
          runDepthwise<A>,
          nullptr,
          A::flushAfter};
}
inline constexpr DepthwiseKernels narrowDepthwise =
    fixedPointDepthwise<Words<QuadInputs::None>, int8_t>();
template <QuadInputs Quads>
inline constexpr DepthwiseKernels wideDepthwise =
    fixedPointDepthwise<Wide<Quads>, int16_t>();

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace mli::rt::simd {

const MatrixKernels *fx16Fx8Kernels(bool isNarrow) {
  return isNarrow ? MLI_SIMD_CHOOSE_DOT(MatrixKernels, fx16Fx8Bytes)
                  : MLI_SIMD_CHOOSE_DOT(MatrixKernels, fx16Fx8Words);
}

const MatrixKernels *fx16Fx8Contiguous() {
  return MLI_SIMD_CHOOSE(MatrixKernels, contiguous);
}

const MatrixKernels *fx16Kernels() {
  return MLI_SIMD_CHOOSE_DOT(MatrixKernels, fx16Fx16);
}

const DepthwiseKernels *fx16Fx8Depthwise() {
  return MLI_SIMD_CHOOSE(DepthwiseKernels, narrowDepthwise);
}

const DepthwiseKernels *fx16Depthwise() {
  return MLI_SIMD_CHOOSE_DOT(DepthwiseKernels, wideDepthwise);
}

} // namespace mli::rt::simd
#endif
