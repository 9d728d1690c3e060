// SPDX-License-Identifier: Apache-2.0
//
// The instruction sets that the fast kernels are compiled for, and the choice
// among them when a program runs.

#ifndef MLI_LIB_RUNTIME_SIMD_TARGET_H
#define MLI_LIB_RUNTIME_SIMD_TARGET_H

#include "mli/Runtime/C/mli_simd.h"

#include <array>

namespace mli::rt::simd {

inline constexpr int targetCount = MLI_SIMD_NEON_I8MM + 1;

/// The choice of this moment.
mli_simd_target currentTarget();

/// Whether a target has instructions for products of quads of bytes: it is
/// compiled as the one before it, and differs in few kernels.
constexpr bool hasDot(mli_simd_target target) {
  return target == MLI_SIMD_AVX3_VNNI || target == MLI_SIMD_NEON_I8MM;
}

/// Gives what one target has for some purpose, with dot products or without.
template <typename Entry>
using TargetGetter = const Entry *(*)(bool hasDot);

/// The getters of all targets; null means the scalar code.
template <typename Entry>
using TargetTable = std::array<TargetGetter<Entry>, targetCount>;

template <typename Entry>
const Entry *choose(const TargetTable<Entry> &table) {
  mli_simd_target target = currentTarget();
  return table[target] ? table[target](hasDot(target)) : nullptr;
}

} // namespace mli::rt::simd

/// The table of `get`, a TargetGetter in each HWY_NAMESPACE. For the part of a
/// file that is under HWY_ONCE, in the namespace around HWY_NAMESPACE.
/// Highway's own dispatch would make programs link its library.
#if defined(__x86_64__)
#define MLI_SIMD_TABLE(get)                                                    \
  {nullptr, N_SSSE3::get, N_SSE4::get, N_AVX2::get, N_AVX3::get, N_AVX3::get}
#elif defined(__AARCH64EL__)
#define MLI_SIMD_TABLE(get)                                                    \
  {nullptr, nullptr, nullptr,     nullptr,                                     \
   nullptr, nullptr, N_NEON::get, N_NEON::get}
#else
#define MLI_SIMD_TABLE(get)                                                    \
  {                                                                            \
  }
#endif

#endif // MLI_LIB_RUNTIME_SIMD_TARGET_H
