// SPDX-License-Identifier: Apache-2.0
//
// Depthwise convolutions of sa8, and the parameters of channels that all
// kernels of sa8 read.

#include "Depthwise.h"
#include "Matrix.h"
#include "Runtime/Simd/Target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Runtime/Convolution/Simd/DepthwiseSa8.cpp"
#include "hwy/foreach_target.h"

#include "Depthwise-inl.h"
#include "DepthwiseColumns-inl.h"
#include "DepthwisePairs-inl.h"
#include "Parameters-inl.h"
#include "Prepare-inl.h"
#include "Sa8-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

template <QuadInputs Quads>
inline constexpr DepthwiseKernels depthwise = {
    2,
    false,
    preparePairs<int8_t>,
    nullptr,
    packPairs<int8_t>,
    nullptr,
    runDepthwise<Sa8<PairDot<int16_t, false>>>,
    &pairColumnKernels};
#if HWY_TARGET == HWY_AVX3
template <>
inline constexpr DepthwiseKernels depthwise<QuadInputs::Unsigned> = {
    4,
    true,
    prepareQuads,
    advanceQuads,
    packQuads,
    sumQuads<QuadDot<QuadInputs::Unsigned>>,
    runDepthwise<Sa8<QuadDot<QuadInputs::Unsigned>>>,
    &columnKernels};
#endif

inline constexpr BlockFiller filler = {fillBlock};

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace mli::rt::simd {

const DepthwiseKernels *sa8Depthwise() {
  return MLI_SIMD_CHOOSE_DOT(DepthwiseKernels, depthwise);
}

const BlockFiller *blockFiller() {
  return MLI_SIMD_CHOOSE(BlockFiller, filler);
}

} // namespace mli::rt::simd
#endif
