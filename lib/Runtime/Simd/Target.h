// SPDX-License-Identifier: Apache-2.0
//
// The instruction sets that the fast kernels are compiled for, and the choice
// among them when a program runs.

#ifndef MLI_LIB_RUNTIME_SIMD_TARGET_H
#define MLI_LIB_RUNTIME_SIMD_TARGET_H

#include "mli/Runtime/C/mli_simd.h"

#include <array>
#include <atomic>

namespace mli::rt::simd {

inline constexpr int targetCount = MLI_SIMD_NEON_DOTPROD + 1;

/// The choice of this moment, or `undecided`.
inline constexpr int undecided = -1;
extern std::atomic<int> chosenTarget;

/// Chooses the first time.
mli_simd_target decideTarget();

/// The choice of this moment.
inline mli_simd_target currentTarget() {
  int target = chosenTarget.load(std::memory_order_relaxed);
  return target == undecided ? decideTarget()
                             : static_cast<mli_simd_target>(target);
}

/// The inputs that a target multiplies with quads of signed weights in one
/// instruction; none if it has no such instruction.
enum class QuadInputs { None, Unsigned, Signed };

/// Whether a target has instructions for products of quads of bytes: it is
/// compiled as the one without them, and differs in few kernels.
constexpr bool hasDot(mli_simd_target target) {
  return target == MLI_SIMD_AVX3_VNNI || target == MLI_SIMD_NEON_I8MM ||
         target == MLI_SIMD_AVX2_VNNI || target == MLI_SIMD_NEON_DOTPROD;
}

/// The kernels of each target; null means the scalar code.
template <typename Kernels>
using TargetTable = std::array<const Kernels *, targetCount>;

} // namespace mli::rt::simd

/// The table of `kernels`, an object in each HWY_NAMESPACE, and of one that is
/// a template `kernels<Quads>` of QuadInputs. Highway's own dispatch would make
/// programs link its library.
#if defined(__x86_64__)
#define MLI_SIMD_TABLE(kernels)                                                \
  {nullptr,          &N_SSSE3::kernels, &N_SSE4::kernels,                      \
   &N_AVX2::kernels, &N_AVX3::kernels,  &N_AVX3::kernels,                      \
   nullptr,          nullptr,           &N_AVX2::kernels}
#define MLI_SIMD_DOT_TABLE(kernels)                                            \
  {nullptr,                                                                    \
   &N_SSSE3::kernels<mli::rt::simd::QuadInputs::None>,                         \
   &N_SSE4::kernels<mli::rt::simd::QuadInputs::None>,                          \
   &N_AVX2::kernels<mli::rt::simd::QuadInputs::None>,                          \
   &N_AVX3::kernels<mli::rt::simd::QuadInputs::None>,                          \
   &N_AVX3::kernels<mli::rt::simd::QuadInputs::Unsigned>,                      \
   nullptr,                                                                    \
   nullptr,                                                                    \
   &N_AVX2::kernels<mli::rt::simd::QuadInputs::Unsigned>}
#elif defined(__AARCH64EL__)
#define MLI_SIMD_TABLE(kernels)                                                \
  {nullptr, nullptr,          nullptr,          nullptr, nullptr,              \
   nullptr, &N_NEON::kernels, &N_NEON::kernels, nullptr, &N_NEON::kernels}
#define MLI_SIMD_DOT_TABLE(kernels)                                            \
  {nullptr,                                                                    \
   nullptr,                                                                    \
   nullptr,                                                                    \
   nullptr,                                                                    \
   nullptr,                                                                    \
   nullptr,                                                                    \
   &N_NEON::kernels<mli::rt::simd::QuadInputs::None>,                          \
   &N_NEON::kernels<mli::rt::simd::QuadInputs::Unsigned>,                      \
   nullptr,                                                                    \
   &N_NEON::kernels<mli::rt::simd::QuadInputs::Signed>}
#else
#define MLI_SIMD_TABLE(kernels)                                                \
  {                                                                            \
  }
#define MLI_SIMD_DOT_TABLE(kernels)                                            \
  {                                                                            \
  }
#endif

/// The kernels of the target of this moment, or null: for code under HWY_ONCE,
/// in the namespace around HWY_NAMESPACE.
#define MLI_SIMD_CHOOSE(Kernels, kernels)                                      \
  MLI_SIMD_CHOOSE_FROM(Kernels, MLI_SIMD_TABLE(kernels))
#define MLI_SIMD_CHOOSE_DOT(Kernels, kernels)                                  \
  MLI_SIMD_CHOOSE_FROM(Kernels, MLI_SIMD_DOT_TABLE(kernels))
#define MLI_SIMD_CHOOSE_FROM(Kernels, ...)                                     \
  [] {                                                                         \
    static constexpr mli::rt::simd::TargetTable<Kernels> table = __VA_ARGS__;  \
    return table[mli::rt::simd::currentTarget()];                              \
  }()

#endif // MLI_LIB_RUNTIME_SIMD_TARGET_H
