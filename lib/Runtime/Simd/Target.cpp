// SPDX-License-Identifier: Apache-2.0

#include "Runtime/Simd/Target.h"

#include "hwy/highway.h"

#include <cstdlib>
#include <cstring>
#include <string_view>

#if defined(__AARCH64EL__) && defined(__linux__)
#include <sys/auxv.h>
#endif

namespace mli::rt::simd {
namespace {

constexpr const char *names[] = {
    "scalar",    "ssse3", "sse4",      "avx2",      "avx3",
    "avx3_vnni", "neon",  "neon_i8mm", "avx2_vnni", "neon_dotprod"};
static_assert(std::size(names) == targetCount);

#if defined(__x86_64__)
// The compiler may use these features for a target: `isSupported` checks for
// them.
static_assert(std::string_view(HWY_TARGET_STR_SSSE3) == "sse2,ssse3");
static_assert(std::string_view(HWY_TARGET_STR_SSE4) == HWY_TARGET_STR_SSSE3
              ",sse4.1,sse4.2,pclmul,aes");
static_assert(std::string_view(HWY_TARGET_STR_AVX2) == HWY_TARGET_STR_SSE4
              ",avx,avx2,bmi,bmi2,fma,f16c");
static_assert(std::string_view(HWY_TARGET_STR_AVX3) == HWY_TARGET_STR_AVX2
              ",avx512f,avx512vl,avx512dq,avx512bw");
#elif defined(__AARCH64EL__)
// Nor may it use more than all processors have: where Highway has targets of
// its own, that for NEON has AES instructions, too.
static_assert(!HWY_HAVE_RUNTIME_DISPATCH);
#endif

/// Whether processor and system have what the compiler may use for a target.
bool isSupported(int target) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  switch (target) {
  case MLI_SIMD_SSSE3:
    return __builtin_cpu_supports("ssse3") != 0;
  case MLI_SIMD_SSE4:
    return isSupported(MLI_SIMD_SSSE3) && __builtin_cpu_supports("sse4.1") &&
           __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("aes") &&
           __builtin_cpu_supports("pclmul");
  case MLI_SIMD_AVX2:
    return isSupported(MLI_SIMD_SSE4) && __builtin_cpu_supports("avx2") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
  case MLI_SIMD_AVX3:
    return isSupported(MLI_SIMD_AVX2) && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw");
  case MLI_SIMD_AVX2_VNNI:
    return isSupported(MLI_SIMD_AVX2) && __builtin_cpu_supports("avxvnni");
  case MLI_SIMD_AVX3_VNNI:
    return isSupported(MLI_SIMD_AVX3) && __builtin_cpu_supports("avx512vnni");
  default:
    break;
  }
#elif defined(__AARCH64EL__)
  // Each has NEON.
  if (target == MLI_SIMD_NEON)
    return true;
#if defined(__linux__)
  if (target == MLI_SIMD_NEON_DOTPROD)
    return (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0;
  if (target == MLI_SIMD_NEON_I8MM)
    return (getauxval(AT_HWCAP2) & HWCAP2_I8MM) != 0;
#endif
#endif
  return target == MLI_SIMD_SCALAR;
}

int bestTarget() {
  constexpr mli_simd_target fromFastest[] = {
      MLI_SIMD_AVX3_VNNI, MLI_SIMD_AVX3,         MLI_SIMD_AVX2_VNNI,
      MLI_SIMD_AVX2,      MLI_SIMD_SSE4,         MLI_SIMD_SSSE3,
      MLI_SIMD_NEON_I8MM, MLI_SIMD_NEON_DOTPROD, MLI_SIMD_NEON};
  for (mli_simd_target target : fromFastest)
    if (isSupported(target))
      return target;
  return MLI_SIMD_SCALAR;
}

/// The target that the environment names; one that is not supported is ignored.
int initialTarget() {
  const char *wanted = std::getenv("MLI_SIMD");
  for (int target = 0; wanted && target < targetCount; ++target)
    if (!std::strcmp(wanted, names[target]) && isSupported(target))
      return target;
  return bestTarget();
}

} // namespace

std::atomic<int> chosenTarget{undecided};

mli_simd_target decideTarget() {
  int target = initialTarget();
  chosenTarget.store(target, std::memory_order_relaxed);
  return static_cast<mli_simd_target>(target);
}

} // namespace mli::rt::simd

using namespace mli::rt::simd;

// NOLINTBEGIN(readability-identifier-naming): the C names.

mli_status mli_set_simd_target(mli_simd_target target) {
  if (target < 0 || target >= targetCount || !isSupported(target))
    return MLI_STATUS_NOT_SUPPORTED;
  chosenTarget = target;
  return MLI_STATUS_OK;
}

mli_simd_target mli_get_simd_target(void) { return currentTarget(); }

const char *mli_simd_target_name(mli_simd_target target) {
  return target >= 0 && target < targetCount ? names[target] : "unknown";
}

// NOLINTEND(readability-identifier-naming)
