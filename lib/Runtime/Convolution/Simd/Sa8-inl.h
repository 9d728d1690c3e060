// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of sa8. Included once per target.

#if defined(MLI_LIB_RUNTIME_CONVOLUTION_SIMD_SA8_INL_H) ==                     \
    defined(HWY_TARGET_TOGGLE)
#ifdef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_SA8_INL_H
#undef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_SA8_INL_H
#else
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_SA8_INL_H
#endif

#include "Tile-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

template <class DotType>
struct Sa8 : VectorSums<DotType> {
  using Weight = int8_t;
  using Code = int8_t;
  template <class D>
  using Codes = hn::Rebind<int8_t, Codes16<D>>;
  static constexpr bool isSa8 = true;

  template <class D>
  static HWY_INLINE auto finish(D d, hn::Vec<D> a, const Channels &channelsA,
                                hn::Vec<D> b, const Channels &channelsB,
                                const OutputFormat &format) {
    return finishCodes(Codes16<D>(),
                       requantize(d, a, channelsA.block, channelsA.lane, b,
                                  channelsB.block, channelsB.lane),
                       format);
  }
};

using PairSa8 = Sa8<PairDot<int8_t, false>>;

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_SA8_INL_H
