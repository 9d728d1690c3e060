// SPDX-License-Identifier: Apache-2.0
//
// The integer primitives that every kernel formula is built from. W is the
// width of the signed integer type, the register of the formula.

#ifndef MLI_QUANT_ARITHMETIC_H
#define MLI_QUANT_ARITHMETIC_H

#include <cstdint>
#include <limits>
#include <type_traits>

namespace mli::quant {

template <typename Int>
inline constexpr int getWidth = static_cast<int>(8 * sizeof(Int));

/// `value` clamped to the range of `Int`, which has at most 32 bits.
template <typename Int>
constexpr Int saturate(int64_t value) {
  static_assert(getWidth<Int> <= 32);
  constexpr int64_t high = (int64_t{1} << (getWidth<Int> - 1)) - 1;
  constexpr int64_t low = -high - 1;
  return static_cast<Int>(value < low ? low : value > high ? high : value);
}

/// `value` modulo 2^W.
template <typename Int>
constexpr Int wrap(int64_t value) {
  return static_cast<Int>(static_cast<std::make_unsigned_t<Int>>(value));
}

/// The sum modulo 2^W.
template <typename Int>
constexpr Int wrapAdd(Int a, Int b) {
  using Unsigned = std::make_unsigned_t<Int>;
  return static_cast<Int>(static_cast<Unsigned>(static_cast<Unsigned>(a) +
                                                static_cast<Unsigned>(b)));
}

/// The sum clamped to the range of `Int`.
template <typename Int>
constexpr Int saturatingAdd(Int a, Int b) {
  Int sum = 0;
  if (!__builtin_add_overflow(a, b, &sum))
    return sum;
  return b < 0 ? std::numeric_limits<Int>::min()
               : std::numeric_limits<Int>::max();
}

/// `value * 2^count`, clamped, for any count from 0 on; a negative count shifts
/// right and rounds down.
template <typename Int>
constexpr Int shiftLeft(Int value, int count) {
  constexpr int width = getWidth<Int>;
  if (count < 0)
    return static_cast<Int>(value >> (count <= -width ? width - 1 : -count));
  if (value == 0)
    return 0;
  constexpr Int low = std::numeric_limits<Int>::min();
  constexpr Int high = std::numeric_limits<Int>::max();
  if (count >= width || value > (high >> count) || value < (low >> count))
    return value < 0 ? low : high;
  return wrap<Int>(static_cast<int64_t>(static_cast<uint64_t>(value) << count));
}

/// The way a rounding shift takes halves: up, or to the even neighbour.
enum class Rounding { Up, Convergent };

/// `value * 2^-count`, rounded. Up adds its constant with saturation; a count
/// of W or more gives 0, a negative one shifts left. Kernels pass `rounding` as
/// a constant, so that it costs nothing.
// K1, K53
template <typename Int>
constexpr Int roundShiftRight(Int value, int count,
                              Rounding rounding = Rounding::Up) {
  if (count <= 0)
    return count == 0 ? value : shiftLeft(value, -count);
  if (count >= getWidth<Int>)
    return 0;
  if (rounding == Rounding::Convergent) {
    auto floor = static_cast<int64_t>(value >> count);
    auto rest = static_cast<uint64_t>(value) & ((uint64_t{1} << count) - 1);
    uint64_t half = uint64_t{1} << (count - 1);
    bool isUp = rest > half || (rest == half && (floor & 1) != 0);
    return static_cast<Int>(floor + (isUp ? 1 : 0));
  }
  auto half = static_cast<Int>(Int{1} << (count - 1));
  return static_cast<Int>(saturatingAdd(value, half) >> count);
}

/// The number of redundant sign bits: W-1 for 0 and -1.
template <typename Int>
constexpr int norm(Int value) {
  auto bits =
      static_cast<uint64_t>(static_cast<int64_t>(value < 0 ? ~value : value));
  return bits == 0 ? getWidth<Int> - 1
                   : getWidth<Int> - 1 - (64 - __builtin_clzll(bits));
}

/// The 32-bit quotient, truncated towards zero; 0 for a divisor of 0, which no
/// valid scale is.
constexpr int32_t divide(int32_t dividend, int32_t divisor) {
  if (divisor == 0)
    return 0;
  return wrap<int32_t>(static_cast<int64_t>(dividend) / divisor);
}

/// A number as `mantissa * 2^shift`.
template <typename Int>
struct Mantissa {
  Int mantissa;
  int shift;
};

/// The most significant W bits of `value`, rounded. The shift may be negative:
/// small values are shifted left until they fill the mantissa.
template <typename Int>
constexpr Mantissa<Int> toMantissa(int32_t value,
                                   Rounding rounding = Rounding::Up) {
  int shift = 32 - getWidth<Int> - norm(value);
  return {saturate<Int>(roundShiftRight(value, shift, rounding)), shift};
}

} // namespace mli::quant

#endif // MLI_QUANT_ARITHMETIC_H
