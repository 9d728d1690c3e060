// SPDX-License-Identifier: Apache-2.0

#include "Tables.h"

#include "Runtime/Simd/Scratch.h"
#include "Runtime/Simd/Target.h"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Runtime/Tables/Simd/Tables.cpp"
#include "hwy/foreach_target.h"

#include "Runtime/Simd/Rows-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// The count of 8-bit values from which on softmax tabulates exponentials.
inline constexpr int64_t manyCodes = 512;

/// A factor of lanes of 32 bits whose values have 16, as the factor has: where
/// that takes less time, its lanes have no bits but those.
template <class D, bool HasFewBits>
class TableFactor {
  // Products of pairs are the faster ones of x86.
  static constexpr bool usesPairs = HasFewBits && HWY_TARGET != HWY_NEON;

public:
  explicit HWY_INLINE TableFactor(int32_t factor)
      : factor(hn::Set(D(), usesPairs ? factor & 0xffff : factor)) {}

  HWY_INLINE hn::Vec<D> operator()(hn::Vec<D> values) const {
    if constexpr (usesPairs)
      return multiplyPairs(D(), hn::BitCast(Codes16<D>(), values),
                           hn::BitCast(Codes16<D>(), factor));
    else
      return hn::Mul(values, factor);
  }

private:
  hn::Vec<D> factor;
};

/// The constants of a function, and its values. `Narrows` makes 8 bits of
/// them; `HasFewBits` if arguments less the zero point, and the scale, have 16.
template <class D, bool Narrows, bool HasFewBits>
class TableLookup {
  using V = hn::Vec<D>;

public:
  explicit HWY_INLINE TableLookup(const TableFunction &function)
      : function(function), zero(hn::Set(d, function.zero)),
        scale(function.scale), half(hn::Set(d, function.half)),
        offset(hn::Set(d, function.inputOffset)),
        last(hn::Set(d, function.length - 2)),
        fraction(hn::Set(d, (1 << function.bits) - 1)),
        halfStep(hn::Set(d, getRoundingHalf(function.bits))) {}

  HWY_INLINE V operator()(V code) const { return at(hn::Sub(code, zero)); }

  /// The value of a code that is greater than the zero point by `difference`.
  HWY_INLINE V at(V difference) const {
    V argument =
        hn::ShiftRightSame(hn::Add(scale(difference), half), function.shift);
    V index = hn::Add(hn::ShiftRightSame(argument, function.bits), offset);
    V value = function.bits == 0 ? entry(index) : interpolate(argument, index);
    if constexpr (Narrows)
      value = hn::Min(hn::ShiftRight<8>(hn::Add(value, hn::Set(d, 128))),
                      hn::Set(d, 127));
    return value;
  }

private:
  /// The entry in the lower half, its neighbour in the upper one.
  HWY_INLINE V pair(V index) const {
    auto at = hn::Min(hn::Max(index, hn::Zero(d)), last);
    return hn::GatherOffset(d,
                            reinterpret_cast<const int32_t *>(function.entries),
                            hn::Add(at, at));
  }
  static HWY_INLINE V lowHalf(V value) {
    return hn::ShiftRight<16>(hn::ShiftLeft<16>(value));
  }
  HWY_INLINE V entry(V index) const {
    V both = pair(index);
    return hn::IfThenElse(hn::Gt(index, last), hn::ShiftRight<16>(both),
                          lowHalf(both));
  }
  HWY_INLINE V interpolate(V argument, V index) const {
    V both = pair(index);
    V step = lowHalf(hn::Sub(both, hn::ShiftRight<16>(both)));
    V part = hn::Mul(step, hn::And(argument, fraction));
    return lowHalf(hn::Sub(
        both, hn::ShiftRightSame(hn::Add(part, halfStep), function.bits)));
  }

  static constexpr D d = {};
  const TableFunction &function;
  V zero;
  TableFactor<D, HasFewBits> scale;
  V half, offset, last, fraction, halfStep;
};

/// Converts table values to the quantised values of a result, whose multiplier
/// has 16 bits if it `HasFewBits`.
template <class D, typename Code, bool HasFewBits>
class TableCodes {
  using V = hn::Vec<D>;

public:
  explicit HWY_INLINE TableCodes(const TableResult &result)
      : shift(result.shift), multiplier(result.multiplier),
        half(hn::Set(d, result.half)), offset(hn::Set(d, result.offset)) {}

  HWY_INLINE auto operator()(V value) const {
    V scaled = hn::ShiftRightSame(hn::Add(multiplier(value), half), shift);
    return hn::DemoteTo(hn::Rebind<Code, D>(), hn::Add(scaled, offset));
  }

private:
  static constexpr D d = {};
  int shift;
  TableFactor<D, HasFewBits> multiplier;
  V half, offset;
};

/// Calls `visit(codes, at, count)` for lanes of 32 bits at a time.
template <typename Code, class Visit>
HWY_INLINE void forEachVector(const Code *in, int64_t count, Visit visit) {
  const hn::ScalableTag<int32_t> d;
  const hn::Rebind<Code, decltype(d)> dc;
  constexpr int64_t lanes = hn::MaxLanes(d);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    visit(hn::PromoteTo(d, hn::LoadU(dc, in + i)), i, lanes);
  if (i < count)
    visit(hn::PromoteTo(d, loadN(dc, in + i, count - i)), i, count - i);
}

template <class DC, typename Code>
HWY_INLINE void storeCount(DC d, hn::Vec<DC> codes, Code *to, int64_t count) {
  if (HWY_LIKELY(count == static_cast<int64_t>(hn::MaxLanes(d))))
    hn::StoreU(codes, d, to);
  else
    storeN(d, codes, to, count);
}

template <typename Code, bool Narrows>
void mapTable(const TableFunction &function, const TableResult &result,
              const Code *in, int64_t count, Code *out) {
  using D = hn::ScalableTag<int32_t>;
  const TableLookup<D, Narrows, sizeof(Code) == 1> lookUp(function);
  const TableCodes<D, Code, false> codes(result);
  forEachVector(in, count, [&](auto vector, int64_t at, int64_t size) HWY_ATTR {
    storeCount(hn::Rebind<Code, D>(), codes(lookUp(vector)), out + at, size);
  });
}

/// Stores table values of a softmax as quantised values.
template <typename Code>
HWY_INLINE void storeResults(const TableResult &result, const int32_t *values,
                             int64_t count, Code *out) {
  using D = hn::ScalableTag<int32_t>;
  const TableCodes<D, Code, true> codes(result);
  constexpr int64_t lanes = hn::MaxLanes(D());
  for (int64_t i = 0; i < count; i += lanes)
    storeCount(hn::Rebind<Code, D>(), codes(hn::Load(D(), values + i)), out + i,
               HWY_MIN(lanes, count - i));
}

template <typename Code>
HWY_INLINE int32_t largestCode(const Code *in, int64_t count) {
  const hn::ScalableTag<Code> d;
  constexpr int64_t lanes = hn::MaxLanes(d);
  Code largest = std::numeric_limits<Code>::min();
  int64_t i = 0;
  if (count >= lanes) {
    auto all = hn::LoadU(d, in);
    for (i = lanes; i + lanes <= count; i += lanes)
      all = hn::Max(all, hn::LoadU(d, in + i));
    HWY_ALIGN Code some[lanes];
    hn::Store(all, d, some);
    for (Code code : some)
      largest = HWY_MAX(largest, code);
  }
  for (; i < count; ++i)
    largest = HWY_MAX(largest, in[i]);
  return largest;
}

/// Sets how exponentials of a softmax are quantised; false if that takes the
/// scalar code.
template <class Type>
HWY_INLINE bool softmaxResult(int32_t sum, int lutFracBits,
                              TableResult &result) {
  quant::Ratio inverse = reciprocalOfSum<Type>(sum, lutFracBits);
  // The rounding constant must not saturate the largest product.
  if (inverse.shift < 0 || inverse.shift > 31 ||
      inverse.multiplier == INT16_MIN)
    return false;
  result.multiplier = inverse.multiplier;
  result.half = getRoundingHalf(inverse.shift);
  result.shift = inverse.shift;
  result.offset = Type::isAsymmetric ? -128 : 0;
  return true;
}

/// The parameters and types of a softmax that follow from the element type.
template <class Type>
struct Softmax {
  using Code = typename Type::Code;
  using D = hn::ScalableTag<int32_t>;
  using DC = hn::Rebind<Code, D>;
  using Lookup = TableLookup<D, sizeof(Code) == 1 && !Type::isAsymmetric,
                             sizeof(Code) == 1>;
  static constexpr int64_t lanes = hn::MaxLanes(D());

  static HWY_INLINE bool read(const Table &table,
                              const quant::QuantParams &params,
                              TableFunction &function) {
    return Type::isAsymmetric ? asymmetricFunction(table, params, 0, function)
                              : fixedPointFunction(table, params, function);
  }
  static HWY_INLINE bool getResult(hn::Vec<D> values, const Table &table,
                                   TableResult &result) {
    return softmaxResult<Type>(hn::GetLane(hn::SumOfLanes(D(), values)),
                               table.outFracBits, result);
  }
};

/// Rows that are loaded at once, and become a few vectors of 32-bit lanes.
template <class Type>
class ShortRow {
  using Row = Softmax<Type>;
  using Code = typename Type::Code;
  using D = typename Row::D;
  static constexpr int64_t lanes = Row::lanes;

public:
  static constexpr int64_t most =
      HWY_TARGET == HWY_AVX3 ? lanes : 16 / static_cast<int64_t>(sizeof(Code));
  static constexpr int vectors = most / lanes;
  static_assert(vectors >= 1);

  HWY_INLINE ShortRow(const Code *in, int64_t count) : count(count) {
    auto codes = loadN(all, in, count);
#if HWY_TARGET != HWY_SSSE3 && HWY_TARGET != HWY_NEON
    if constexpr (sizeof(Code) == 1) {
      const hn::RebindToUnsigned<decltype(all)> bytes;
      auto distances = fromLargest(codes);
      each<vectors>([&](auto i) HWY_ATTR {
        values[i] = hn::PromoteTo(d, part<i>(bytes, distances));
      });
      return;
    }
#endif
    each<vectors>([&](auto i) HWY_ATTR {
      values[i] = hn::PromoteTo(d, part<i>(all, codes));
    });
    auto most = hn::Set(d, largest());
    each<vectors>([&](auto i)
                      HWY_ATTR { values[i] = hn::Sub(most, values[i]); });
  }

  /// Looks up the values of elements, of which there is how far they are below
  /// the largest; returns their sums.
  template <class Lookup>
  HWY_INLINE hn::Vec<D> lookUp(const Lookup &function) {
    auto sums = hn::Zero(d);
    each<vectors>([&](auto i) HWY_ATTR {
      values[i] = function.at(values[i]);
      sums = hn::Add(sums, hn::IfThenElseZero(exists(i), values[i]));
    });
    return sums;
  }

  /// Stores the quantised values that `function` makes of values.
  template <class Results>
  HWY_INLINE void store(const Results &function, Code *out) const {
    storeN(all, join<0, vectors>(function), out, count);
  }

private:
#if HWY_TARGET != HWY_SSSE3 && HWY_TARGET != HWY_NEON
  /// How far bytes are below the largest, which an instruction finds that has
  /// the least of eight unsigned values.
  template <class V>
  HWY_INLINE auto fromLargest(V codes) const {
    const hn::RebindToUnsigned<decltype(all)> bytes;
    const hn::Repartition<uint16_t, decltype(bytes)> pairs;
    auto below = hn::BitCast(bytes, hn::Xor(codes, hn::Set(all, 127)));
    auto known = hn::IfThenElse(hn::FirstN(bytes, static_cast<size_t>(count)),
                                below, hn::Set(bytes, 255));
    auto halves =
        hn::BitCast(bytes, hn::ShiftRight<8>(hn::BitCast(pairs, known)));
    decltype(known) least{_mm_minpos_epu16(hn::Min(known, halves).raw)};
    return hn::Sub(below, hn::TableLookupBytes(least, hn::Zero(bytes)));
  }
#endif
  HWY_INLINE int32_t largest() const {
    auto of = [&](auto i) HWY_ATTR {
      return hn::IfThenElse(exists(i), values[i], hn::Set(d, INT16_MIN));
    };
    auto result = of(0);
    each<vectors>([&](auto i) HWY_ATTR { result = hn::Max(result, of(i)); });
    return hn::GetLane(hn::MaxOfLanes(d, result));
  }

  /// Whether lanes of vector `i` have elements.
  HWY_INLINE hn::Mask<D> exists(int i) const {
    return hn::Lt(hn::Iota(d, static_cast<int32_t>(i * lanes)),
                  hn::Set(d, static_cast<int32_t>(count)));
  }
  /// The elements of vector `I` among those of `from`.
  template <int I, class DFrom>
  static HWY_INLINE auto part(DFrom from, hn::Vec<DFrom> codes) {
    constexpr int parts = hn::MaxLanes(from) / lanes;
    if constexpr (parts == 1) {
      return codes;
    } else {
      const hn::Half<DFrom> half;
      if constexpr (I < parts / 2)
        return part<I>(half, hn::LowerHalf(half, codes));
      else
        return part<I - parts / 2>(half, hn::UpperHalf(half, codes));
    }
  }
  template <int First, int Count, class Results>
  HWY_INLINE auto join(const Results &function) const {
    if constexpr (Count == 1) {
      return function(values[First]);
    } else {
      const hn::CappedTag<Code, Count * lanes> to;
      return hn::Combine(to, join<First + Count / 2, Count / 2>(function),
                         join<First, Count / 2>(function));
    }
  }

  static constexpr D d = {};
  static constexpr hn::CappedTag<Code, most> all = {};
  int64_t count;
  hn::Vec<D> values[vectors];
};

/// Only quantised values go through memory.
template <class Type>
HWY_INLINE bool softmaxShort(TableFunction &function, const Table &table,
                             const typename Type::Code *in, int64_t count,
                             typename Type::Code *out) {
  using Row = Softmax<Type>;
  ShortRow<Type> row(in, count);
  function.scale = -function.scale;
  TableResult result;
  if (!Row::getResult(row.lookUp(typename Row::Lookup(function)), table,
                      result))
    return false;
  row.store(TableCodes<typename Row::D, typename Type::Code, true>(result),
            out);
  return true;
}

/// A row whose values fit into `values`.
template <class Type>
bool softmaxDirect(const TableFunction &function, const Table &table,
                   const typename Type::Code *in, int64_t count,
                   typename Type::Code *out, int32_t *values) {
  using Row = Softmax<Type>;
  const typename Row::D d;
  const typename Row::Lookup lookUp(function);
  auto sums = hn::Zero(d);
  forEachVector(in, count, [&](auto vector, int64_t at, int64_t size) HWY_ATTR {
    auto value = lookUp(vector);
    if (size < Row::lanes)
      value =
          hn::IfThenElseZero(hn::FirstN(d, static_cast<size_t>(size)), value);
    hn::Store(value, d, values + at);
    sums = hn::Add(sums, value);
  });
  TableResult result;
  if (!Row::getResult(sums, table, result))
    return false;
  storeResults(result, values, count, out);
  return true;
}

/// The sum of the table values of 8-bit elements, modulo 2^32.
inline int32_t sumOfValues(const int32_t *values, const int8_t *codes,
                           int64_t count) {
  auto getValue = [&](int64_t i) {
    return static_cast<uint32_t>(values[codes[i] + 128]);
  };
  uint32_t sum0 = 0;
  uint32_t sum1 = 0;
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    sum0 += getValue(i) + getValue(i + 1);
    sum1 += getValue(i + 2) + getValue(i + 3);
  }
  for (; i < count; ++i)
    sum0 += getValue(i);
  return static_cast<int32_t>(sum0 + sum1);
}

/// Softmax of many 8-bit values: each of the 256 is computed once.
template <class Type>
bool softmaxMany(const TableFunction &function, const Table &table,
                 const int8_t *in, int64_t count, int8_t *out) {
  using Row = Softmax<Type>;
  const typename Row::D d;
  HWY_ALIGN int32_t values[256];
  const typename Row::Lookup lookUp(function);
  for (int32_t code = 0; code <= function.zero + 128; code += Row::lanes)
    hn::Store(lookUp(hn::Iota(d, code - 128)), d, values + code);
  TableResult result;
  if (!softmaxResult<Type>(sumOfValues(values, in, count), table.outFracBits,
                           result))
    return false;
  HWY_ALIGN int8_t codes[256];
  storeResults(result, values, function.zero + 129, codes);
  for (int64_t i = 0; i < count; ++i)
    out[i] = codes[in[i] + 128];
  return true;
}

/// The table of a softmax and the function that it is read with.
template <class Type>
struct SoftmaxTable {
  HWY_INLINE SoftmaxTable(const mli_lut &lut, const quant::QuantParams &params)
      : table(lut), isValid(Softmax<Type>::read(table, params, function)) {}

  const Table table;
  TableFunction function;
  const bool isValid;
};

/// Reads the table itself, as what it takes does not fit into registers.
template <class Type>
HWY_NOINLINE bool softmaxLong(const mli_lut &lut,
                              const quant::QuantParams &params,
                              const typename Type::Code *in, int64_t count,
                              typename Type::Code *out) {
  using Row = Softmax<Type>;
  SoftmaxTable<Type> softmax(lut, params);
  if (!softmax.isValid)
    return false;
  softmax.function.zero = largestCode(in, count);
  if constexpr (sizeof(typename Type::Code) == 1)
    if (count >= manyCodes)
      return softmaxMany<Type>(softmax.function, softmax.table, in, count, out);
  Scratch values((count + Row::lanes) * sizeof(int32_t));
  return values.get() &&
         softmaxDirect<Type>(softmax.function, softmax.table, in, count, out,
                             reinterpret_cast<int32_t *>(values.get()));
}

template <class Type>
bool softmaxRow(const mli_lut &lut, const quant::QuantParams &params,
                const typename Type::Code *in, int64_t count,
                typename Type::Code *out) {
  if (count > ShortRow<Type>::most)
    return softmaxLong<Type>(lut, params, in, count, out);
  SoftmaxTable<Type> softmax(lut, params);
  // The scale is negated.
  return softmax.isValid && softmax.function.scale > INT16_MIN &&
         softmaxShort<Type>(softmax.function, softmax.table, in, count, out);
}

template <class Type, typename Code = typename Type::Code>
inline constexpr TableKernels<Code> tables = {
    mapTable<Code, sizeof(Code) == 1 && !Type::isAsymmetric>,
    softmaxRow<Computed<Type, quant::Rounding::Up>>};

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace mli::rt::simd {

template <>
const TableKernels<int8_t> *tableKernels<int8_t>(bool isAsymmetric) {
  return isAsymmetric
             ? MLI_SIMD_CHOOSE(TableKernels<int8_t>, tables<types::sa8>)
             : MLI_SIMD_CHOOSE(TableKernels<int8_t>, tables<types::fx8>);
}

template <>
const TableKernels<int16_t> *tableKernels<int16_t>(bool /*isAsymmetric*/) {
  return MLI_SIMD_CHOOSE(TableKernels<int16_t>, tables<types::fx16>);
}

} // namespace mli::rt::simd
#endif
