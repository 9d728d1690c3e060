// SPDX-License-Identifier: Apache-2.0
//
// The inner kernel of sa8 with products of quads of bytes.

#include "Matrix.h"
#include "Runtime/Simd/Target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Runtime/Convolution/Simd/MatrixSa8Quads.cpp"
#include "hwy/foreach_target.h"

#include "Grid-inl.h"
#include "Pack-inl.h"
#include "Prepare-inl.h"
#include "Sa8-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

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

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace mli::rt::simd {

const MatrixKernels *sa8QuadKernels() {
  return MLI_SIMD_CHOOSE_DOT(MatrixKernels, sa8Quads);
}

} // namespace mli::rt::simd
#endif
