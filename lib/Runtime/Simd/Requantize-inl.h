// SPDX-License-Identifier: Apache-2.0
//
// Requantises 32-bit sums, two vectors at once. Included once per target.

#if defined(MLI_LIB_RUNTIME_SIMD_REQUANTIZE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef MLI_LIB_RUNTIME_SIMD_REQUANTIZE_INL_H
#undef MLI_LIB_RUNTIME_SIMD_REQUANTIZE_INL_H
#else
#define MLI_LIB_RUNTIME_SIMD_REQUANTIZE_INL_H
#endif

#include "Runtime/Simd/ChannelBlock.h"
#include "Runtime/Simd/Dot-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// Puts the lanes of ReorderDemote2To in order: first all of `a`, then of `b`.
template <class D, class V>
HWY_INLINE V inOrder(D d, V demoted) {
  constexpr size_t quads = hn::MaxLanes(d) / 4;
  if constexpr (quads <= 2) {
    return demoted;
  } else {
    const hn::Repartition<int64_t, D> d64;
    HWY_ALIGN static constexpr int64_t four[4] = {0, 2, 1, 3};
    HWY_ALIGN static constexpr int64_t eight[8] = {0, 2, 4, 6, 1, 3, 5, 7};
    return hn::BitCast(
        d, hn::TableLookupLanes(
               hn::BitCast(d64, demoted),
               hn::SetTableIndices(d64, quads == 4 ? four : eight)));
  }
}

/// The scales of a vector of channels.
template <class D>
struct VectorScales {
  hn::Vec<D> multiplier;
  hn::Vec<D> preShift;
  hn::Vec<D> shift;
};

/// Loads those of the channels from `lane` on.
template <class D>
HWY_INLINE VectorScales<D> loadScales(D d, const ChannelBlock &block,
                                      int64_t lane) {
  const hn::Rebind<int16_t, D> d16;
  const hn::Rebind<int8_t, D> d8;
  const ChannelScales &scales = block.scales;
  return {hn::PromoteTo(d, hn::LoadU(d16, scales.multiplier + lane)),
          hn::PromoteTo(d, hn::LoadU(d8, scales.preShift + lane)),
          hn::PromoteTo(d, hn::LoadU(d8, scales.shift + lane))};
}

/// The 16-bit values of two vectors of sums that include their start, before
/// the order of ReorderDemote2To is undone: K11. The second product of each
/// pair is the rounding constant, 2^14 times the power that it takes.
template <class D>
HWY_INLINE hn::Vec<Codes16<D>>
requantize(D d, hn::Vec<D> a, const VectorScales<D> &scalesA, hn::Vec<D> b,
           const VectorScales<D> &scalesB) {
  const Codes16<D> d16;
  auto narrow = hn::ReorderDemote2To(d16, hn::Shr(a, scalesA.preShift),
                                     hn::Shr(b, scalesB.preShift));
  const auto half = hn::Set(d16, 1 << 14);
  auto getFactors = [&](const VectorScales<D> &scales) HWY_ATTR {
    // 2^(shift - 15) in the upper 16 bits.
    auto rounding = hn::Shl(hn::Set(d, 2), scales.shift);
    return hn::BitCast(d16, hn::Or(scales.multiplier, rounding));
  };
  auto productA = multiplyPairs(d, hn::InterleaveLower(d16, narrow, half),
                                getFactors(scalesA));
  auto productB = multiplyPairs(d, hn::InterleaveUpper(d16, narrow, half),
                                getFactors(scalesB));
  return hn::ReorderDemote2To(d16, hn::Shr(productA, scalesA.shift),
                              hn::Shr(productB, scalesB.shift));
}

/// The smallest second shift with which the high halves of the products are all
/// that is needed.
inline constexpr int32_t smallestHighShift = 17;

/// The parameters of two vectors of sums whose second shifts are at least
/// `smallestHighShift`, in the order of ReorderDemote2To. K11 takes 5
/// instructions then: the low half of a product cannot reach the result, and
/// the rest of the shift is a rounded product with a power of two.
template <class D>
class HighRequantizer {
public:
  using V = hn::Vec<D>;
  using V16 = hn::Vec<Codes16<D>>;

  HWY_INLINE void set(const VectorScales<D> &a, const VectorScales<D> &b) {
    const D d;
    const Codes16<D> d16;
    preShiftA = a.preShift;
    preShiftB = b.preShift;
    multiplier = hn::ReorderDemote2To(d16, a.multiplier, b.multiplier);
    // 2^(15 + 16 - shift): what is multiplied by it loses 15 bits.
    auto getPower = [&](V shift) HWY_ATTR {
      return hn::Shl(hn::Set(d, 1), hn::Sub(hn::Set(d, 31), shift));
    };
    power = hn::ReorderDemote2To(d16, getPower(a.shift), getPower(b.shift));
  }
  /// The same of multipliers and second shifts in the order of both vectors.
  HWY_INLINE void set(V preA, V preB, V16 multipliers, V16 shifts) {
    const Codes16<D> d16;
    preShiftA = preA;
    preShiftB = preB;
    multiplier = multipliers;
    power = hn::Shl(hn::Set(d16, 1), hn::Sub(hn::Set(d16, 31), shifts));
  }

  /// Stores the parameters of both vectors, to be loaded again.
  HWY_INLINE void store(int32_t *preShifts, int16_t *multipliers,
                        int16_t *powers) const {
    const D d;
    const Codes16<D> d16;
    hn::StoreU(preShiftA, d, preShifts);
    hn::StoreU(preShiftB, d, preShifts + hn::MaxLanes(d));
    hn::StoreU(multiplier, d16, multipliers);
    hn::StoreU(power, d16, powers);
  }
  HWY_INLINE void load(const int32_t *preShifts, const int16_t *multipliers,
                       const int16_t *powers) {
    const D d;
    const Codes16<D> d16;
    preShiftA = hn::LoadU(d, preShifts);
    preShiftB = hn::LoadU(d, preShifts + hn::MaxLanes(d));
    multiplier = hn::LoadU(d16, multipliers);
    power = hn::LoadU(d16, powers);
  }

  /// The 16-bit values of sums, as `requantize` gives them.
  HWY_INLINE V16 operator()(V a, V b) const {
    auto narrow = hn::ReorderDemote2To(Codes16<D>(), hn::Shr(a, preShiftA),
                                       hn::Shr(b, preShiftB));
    return hn::MulFixedPoint15(hn::MulHigh(narrow, multiplier), power);
  }

private:
  V preShiftA, preShiftB;
  V16 multiplier, power;
};

/// Whether channels with these scales may be requantized so.
template <class D>
HWY_INLINE bool hasHighShifts(D d, const VectorScales<D> &scales) {
  return hn::AllFalse(d, hn::Lt(scales.shift, hn::Set(d, smallestHighShift)));
}

/// Narrows 16-bit values to 8 bits, saturated: of each block of 128 bits those
/// of `a`, then of `b`.
#if HWY_TARGET == HWY_AVX3
HWY_INLINE hn::Vec512<int8_t> narrowCodes(hn::Vec512<int16_t> a,
                                          hn::Vec512<int16_t> b) {
  return hn::Vec512<int8_t>{_mm512_packs_epi16(a.raw, b.raw)};
}
#endif
#if HWY_TARGET <= HWY_AVX2
HWY_INLINE hn::Vec256<int8_t> narrowCodes(hn::Vec256<int16_t> a,
                                          hn::Vec256<int16_t> b) {
  return hn::Vec256<int8_t>{_mm256_packs_epi16(a.raw, b.raw)};
}
#endif
HWY_INLINE hn::Vec128<int8_t> narrowCodes(hn::Vec128<int16_t> a,
                                          hn::Vec128<int16_t> b) {
#if HWY_TARGET == HWY_NEON
  return hn::Vec128<int8_t>{vqmovn_high_s16(vqmovn_s16(a.raw), b.raw)};
#else
  return hn::Vec128<int8_t>{_mm_packs_epi16(a.raw, b.raw)};
#endif
}

/// As `finishCodes`, of two vectors of values as `narrowCodes` orders them.
template <class D16, class V16>
HWY_INLINE auto finishTwo(D16 d16, V16 a, V16 b, const OutputFormat &format) {
  const hn::Repartition<int8_t, D16> d8;
  const auto zero = hn::Set(d16, format.zeroPoint);
  auto codes =
      narrowCodes(hn::SaturatedAdd(a, zero), hn::SaturatedAdd(b, zero));
  codes = hn::Min(codes, hn::Set(d8, static_cast<int8_t>(format.high)));
  return hn::Max(codes, hn::Set(d8, static_cast<int8_t>(format.low)));
}

/// Adds the zero point to 16-bit values, clips and narrows them to 8 bits.
template <class D16, class V>
HWY_INLINE hn::Vec<hn::Rebind<int8_t, D16>>
finishCodes(D16 d, V codes, const OutputFormat &format) {
  codes = hn::SaturatedAdd(codes, hn::Set(d, format.zeroPoint));
  codes =
      hn::Max(hn::Min(codes, hn::Set(d, format.high)), hn::Set(d, format.low));
  return hn::DemoteTo(hn::Rebind<int8_t, D16>(), inOrder(d, codes));
}

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#endif // MLI_LIB_RUNTIME_SIMD_REQUANTIZE_INL_H
