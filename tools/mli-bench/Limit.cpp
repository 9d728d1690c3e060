// SPDX-License-Identifier: Apache-2.0
//
// The multiply-accumulate limit of this machine: the instructions of the inner
// kernels on registers only.

#include "Backend.h"
#include "Runtime/Simd/Target.h"

#include "Clock.h"

#ifndef MLI_TOOLS_MLI_BENCH_BURNERS
#define MLI_TOOLS_MLI_BENCH_BURNERS
namespace mli::rt::simd {
/// Endless sums of one target.
struct Burners {
  int64_t (*bytes)(int64_t);
  int64_t (*pairs)(int64_t);
};
} // namespace mli::rt::simd
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Limit.cpp"
#include "hwy/foreach_target.h"

#include "Runtime/Simd/Dot-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// Makes the compiler compute `v`.
template <class V>
HWY_INLINE void keep(const V &v) {
  asm volatile("" ::"x"(v.raw));
}

/// Adds products to twelve sums `steps` times; returns the products.
template <class Dot>
int64_t burn(int64_t steps) {
  const hn::ScalableTag<int32_t> d;
  constexpr int count = 12;
  hn::Vec<decltype(d)> sums[count];
  each<count>([&](auto i) HWY_ATTR { sums[i] = hn::Zero(d); });
  HWY_ALIGN int8_t bytes[64] = {};
  auto input = hn::Zero(d);
  auto weights = Dot::weights(d, bytes);
  // Nor may it know that they are zero.
  asm volatile("" : "+x"(weights.raw));
  for (int64_t step = 0; step < steps; ++step)
    each<count>([&](auto i) HWY_ATTR {
      // Else the compiler would multiply once for all sums.
      asm volatile("" : "+x"(input.raw));
      sums[i] = Dot::add(d, sums[i], input, weights);
    });
  each<count>([&](auto i) HWY_ATTR { keep(sums[i]); });
  return steps * count * static_cast<int64_t>(hn::Lanes(d)) * Dot::group;
}

template <QuadInputs Quads>
inline constexpr Burners burners = {burn<QuadDot<Quads>>,
                                    burn<PairDot<int16_t, hasPairDot<Quads>>>};
template <>
inline constexpr Burners burners<QuadInputs::None> = {
    burn<PairDot<int16_t, false>>, burn<PairDot<int16_t, false>>};

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace mli::rt::simd {

static int64_t burnOnce(bool forPairs, int64_t steps) {
  const Burners *chosen = MLI_SIMD_CHOOSE_DOT(Burners, burners);
  if (!chosen)
    return 0;
  return forPairs ? chosen->pairs(steps) : chosen->bytes(steps);
}

} // namespace mli::rt::simd

namespace mli::bench {

double measureLimit(bool forPairs) {
  double start = threadSeconds();
  int64_t products = mli::rt::simd::burnOnce(forPairs, 100000);
  return static_cast<double>(products) / (threadSeconds() - start) / 1e9;
}

} // namespace mli::bench
#endif
