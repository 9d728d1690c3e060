// SPDX-License-Identifier: Apache-2.0

#include "Runtime/Simd/Caches.h"

#include <atomic>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace mli::rt::simd {
namespace {

constexpr CacheBytes zen5 = {48 << 10, 1 << 20};

/// Bits `first` to `last` of a register.
constexpr uint32_t getBits(uint32_t value, unsigned first, unsigned last) {
  return (value >> first) & ((1U << (last - first + 1)) - 1);
}

/// The leaf whose subleaves describe a cache each; 0 if there is none.
uint32_t findCacheLeaf(Cpuid cpuid) {
  constexpr uint32_t ofIntel = 4, ofAmd = 0x8000001d;
  constexpr uint32_t basic = 0, extended = 0x80000000, features = 0x80000001;
  // The processors of AMD that have the leaf have topology extensions.
  if (cpuid(extended, 0).eax >= ofAmd &&
      getBits(cpuid(features, 0).ecx, 22, 22) != 0)
    return ofAmd;
  return cpuid(basic, 0).eax >= ofIntel ? ofIntel : 0;
}

/// The size of a cache; wraps where none is as large.
uint64_t getBytes(const CpuidResult &cache) {
  uint64_t ways = uint64_t{getBits(cache.ebx, 22, 31)} + 1;
  uint64_t partitions = uint64_t{getBits(cache.ebx, 12, 21)} + 1;
  uint64_t lineBytes = uint64_t{getBits(cache.ebx, 0, 11)} + 1;
  return ways * partitions * lineBytes * (uint64_t{cache.ecx} + 1);
}

#if defined(__x86_64__)
CpuidResult askProcessor(uint32_t leaf, uint32_t subleaf) {
  CpuidResult result;
  __cpuid_count(leaf, subleaf, result.eax, result.ebx, result.ecx, result.edx);
  return result;
}
#endif

} // namespace

CacheBytes findCacheBytes(Cpuid cpuid) {
  enum Type : uint32_t { None, Data, Instructions, Unified };
  constexpr uint32_t maxCaches = 16;
  uint32_t leaf = findCacheLeaf(cpuid);
  uint64_t level1 = 0;
  uint64_t level2 = 0;
  for (uint32_t number = 0; leaf != 0 && number < maxCaches; ++number) {
    CpuidResult cache = cpuid(leaf, number);
    uint32_t type = getBits(cache.eax, 0, 4);
    if (type == None)
      break;
    if (type == Instructions)
      continue;
    uint32_t level = getBits(cache.eax, 5, 7);
    if (level == 1)
      level1 = getBytes(cache);
    if (level == 2)
      level2 = getBytes(cache);
  }
  // A hypervisor may state anything.
  constexpr uint64_t least = 4 << 10, most = 1 << 30;
  if (level1 < least || level2 <= level1 || level2 > most)
    return zen5;
  return {static_cast<int64_t>(level1), static_cast<int64_t>(level2)};
}

CacheBytes getCacheBytes() {
#if defined(__x86_64__)
  // Both sizes in one word: cores of one processor may have different caches,
  // and threads that come first at the same time each ask. What they find
  // decides how a result is computed, not which.
  static std::atomic<uint64_t> known = 0;
  uint64_t both = known.load(std::memory_order_relaxed);
  if (both == 0) {
    CacheBytes bytes = findCacheBytes(askProcessor);
    both = static_cast<uint64_t>(bytes.level1) |
           static_cast<uint64_t>(bytes.level2) << 32;
    known.store(both, std::memory_order_relaxed);
  }
  return {static_cast<int64_t>(both & UINT32_MAX),
          static_cast<int64_t>(both >> 32)};
#else
  return zen5;
#endif
}

} // namespace mli::rt::simd
