// SPDX-License-Identifier: Apache-2.0

#include "Runtime/Simd/Caches.h"

#include <atomic>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace mli::rt::simd {
namespace {

constexpr CacheBytes zen5 = {48 << 10, 1 << 20};

#if defined(__x86_64__)
/// The leaves that describe one cache each: of Intel's and of AMD's processors.
constexpr unsigned cacheLeaves[] = {4, 0x8000001d};

/// Bits `first` to `last` of a register.
constexpr unsigned getBits(unsigned value, unsigned first, unsigned last) {
  return (value >> first) & ((1U << (last - first + 1)) - 1);
}

/// Sets the sizes that a leaf states.
void readLeaf(unsigned leaf, CacheBytes &bytes) {
  enum Type : unsigned { None, Data, Instructions, Unified };
  constexpr unsigned maxCaches = 16;
  for (unsigned cache = 0; cache < maxCaches; ++cache) {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    if (!__get_cpuid_count(leaf, cache, &eax, &ebx, &ecx, &edx))
      return;
    unsigned type = getBits(eax, 0, 4);
    if (type == None)
      return;
    if (type != Data && type != Unified)
      continue;
    int64_t ways = int64_t{getBits(ebx, 22, 31)} + 1;
    int64_t partitions = int64_t{getBits(ebx, 12, 21)} + 1;
    int64_t lineBytes = int64_t{getBits(ebx, 0, 11)} + 1;
    int64_t size = ways * partitions * lineBytes * (int64_t{ecx} + 1);
    unsigned level = getBits(eax, 5, 7);
    if (level == 1)
      bytes.first = size;
    if (level == 2)
      bytes.second = size;
  }
}
#endif

CacheBytes readCacheBytes() {
  CacheBytes bytes = zen5;
#if defined(__x86_64__)
  for (unsigned leaf : cacheLeaves)
    readLeaf(leaf, bytes);
#endif
  return bytes;
}

} // namespace

CacheBytes getCacheBytes() {
  // No other thread can read anything else: all may read.
  static std::atomic<int64_t> first = 0;
  static std::atomic<int64_t> second = 0;
  CacheBytes bytes = {first.load(std::memory_order_acquire),
                      second.load(std::memory_order_relaxed)};
  if (bytes.first == 0) {
    bytes = readCacheBytes();
    second.store(bytes.second, std::memory_order_relaxed);
    first.store(bytes.first, std::memory_order_release);
  }
  return bytes;
}

} // namespace mli::rt::simd
