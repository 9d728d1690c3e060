// SPDX-License-Identifier: Apache-2.0
//
// The caches of the processor that a program runs on.

#ifndef MLI_LIB_RUNTIME_SIMD_CACHES_H
#define MLI_LIB_RUNTIME_SIMD_CACHES_H

#include <cstdint>

namespace mli::rt::simd {

/// Bytes of data that the first two levels of cache hold.
struct CacheBytes {
  int64_t level1;
  int64_t level2;
};

/// What CPUID of an x86 processor returns.
struct CpuidResult {
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};
using Cpuid = CpuidResult (*)(uint32_t leaf, uint32_t subleaf);

/// The caches that `cpuid` states; those of Zen 5 where it states none, or
/// sizes that no caches have.
CacheBytes findCacheBytes(Cpuid cpuid);

/// The caches of this processor; those of Zen 5 where that is no x86 one.
CacheBytes getCacheBytes();

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_SIMD_CACHES_H
