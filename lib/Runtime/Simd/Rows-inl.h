// SPDX-License-Identifier: Apache-2.0
//
// Rows of codes, element by element. Included once per target.

#if defined(MLI_LIB_RUNTIME_SIMD_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef MLI_LIB_RUNTIME_SIMD_ROWS_INL_H
#undef MLI_LIB_RUNTIME_SIMD_ROWS_INL_H
#else
#define MLI_LIB_RUNTIME_SIMD_ROWS_INL_H
#endif

#include "Runtime/Simd/Dot-inl.h"
#include "Runtime/Simd/Rounding.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// Sets each code of a row to what `operation` makes of two codes in lanes of
/// 32 bits, saturated. A step is 1, or 0 of an operand that is one code. The
/// result may be an operand.
template <typename From, typename To, class Operation>
HWY_INLINE void zipRows(const From *in1, int64_t step1, const From *in2,
                        int64_t step2, To *out, int64_t count,
                        const Operation &operation) {
  const hn::ScalableTag<int32_t> d;
  const hn::Rebind<From, decltype(d)> from;
  const hn::Rebind<To, decltype(d)> to;
  constexpr int64_t lanes = hn::MaxLanes(d);
  auto load = [&](const From *in, int64_t step, int64_t i) HWY_ATTR {
    return step == 0 ? hn::Set(d, int32_t{*in})
                     : hn::PromoteTo(d, hn::LoadU(from, in + i));
  };
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(
        hn::DemoteTo(to, operation(load(in1, step1, i), load(in2, step2, i))),
        to, out + i);
  if (i == count)
    return;
  HWY_ALIGN From rest1[lanes] = {};
  HWY_ALIGN From rest2[lanes] = {};
  HWY_ALIGN To codes[lanes];
  auto left = static_cast<size_t>(count - i);
  std::memcpy(rest1, in1 + i * step1, (step1 == 0 ? 1 : left) * sizeof(From));
  std::memcpy(rest2, in2 + i * step2, (step2 == 0 ? 1 : left) * sizeof(From));
  hn::Store(
      hn::DemoteTo(to, operation(load(rest1, step1, 0), load(rest2, step2, 0))),
      to, codes);
  std::memcpy(out + i, codes, left * sizeof(To));
}

/// The same of one operand.
template <typename From, typename To, class Operation>
HWY_INLINE void mapRow(const From *in, To *out, int64_t count,
                       const Operation &operation) {
  const From unused = 0;
  zipRows(in, 1, &unused, 0, out, count,
          [&](auto a, auto /*b*/) HWY_ATTR { return operation(a); });
}

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#endif // MLI_LIB_RUNTIME_SIMD_ROWS_INL_H
