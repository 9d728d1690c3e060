// SPDX-License-Identifier: Apache-2.0
//
// The caches of the processor that a program runs on.

#ifndef MLI_LIB_RUNTIME_SIMD_CACHES_H
#define MLI_LIB_RUNTIME_SIMD_CACHES_H

#include <cstdint>

namespace mli::rt::simd {

/// Bytes that the first and the second level of cache hold of data.
struct CacheBytes {
  int64_t first;
  int64_t second;
};

/// The caches of this processor. Sizes that it does not state are those of
/// Zen 5.
CacheBytes getCacheBytes();

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_SIMD_CACHES_H
