// SPDX-License-Identifier: Apache-2.0
//
// The inner kernel of sa8.

#include "Depthwise.h"
#include "Matrix.h"
#include "Runtime/Simd/Target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Runtime/Convolution/Simd/MatrixSa8.cpp"
#include "hwy/foreach_target.h"

#include "Depthwise-inl.h"
#include "DepthwiseColumns-inl.h"
#include "DepthwisePairs-inl.h"
#include "Pack-inl.h"
#include "Parameters-inl.h"
#include "Prepare-inl.h"
#include "Runs-inl.h"
#include "Runtime/Simd/Requantize-inl.h"
#include "Tile-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

template <class DotType>
struct Sa8 {
  using Dot = DotType;
  using Weight = int8_t;
  using Code = int8_t;
  template <class D>
  using Sum = hn::Vec<D>;
  template <class D>
  using Codes = hn::Rebind<int8_t, Codes16<D>>;
  static constexpr int registersPerSum = 1;
  static constexpr int64_t flushAfter = 0;
  static constexpr bool isSa8 = true;

  template <class D>
  static HWY_INLINE hn::Vec<D> start(D d, const Channels &channels) {
    return hn::LoadU(d, channels.block.start + channels.lane);
  }
  template <class D, class W>
  static HWY_INLINE void add(D d, hn::Vec<D> &sum, hn::Vec<D> input,
                             W weights) {
    sum = Dot::add(d, sum, input, weights);
  }
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

template <bool HasDot>
const MatrixKernels *quadKernels() {
  static constexpr MatrixKernels kernels = {
      4,
      1,
      1,
      1,
      true,
      prepareOffset,
      packPanels<PackedBytes<4>, QuadSums<QuadDot<HasDot>>>,
      runGrid<Sa8<QuadDot<HasDot>>>};
  return &kernels;
}

const MatrixKernels *getRuns(bool /*hasDot*/) {
  using A = Sa8<PairDot<int8_t, false>>;
  static constexpr MatrixKernels kernels = {
      inputRun, 2, 1, 1, false, prepareWidened, packRuns, runRuns<A>};
  return &kernels;
}
const MatrixKernels *getPairs(bool /*hasDot*/) {
  static constexpr MatrixKernels kernels = {
      2,
      2,
      1,
      1,
      false,
      prepareWidened,
      packPanels<PackedBytes<2>>,
      runGrid<Sa8<PairDot<int8_t, false>>>};
  return &kernels;
}
const MatrixKernels *getQuads(bool hasDot) {
  return hasDot ? quadKernels<MLI_SIMD_HAS_DOT>() : quadKernels<false>();
}

const DepthwiseKernels *getSa8Depthwise([[maybe_unused]] bool hasDot) {
#if HWY_TARGET == HWY_AVX3
  static constexpr DepthwiseKernels quads = {4,
                                             true,
                                             prepareQuads,
                                             advanceQuads,
                                             packQuads,
                                             sumQuads<QuadDot<true>>,
                                             runDepthwise<Sa8<QuadDot<true>>>,
                                             &columnKernels};
  if (hasDot)
    return &quads;
#endif
  static constexpr DepthwiseKernels pairs = {
      2,
      false,
      preparePairs<int8_t>,
      nullptr,
      packPairs<int8_t>,
      nullptr,
      runDepthwise<Sa8<PairDot<int16_t, false>>>,
      &pairColumnKernels};
  return &pairs;
}

const BlockFiller *getBlockFiller(bool /*hasDot*/) {
  static constexpr BlockFiller filler = {fillBlock};
  return &filler;
}

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace mli::rt::simd {

const MatrixKernels *sa8Kernels(int group) {
  static constexpr TargetTable<MatrixKernels> pairs = MLI_SIMD_TABLE(getPairs);
  static constexpr TargetTable<MatrixKernels> quads = MLI_SIMD_TABLE(getQuads);
  static constexpr TargetTable<MatrixKernels> runs = MLI_SIMD_TABLE(getRuns);
  if (group == inputRun)
    return choose(runs);
  if (group == 0)
    group = hasDot(currentTarget()) ? 4 : 2;
  return choose(group == 4 ? quads : pairs);
}

const DepthwiseKernels *sa8Depthwise() {
  static constexpr TargetTable<DepthwiseKernels> table =
      MLI_SIMD_TABLE(getSa8Depthwise);
  return choose(table);
}

const BlockFiller *blockFiller() {
  static constexpr TargetTable<BlockFiller> table =
      MLI_SIMD_TABLE(getBlockFiller);
  return choose(table);
}

} // namespace mli::rt::simd
#endif
