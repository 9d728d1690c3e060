// SPDX-License-Identifier: Apache-2.0
//
// Functions of one or two codes: element-wise operations, the relu family and
// conversions.

#ifndef MLI_TEST_UNIT_RUNTIME_REFERENCE_ELEMENTWISE_H
#define MLI_TEST_UNIT_RUNTIME_REFERENCE_ELEMENTWISE_H

#include "Weighted.h"

#include <cmath>

namespace mli::ref {

enum class Op { Add, Sub, Mul, Min, Max };

inline Wide apply(Op op, Wide a, Wide b) {
  switch (op) {
  case Op::Add:
    return a + b;
  case Op::Sub:
    return a - b;
  case Op::Mul:
    return a * b;
  case Op::Min:
    return std::min(a, b);
  case Op::Max:
    return std::max(a, b);
  }
  return 0;
}

inline Wide eltwiseFx(Op op, int w, Wide x1, int f1, Wide x2, int f2, int fo) {
  if (op == Op::Min || op == Op::Max)
    return rsh(w, apply(op, x1, x2), std::min(f1 - fo, w - 1));
  if (op == Op::Mul)
    return sat(w, rsh(64, x1 * x2, std::min(f1 + f2 - fo, 2 * w - 1)));
  Wide a = rsh(32, x1, std::min(f1 - f2, 0));
  Wide b = rsh(32, x2, std::min(f2 - f1, 0));
  int shift = std::min(std::max(f1, f2) - fo, 2 * w - 1);
  return sat(w, rsh(64, sat(32, apply(op, a, b)), shift));
}

/// `s / so` as a 16-bit multiplier, its shift kept in -31 to `maxShift`.
inline std::pair<Wide, int> saScale(Wide s, int f, const Quant &out,
                                    int maxShift) {
  int n = norm(32, s);
  Mantissa m = mantissa(16, tdiv(s * power(n), out.s));
  int shift = f - out.f + n - m.shift;
  int c = std::max(shift - maxShift, 0) + std::min(31 + shift, 0);
  return {rsh(16, m.mantissa, c), shift - c};
}

inline Wide eltwiseSa(Op op, Wide x1, const Quant &q1, Wide x2, const Quant &q2,
                      const Quant &out) {
  Wide u = sat(16, x1 - q1.z);
  Wide v = sat(16, x2 - q2.z);
  Wide r = 0;
  if (op == Op::Mul) {
    auto [m, shift] = saScale(q1.s * q2.s, q1.f + q2.f, out, 31);
    int pre = std::min(std::max(shift - 21, 0), 3);
    r = rsh(32, sat(16, rsh(32, u * v, pre)) * m, shift - pre);
  } else if (op == Op::Min || op == Op::Max) {
    auto [m, shift] = saScale(q1.s, q1.f, out, 23);
    r = rsh(32, apply(op, u * m, v * m), shift);
  } else {
    auto [m1, shift1] = saScale(q1.s, q1.f, out, 23);
    auto [m2, shift2] = saScale(q2.s, q2.f, out, 23);
    r = sat(32, apply(op, rsh(32, u * m1, shift1), rsh(32, v * m2, shift2)));
  }
  return sat(8, sat(16, sat(16, r) + out.z));
}

/// One element of an operation of `type`.
inline Wide eltwise(Op op, mli_element_type type, Wide x1, const Quant &q1,
                    Wide x2, const Quant &q2, const Quant &out) {
  return isFx(type) ? eltwiseFx(op, getBits(type), x1, q1.f, x2, q2.f, out.f)
                    : eltwiseSa(op, x1, q1, x2, q2, out);
}

inline Codes eltwise(Op op, const mli_tensor &in1, const mli_tensor &in2,
                     const mli_tensor &out) {
  Codes a = getCodes(in1);
  Codes b = getCodes(in2);
  Codes codes;
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    codes.push_back(static_cast<int64_t>(
        eltwise(op, out.el_type, a[a.size() == 1 ? 0 : i], quantOf(in1),
                b[b.size() == 1 ? 0 : i], quantOf(in2), quantOf(out))));
  return codes;
}

inline Codes relu(const mli_tensor &in, const mli_relu_cfg &cfg) {
  Codes codes = getCodes(in);
  auto [low, high] = reluLimits(cfg.type, quantOf(in), getBits(in.el_type));
  for (int64_t &code : codes)
    code = static_cast<int64_t>(std::min(std::max(Wide{code}, low), high));
  return codes;
}

inline Wide leakyFx(int w, Wide x, Wide a, int shift, bool isScalar) {
  int n = isScalar && w == 16 ? norm(16, a) : 0;
  Wide product = std::min(Wide{0}, x) * a * power(n);
  Wide negative = sat(w, rsh(32, product, std::min(shift + n, 31)));
  return sat(w, std::max(Wide{0}, x) + negative);
}

inline Wide leakySa(Wide x, Wide a, const Quant &in, const Quant &slope,
                    const Quant &out) {
  Requant identity = requant(in, out);
  Wide m = shl(16, identity.m, std::max(-identity.shift, 0));
  int shift = std::max(identity.shift, 0);
  Mantissa al = mantissa(16, sat(32, wrap(16, a - slope.z) * slope.s));
  Mantissa m2 = mantissa(16, m * al.mantissa);
  int shift2 = shift + slope.f - al.shift - m2.shift;
  Wide v = sat(16, x - in.z);
  Wide y = x >= in.z ? rsh(32, m * v, shift) : rsh(32, m2.mantissa * v, shift2);
  return sat(8, sat(32, y + out.z));
}

/// leaky relu for axis -1, else prelu.
inline Codes prelu(const mli_tensor &in, const mli_tensor &slope, int32_t axis,
                   const mli_tensor &out) {
  std::vector<int64_t> shape = getShape(in);
  Codes codes = getCodes(in);
  for (size_t i = 0; i < codes.size(); ++i) {
    int64_t index =
        axis < 0 ? 0 : coordsOf(shape, static_cast<int64_t>(i))[axis];
    Wide a = codeAtOffset(slope, index);
    Wide y =
        isFx(in.el_type)
            ? leakyFx(getBits(in.el_type), codes[i], a,
                      quantOf(in).f + quantOf(slope).f - quantOf(out).f,
                      axis < 0)
            : leakySa(codes[i], a, quantOf(in), quantOf(slope), quantOf(out));
    codes[i] = static_cast<int64_t>(y);
  }
  return codes;
}

inline Wide convertInteger(Wide x, const Quant &in, const Quant &out,
                           bool isWide) {
  Requant r = requant(in, out);
  if (!isWide)
    return sat(32,
               rsh(32, sat(16, x - in.z) * r.m, std::min(r.shift, 31)) + out.z);
  Wide v = sat(32, x - in.z);
  int vn = norm(32, v);
  int mn = norm(32, r.m);
  Wide high = floorShift(v * power(vn) * r.m * power(mn), 32);
  return sat(32, rsh(32, high, std::min(r.shift, 63) + mn + vn - 32) + out.z);
}

inline float floatOf(int64_t bits) {
  auto word = static_cast<int32_t>(bits);
  float value = 0;
  std::memcpy(&value, &word, 4);
  return value;
}

inline int64_t bitsOfFloat(float value) {
  int32_t bits = 0;
  std::memcpy(&bits, &value, 4);
  return bits;
}

inline Wide convertFloat(float x, const Quant &out) {
  // Stored between the steps, so that each is rounded to binary32.
  volatile float inverse = 1.0F / static_cast<float>(out.s);
  volatile float scale = std::ldexp(inverse, out.f);
  volatile float product = x * scale;
  volatile float r = product + (x > 0 ? 0.5F : -0.5F);
  Wide n =
      r >= -2147483648.0F && r < 2147483648.0F ? Wide(int64_t(r)) : -power(31);
  return sat(32, n + out.z);
}

inline Codes convert(const mli_tensor &src, const mli_tensor &dst) {
  bool fromFloat = src.el_type == MLI_EL_FP_32;
  bool toFloat = dst.el_type == MLI_EL_FP_32;
  bool isWide = src.el_type == MLI_EL_SA_32 || dst.el_type == MLI_EL_SA_32;
  auto getAxis = [](const mli_tensor &t) {
    return t.el_type == MLI_EL_SA_8 || t.el_type == MLI_EL_SA_32
               ? t.el_params.sa.dim
               : -1;
  };
  int32_t axis = getAxis(dst) >= 0 ? getAxis(dst) : getAxis(src);
  std::vector<int64_t> shape = getShape(src);
  Codes codes = getCodes(src);
  for (size_t i = 0; i < codes.size(); ++i) {
    uint32_t k = axis < 0 ? 0
                          : static_cast<uint32_t>(
                                coordsOf(shape, static_cast<int64_t>(i))[axis]);
    Quant in = quantOf(src, k);
    Quant out = quantOf(dst, k);
    if (fromFloat && toFloat)
      continue;
    if (toFloat)
      codes[i] = bitsOfFloat(
          static_cast<float>(static_cast<int64_t>(sat(32, codes[i] - in.z))) *
          std::ldexp(static_cast<float>(static_cast<int64_t>(in.s)), -in.f));
    else
      codes[i] = static_cast<int64_t>(
          sat(getBits(dst.el_type),
              fromFloat ? convertFloat(floatOf(codes[i]), out)
                        : convertInteger(codes[i], in, out, isWide)));
  }
  return codes;
}

} // namespace mli::ref

#endif // MLI_TEST_UNIT_RUNTIME_REFERENCE_ELEMENTWISE_H
