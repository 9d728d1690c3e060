// SPDX-License-Identifier: Apache-2.0
//
// Rows of quantised values, element by element. Included once per target.

#if defined(MLI_LIB_RUNTIME_SIMD_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef MLI_LIB_RUNTIME_SIMD_ROWS_INL_H
#undef MLI_LIB_RUNTIME_SIMD_ROWS_INL_H
#else
#define MLI_LIB_RUNTIME_SIMD_ROWS_INL_H
#endif

#include "Runtime/Simd/Dot-inl.h"
#include "Runtime/Simd/Ratios.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_AVX3
/// Up to 16 bytes in two registers. It stands in for LoadN and StoreN of
/// Highway 1.1 until Debian has them. They are read and written as two halves
/// that overlap: partial copies through memory stall.
class PartialVector {
public:
  PartialVector(const void *from, int64_t count) {
    const auto *bytes = static_cast<const char *>(from);
    if (count > 8) {
      low = read<uint64_t>(bytes);
      high = read<uint64_t>(bytes + count - 8) >> (8 * (16 - count));
    } else if (count >= 4) {
      low = read<uint32_t>(bytes) | uint64_t{read<uint32_t>(bytes + count - 4)}
                                        << (8 * (count - 4));
    } else {
      for (int64_t i = count; i-- > 0;)
        low = low << 8 | read<uint8_t>(bytes + i);
    }
  }
  void write(void *to, int64_t count) const {
    auto *bytes = static_cast<char *>(to);
    if (count > 8) {
      store(low, bytes);
      store(low >> (8 * (count - 9)) >> 8 | high << (8 * (16 - count)),
            bytes + count - 8);
    } else if (count >= 4) {
      store(static_cast<uint32_t>(low), bytes);
      store(static_cast<uint32_t>(low >> (8 * (count - 4))), bytes + count - 4);
    } else {
      for (int64_t i = 0; i < count; ++i)
        store(static_cast<uint8_t>(low >> (8 * i)), bytes + i);
    }
  }

  /// Converts from and to a vector.
  template <class D>
  static HWY_INLINE PartialVector of(D /*d*/, hn::Vec<D> vector) {
    PartialVector bytes;
    if constexpr (size<D> >= 8) {
      const hn::Repartition<uint64_t, D> d64;
      bytes.low = hn::GetLane(hn::BitCast(d64, vector));
      if constexpr (size<D> == 16)
        bytes.high = hn::GetLane(
            hn::UpperHalf(hn::Half<decltype(d64)>(), hn::BitCast(d64, vector)));
    } else {
      const hn::Repartition<uint32_t, D> d32;
      bytes.low = hn::GetLane(hn::BitCast(d32, vector));
    }
    return bytes;
  }
  template <class D>
  HWY_INLINE hn::Vec<D> vector(D d) const {
    if constexpr (size<D> >= 8) {
      const hn::Repartition<uint64_t, D> d64;
      if constexpr (size<D> == 16) {
        const hn::Half<decltype(d64)> half;
        return hn::BitCast(
            d, hn::Combine(d64, hn::Set(half, high), hn::Set(half, low)));
      } else {
        return hn::BitCast(d, hn::Set(d64, low));
      }
    } else {
      const hn::Repartition<uint32_t, D> d32;
      return hn::BitCast(d, hn::Set(d32, static_cast<uint32_t>(low)));
    }
  }

  template <class D>
  static constexpr size_t size = hn::MaxLanes(D()) * sizeof(hn::TFromD<D>);

private:
  PartialVector() = default;
  template <typename T>
  static T read(const char *from) {
    T value;
    std::memcpy(&value, from, sizeof(value));
    return value;
  }
  template <typename T>
  static void store(T value, char *to) {
    std::memcpy(to, &value, sizeof(value));
  }

  uint64_t low = 0;
  uint64_t high = 0;
};
#endif

/// Loads `count` elements, at most as many as a vector has; the others are
/// zero.
template <class D, typename Element>
HWY_INLINE hn::Vec<D> loadN(D d, const Element *from, int64_t count) {
#if HWY_TARGET == HWY_AVX3
  return hn::MaskedLoad(hn::FirstN(d, static_cast<size_t>(count)), d, from);
#else
  constexpr int64_t elementBytes = sizeof(Element);
  if constexpr (PartialVector::size<D> <= 16)
    return PartialVector(from, count * elementBytes).vector(d);
  HWY_ALIGN Element lanes[hn::MaxLanes(d)] = {};
  std::memcpy(lanes, from, static_cast<size_t>(count) * sizeof(Element));
  return hn::Load(d, lanes);
#endif
}
template <class D, typename Element>
HWY_INLINE void storeN(D d, hn::Vec<D> elements, Element *to, int64_t count) {
#if HWY_TARGET == HWY_AVX3
  hn::BlendedStore(elements, hn::FirstN(d, static_cast<size_t>(count)), d, to);
#else
  constexpr int64_t elementBytes = sizeof(Element);
  if constexpr (PartialVector::size<D> <= 16) {
    PartialVector::of(d, elements).write(to, count * elementBytes);
    return;
  }
  HWY_ALIGN Element lanes[hn::MaxLanes(d)];
  hn::Store(elements, d, lanes);
  std::memcpy(to, lanes, static_cast<size_t>(count) * sizeof(Element));
#endif
}

/// Elements in lanes of more bits, and back, saturated.
template <class D, class V>
HWY_INLINE auto widen(D d, V elements) {
  if constexpr (sizeof(hn::TFromV<V>) == sizeof(hn::TFromD<D>))
    return elements;
  else
    return hn::PromoteTo(d, elements);
}
template <class DTo, class V>
HWY_INLINE auto narrow(DTo to, V lanes) {
  if constexpr (sizeof(hn::TFromD<DTo>) == sizeof(hn::TFromV<V>))
    return lanes;
  else
    return hn::DemoteTo(to, lanes);
}

/// Sets each element of a row to the result of `operation` on two elements in
/// lanes of 32 bits, saturated. A step is 1, or 0 for an operand of one
/// element. The result may be an operand.
template <typename From, typename To, class Operation>
HWY_INLINE void zipRows(const From *in1, int64_t step1, const From *in2,
                        int64_t step2, To *out, int64_t count,
                        const Operation &operation) {
  const hn::ScalableTag<int32_t> d;
  const hn::Rebind<From, decltype(d)> from;
  const hn::Rebind<To, decltype(d)> to;
  constexpr int64_t lanes = hn::MaxLanes(d);
  auto set = [&](const From *in) HWY_ATTR { return hn::Set(d, int32_t{*in}); };
  auto load = [&](const From *in, int64_t step, int64_t i) HWY_ATTR {
    return step == 0 ? set(in) : hn::PromoteTo(d, hn::LoadU(from, in + i));
  };
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(
        hn::DemoteTo(to, operation(load(in1, step1, i), load(in2, step2, i))),
        to, out + i);
  if (i == count)
    return;
  auto loadRest = [&](const From *in, int64_t step) HWY_ATTR {
    return step == 0 ? set(in)
                     : hn::PromoteTo(d, loadN(from, in + i, count - i));
  };
  storeN(
      to,
      hn::DemoteTo(to, operation(loadRest(in1, step1), loadRest(in2, step2))),
      out + i, count - i);
}

/// The same of one operand in the lanes of `d`, and the index of the first one.
template <class D, typename From, typename To, class Operation>
HWY_INLINE void mapLanes(D d, const From *in, To *out, int64_t count,
                         const Operation &operation) {
  const hn::Rebind<From, decltype(d)> from;
  const hn::Rebind<To, decltype(d)> to;
  constexpr int64_t lanes = hn::MaxLanes(d);
  auto map = [&](auto codes, int64_t i)
                 HWY_ATTR { return narrow(to, operation(widen(d, codes), i)); };
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(map(hn::LoadU(from, in + i), i), to, out + i);
  if (i < count)
    storeN(to, map(loadN(from, in + i, count - i), i), out + i, count - i);
}

/// The same in lanes of 32 bits.
template <typename From, typename To, class Operation>
HWY_INLINE void mapIndexed(const From *in, To *out, int64_t count,
                           const Operation &operation) {
  mapLanes(hn::ScalableTag<int32_t>(), in, out, count, operation);
}

/// The same without an index.
template <typename From, typename To, class Operation>
HWY_INLINE void mapRow(const From *in, To *out, int64_t count,
                       const Operation &operation) {
  mapIndexed(in, out, count, [&](auto codes, int64_t /*at*/) HWY_ATTR {
    return operation(codes);
  });
}

/// Values times `multiplier * 2^-shift`, rounded, by products of 64 bits. They
/// are shifted as unsigned numbers: for negative ones and shifts over 32 there
/// is an offset, of which `offset >> shift` is left in the results.
template <class D>
class WideScale {
  using V = hn::Vec<D>;
  using D64 = hn::Repartition<int64_t, D>;
  using U64 = hn::Repartition<uint64_t, D>;

public:
  WideScale(int32_t multiplier, int shift, uint64_t offset = 0)
      : shift(shift), multiplier(hn::Set(D(), multiplier)),
        start(hn::Set(U64(), offset + (uint64_t{1} << shift) / 2)) {}

  /// The lower 32 bits of each.
  HWY_INLINE V operator()(V values) const {
    const D d;
    auto odds = hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(U64(), values)));
    auto even = shifted(hn::MulEven(values, multiplier));
    auto odd = shifted(hn::MulEven(odds, multiplier));
    return hn::OddEven(hn::BitCast(d, hn::ShiftLeft<32>(odd)),
                       hn::BitCast(d, even));
  }

private:
  HWY_INLINE hn::Vec<U64> shifted(hn::Vec<D64> products) const {
    return hn::ShiftRightSame(hn::Add(hn::BitCast(U64(), products), start),
                              shift);
  }

  int shift;
  V multiplier;
  hn::Vec<U64> start;
};

/// Values of 16 bits times the ratio of each lane, from index `at` on.
template <class D>
HWY_INLINE hn::Vec<D> scaleLanes(D d, hn::Vec<D> values,
                                 const LaneRatios &ratios, int64_t at) {
  auto shift = hn::LoadU(d, ratios.shifts + at);
  auto half = hn::ShiftRight<1>(hn::Shl(hn::Set(d, 1), shift));
  auto product = hn::Mul(values, hn::LoadU(d, ratios.multipliers + at));
  return hn::Shr(hn::Add(product, half), shift);
}

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#endif // MLI_LIB_RUNTIME_SIMD_ROWS_INL_H
