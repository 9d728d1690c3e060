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
  static HWY_INLINE VectorScales<D> scales(D d, const Channels &channels) {
    return loadScales(d, channels.block, channels.lane);
  }
  template <class D>
  static HWY_INLINE auto
  finish(D d, hn::Vec<D> a, const VectorScales<D> &scalesA, hn::Vec<D> b,
         const VectorScales<D> &scalesB, const OutputFormat &format) {
    return finishCodes(Codes16<D>(), requantize(d, a, scalesA, b, scalesB),
                       format);
  }
};

using PairSa8 = Sa8<PairDot<int8_t, false>>;

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_SA8_INL_H
