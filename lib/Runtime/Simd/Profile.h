// SPDX-License-Identifier: Apache-2.0
//
// The profiles of the runtime. `simd` has fast kernels; `plain` is the kernels
// as they are written down, for processors without an operating system.

#ifndef MLI_LIB_RUNTIME_SIMD_PROFILE_H
#define MLI_LIB_RUNTIME_SIMD_PROFILE_H

namespace mli::rt::simd {

/// Whether there are any fast kernels.
#ifdef MLI_RUNTIME_PLAIN
inline constexpr bool hasFastKernels = false;
#else
inline constexpr bool hasFastKernels = true;
#endif

} // namespace mli::rt::simd

/// Declares a function that finds fast kernels or runs one: null or false where
/// there is none, as always in the plain profile.
#ifdef MLI_RUNTIME_PLAIN
#define MLI_FAST_KERNEL(...)                                                   \
  inline __VA_ARGS__ { return {}; }
#else
#define MLI_FAST_KERNEL(...) __VA_ARGS__;
#endif

#endif // MLI_LIB_RUNTIME_SIMD_PROFILE_H
