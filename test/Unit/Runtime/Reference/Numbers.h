// SPDX-License-Identifier: Apache-2.0
//
// The integer primitives of the specification in 128 bits, each written as its
// definition reads. Slow, and independent of the library.

#ifndef MLI_TEST_UNIT_RUNTIME_REFERENCE_NUMBERS_H
#define MLI_TEST_UNIT_RUNTIME_REFERENCE_NUMBERS_H

#include "mli/Runtime/C/mli_api.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace mli::ref {

__extension__ using Wide = __int128;

/// What the reference fixes when it is built.
struct Options {
  bool isConvergent = false;
  bool hasFullProducts = false;
  bool hasFullAverages = false;
};
inline Options options;

inline Wide power(int n) { return Wide{1} << n; }

/// How often numbers were clipped to so many bits, or wrapped around.
inline std::array<uint64_t, 129> clips = {};

inline Wide sat(int bits, Wide x) {
  Wide kept = std::max(std::min(x, power(bits - 1) - 1), -power(bits - 1));
  clips[bits] += kept != x ? 1 : 0;
  return kept;
}

/// x / 2^n, rounded down: so is the shift of a negative number.
inline Wide floorShift(Wide x, int n) { return x >> n; }

inline Wide wrap(int bits, Wide x) {
  Wide rest = x - floorShift(x, bits) * power(bits);
  Wide kept = rest >= power(bits - 1) ? rest - power(bits) : rest;
  clips[bits] += kept != x ? 1 : 0;
  return kept;
}

inline Wide shl(int bits, Wide x, int n) {
  if (n < 0)
    return floorShift(x, std::min(-n, 127));
  for (; n > 0 && x != 0; --n)
    x = sat(bits, 2 * x);
  return x;
}

inline Wide rsh(int bits, Wide x, int n) {
  if (n <= 0)
    return shl(bits, x, -n);
  if (n > bits - 1)
    return 0;
  if (!options.isConvergent)
    return floorShift(sat(bits, x + power(n - 1)), n);
  Wide down = floorShift(x, n);
  Wide twice = 2 * (x - down * power(n));
  if (twice < power(n))
    return down;
  if (twice > power(n))
    return sat(bits, down + 1);
  return down % 2 == 0 ? down : sat(bits, down + 1);
}

/// Redundant sign bits: how often x can be doubled.
inline int norm(int bits, Wide x) {
  Wide magnitude = x < 0 ? -(x + 1) : x;
  int used = 0;
  for (int step = 64; step > 0; step /= 2)
    if (floorShift(magnitude, step) != 0) {
      magnitude = floorShift(magnitude, step);
      used += step;
    }
  used += magnitude != 0 ? 1 : 0;
  return std::max(bits - 1 - used, 0);
}

/// C division truncates towards zero, as 128-bit division does. By 0, which
/// only sums of tables that are no tables of exp are, it is taken as 0.
inline Wide tdiv(Wide a, Wide b) { return b == 0 ? 0 : a / b; }

/// `mantissa * 2^shift`.
struct Mantissa {
  Wide mantissa;
  int shift;
};

/// The top `width` bits of a 32-bit number.
inline Mantissa mantissa(int width, Wide q) {
  int shift = 32 - width - norm(32, q);
  return {sat(width, rsh(32, q, shift)), shift};
}

/// real = (code - z) * s * 2^-f; fx has s = 1 and z = 0.
struct Quant {
  Wide s = 1;
  int f = 0;
  Wide z = 0;
};

inline bool isFx(mli_element_type type) {
  return type == MLI_EL_FX_8 || type == MLI_EL_FX_16;
}

inline int getBits(mli_element_type type) { return type & 0xff; }

inline Quant quantOf(const mli_tensor &t, uint32_t index = 0) {
  if (isFx(t.el_type))
    return {1, t.el_params.fx.frac_bits, 0};
  if (t.el_type == MLI_EL_FP_32)
    return {};
  const auto &sa = t.el_params.sa;
  if (sa.dim < 0)
    return {sa.scale.mem.i16, sa.scale_frac_bits.mem.i8, sa.zero_point.mem.i16};
  return {sa.scale.mem.pi16[index], sa.scale_frac_bits.mem.pi8[index],
          sa.zero_point.mem.pi16[index]};
}

/// Between two quantisations: about m * 2^-shift.
struct Requant {
  Wide m;
  int shift;
  Wide offset;
};

inline Requant requant(const Quant &in, const Quant &out) {
  int pre = norm(32, in.s) - norm(16, out.s);
  Mantissa ratio = mantissa(16, tdiv(in.s * power(pre), out.s));
  int shift = pre + in.f - out.f - ratio.shift;
  Wide zero = sat(16, rsh(32, ratio.mantissa * in.z, shift));
  return {ratio.mantissa, shift, sat(16, out.z - zero)};
}

} // namespace mli::ref

#endif // MLI_TEST_UNIT_RUNTIME_REFERENCE_NUMBERS_H
