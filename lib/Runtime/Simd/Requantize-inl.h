// SPDX-License-Identifier: Apache-2.0
//
// From 32-bit sums to codes, two vectors at once. Included once per target.

#if defined(MLI_LIB_RUNTIME_SIMD_REQUANTIZE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef MLI_LIB_RUNTIME_SIMD_REQUANTIZE_INL_H
#undef MLI_LIB_RUNTIME_SIMD_REQUANTIZE_INL_H
#else
#define MLI_LIB_RUNTIME_SIMD_REQUANTIZE_INL_H
#endif

#include "Runtime/Simd/Dot-inl.h"
#include "Runtime/Simd/Matrix.h"

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

/// The 16-bit codes of two vectors of sums that include their start, before
/// the order of ReorderDemote2To is undone: K11 in 14 instructions for AVX2.
/// The second product of each pair is the rounding constant.
template <class D>
HWY_INLINE hn::Vec<Codes16<D>>
requantize(D d, hn::Vec<D> a, const ChannelBlock &blockA, int64_t laneA,
           hn::Vec<D> b, const ChannelBlock &blockB, int64_t laneB) {
  const Codes16<D> d16;
  auto narrow = hn::ReorderDemote2To(
      d16, hn::Shr(a, hn::LoadU(d, blockA.preShift + laneA)),
      hn::Shr(b, hn::LoadU(d, blockB.preShift + laneB)));
  const auto half = hn::Set(d16, 1 << 14);
  auto productA = multiplyPairs(d, hn::InterleaveLower(d16, narrow, half),
                                hn::LoadU(d16, blockA.scale + 2 * laneA));
  auto productB = multiplyPairs(d, hn::InterleaveUpper(d16, narrow, half),
                                hn::LoadU(d16, blockB.scale + 2 * laneB));
  return hn::ReorderDemote2To(
      d16, hn::Shr(productA, hn::LoadU(d, blockA.shift + laneA)),
      hn::Shr(productB, hn::LoadU(d, blockB.shift + laneB)));
}

/// Adds the zero point to 16-bit codes, clips them and makes them 8 bits wide.
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
