// SPDX-License-Identifier: Apache-2.0
//
// The preparation of inputs. Included once per target.

#if defined(MLI_LIB_RUNTIME_CONVOLUTION_SIMD_PREPARE_INL_H) ==                 \
    defined(HWY_TARGET_TOGGLE)
#ifdef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_PREPARE_INL_H
#undef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_PREPARE_INL_H
#else
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_PREPARE_INL_H
#endif

#include "Matrix.h"
#include "Runtime/Simd/Rows-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// Widens each value to 16 bits, less the zero point.
struct WidenedCode {
  using Code = int8_t;
  using Prepared = int16_t;
  template <class D>
  HWY_INLINE hn::Vec<D> operator()(D d,
                                   hn::Vec<hn::Rebind<Code, D>> codes) const {
    return hn::Sub(hn::PromoteTo(d, codes),
                   hn::Set(d, static_cast<int16_t>(zeroPoint)));
  }
  int32_t zeroPoint;
};

/// Adds 128 to each value, unsigned.
struct OffsetCode {
  using Code = uint8_t;
  using Prepared = uint8_t;
  template <class D>
  HWY_INLINE hn::Vec<D> operator()(D d, hn::Vec<D> codes) const {
    return hn::Xor(codes, hn::Set(d, uint8_t{128}));
  }
};

template <class D, class Prepare>
HWY_INLINE void prepareVector(D d, Prepare prepare,
                              const typename Prepare::Code *from,
                              typename Prepare::Prepared *to) {
  const hn::Rebind<typename Prepare::Code, D> codes;
  hn::StoreU(prepare(d, hn::LoadU(codes, from)), d, to);
}

/// Prepares fewer values than the longest vectors have.
template <class Prepare>
HWY_INLINE void prepareFew(Prepare prepare, const typename Prepare::Code *from,
                           typename Prepare::Prepared *to, int64_t count) {
  using Prepared = typename Prepare::Prepared;
#if HWY_TARGET == HWY_AVX3
  const hn::ScalableTag<Prepared> d;
  int64_t i = 0;
#else
  const hn::CappedTag<Prepared, 16 / sizeof(Prepared)> d;
  constexpr int64_t lanes = hn::MaxLanes(d);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    prepareVector(d, prepare, from + i, to + i);
#endif
  const hn::Rebind<typename Prepare::Code, decltype(d)> codes;
  if (i < count)
    storeN(d, prepare(d, loadN(codes, from + i, count - i)), to + i, count - i);
}

template <class Prepare>
void prepareRows(const CodeRows &rows, Prepare prepare) {
  const hn::ScalableTag<typename Prepare::Prepared> d;
  constexpr int64_t lanes = hn::MaxLanes(d);
  const char *source = rows.from;
  char *target = rows.to;
  for (int64_t row = 0; row < rows.count; ++row) {
    const auto *from = reinterpret_cast<const typename Prepare::Code *>(source);
    auto *to = reinterpret_cast<typename Prepare::Prepared *>(target);
    source += rows.fromStep;
    target += rows.toStep;
    if (rows.codes < lanes) {
      prepareFew(prepare, from, to, rows.codes);
      continue;
    }
    for (int64_t i = 0; i + lanes <= rows.codes; i += lanes)
      prepareVector(d, prepare, from + i, to + i);
    // Some of the last ones once more.
    if (int64_t last = rows.codes - lanes; rows.codes % lanes != 0)
      prepareVector(d, prepare, from + last, to + last);
  }
}

inline void prepareWidened(const CodeRows &rows, int32_t zeroPoint) {
  prepareRows(rows, WidenedCode{zeroPoint});
}
inline void prepareOffset(const CodeRows &rows, int32_t /*zeroPoint*/) {
  prepareRows(rows, OffsetCode());
}

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_PREPARE_INL_H
