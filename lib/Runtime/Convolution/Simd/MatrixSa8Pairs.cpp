// SPDX-License-Identifier: Apache-2.0
//
// The inner kernels of sa8 with products of pairs.

#include "Matrix.h"
#include "Runtime/Simd/Target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Runtime/Convolution/Simd/MatrixSa8Pairs.cpp"
#include "hwy/foreach_target.h"

#include "Contiguous-inl.h"
#include "Grid-inl.h"
#include "Pack-inl.h"
#include "Prepare-inl.h"
#include "Sa8-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

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
  return group == 4 ? sa8QuadKernels()
                    : MLI_SIMD_CHOOSE(MatrixKernels, sa8Pairs);
}

} // namespace mli::rt::simd
#endif
