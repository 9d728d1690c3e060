// SPDX-License-Identifier: Apache-2.0
//
// The inner kernel of sa8.

#include "Depthwise.h"
#include "Matrix.h"
#include "Runtime/Simd/Target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Runtime/Convolution/Simd/MatrixSa8.cpp"
#include "hwy/foreach_target.h"

#include "Contiguous-inl.h"
#include "Depthwise-inl.h"
#include "DepthwiseColumns-inl.h"
#include "DepthwisePairs-inl.h"
#include "Grid-inl.h"
#include "Pack-inl.h"
#include "Parameters-inl.h"
#include "Prepare-inl.h"
#include "Runtime/Simd/Requantize-inl.h"

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

template <QuadInputs Quads>
inline constexpr MatrixKernels sa8Contiguous = {
    contiguousInputs,      2, 1, 1, false, prepareWidened, packContiguous,
    runContiguous<PairSa8>};
#if MLI_SIMD_HAS_PAIR_DOT
// The layout of other targets, which does not keep the zero point.
template <>
inline constexpr MatrixKernels sa8Contiguous<QuadInputs::Unsigned> = {
    contiguousInputs,           1, 1, 1, false, prepareOffset, packContiguous,
    runContiguousQuads<PairSa8>};
#endif
inline constexpr MatrixKernels sa8Pairs = {2,
                                           2,
                                           1,
                                           1,
                                           false,
                                           prepareWidened,
                                           packPanels<PackedBytes<2>>,
                                           runGrid<PairSa8>};
template <QuadInputs Quads>
inline constexpr MatrixKernels sa8Quads = {
    4,
    1,
    1,
    1,
    true,
    Quads == QuadInputs::Signed ? nullptr : prepareOffset,
    packPanels<PackedBytes<4>, QuadSums<QuadDot<Quads>>>,
    runGrid<Sa8<QuadDot<Quads>>>};

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

const MatrixKernels *sa8Kernels(int group) {
  if (group == contiguousInputs)
    return MLI_SIMD_CHOOSE_DOT(MatrixKernels, sa8Contiguous);
  if (group == 0)
    group = hasDot(currentTarget()) ? 4 : 2;
  return group == 4 ? MLI_SIMD_CHOOSE_DOT(MatrixKernels, sa8Quads)
                    : MLI_SIMD_CHOOSE(MatrixKernels, sa8Pairs);
}

const DepthwiseKernels *sa8Depthwise() {
  return MLI_SIMD_CHOOSE_DOT(DepthwiseKernels, depthwise);
}

const BlockFiller *blockFiller() {
  return MLI_SIMD_CHOOSE(BlockFiller, filler);
}

} // namespace mli::rt::simd
#endif
