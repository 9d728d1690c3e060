// SPDX-License-Identifier: Apache-2.0

#include "mli/Quant/Requantize.h"

#include <algorithm>
#include <cmath>

namespace mli::quant {

Ratio normalizedRatio(int32_t product, int16_t scale, Rounding rounding) {
  int count = norm(product);
  auto normalized = wrap<int32_t>(product * (int64_t{1} << count));
  Mantissa<int16_t> m =
      toMantissa<int16_t>(divide(normalized, scale), rounding);
  return {m.mantissa, count - m.shift};
}

Ratio limitShift(Ratio ratio, int maxShift, Rounding rounding) {
  int excess =
      std::max(ratio.shift - maxShift, 0) + std::min(31 + ratio.shift, 0);
  return {roundShiftRight(ratio.multiplier, excess, rounding),
          ratio.shift - excess};
}

// K3
Requantization requantize(const QuantParams &in, const QuantParams &out,
                          Rounding rounding) {
  int preShift = norm<int32_t>(in.scale) - norm(out.scale); // 1 or more.
  auto normalized = wrap<int32_t>(in.scale * (int64_t{1} << preShift));
  Mantissa<int16_t> m =
      toMantissa<int16_t>(divide(normalized, out.scale), rounding);
  int shift = preShift + in.fracBits - out.fracBits - m.shift;
  auto zero = saturate<int16_t>(
      roundShiftRight<int32_t>(m.mantissa * in.zeroPoint, shift, rounding));
  return {{m.mantissa, shift}, saturate<int16_t>(out.zeroPoint - zero)};
}

// K4
int32_t convertCode(int32_t code, const QuantParams &in, const QuantParams &out,
                    Ratio ratio, Rounding rounding) {
  int32_t value = saturate<int16_t>(code - in.zeroPoint);
  int32_t scaled = roundShiftRight<int32_t>(
      value * ratio.multiplier, std::min(ratio.shift, 31), rounding);
  return saturatingAdd<int32_t>(scaled, out.zeroPoint);
}

// K5
int32_t convertWideCode(int32_t code, const QuantParams &in,
                        const QuantParams &out, Ratio ratio,
                        Rounding rounding) {
  auto value = saturate<int32_t>(static_cast<int64_t>(code) - in.zeroPoint);
  int32_t multiplier = ratio.multiplier;
  int valueNorm = norm(value);
  int multiplierNorm = norm(multiplier);
  int64_t product =
      (static_cast<int64_t>(value) * (int64_t{1} << valueNorm)) *
      (static_cast<int64_t>(multiplier) * (int64_t{1} << multiplierNorm));
  auto high = static_cast<int32_t>(product >> 32);
  int shift = std::min(ratio.shift, 63) + multiplierNorm + valueNorm - 32;
  return saturatingAdd<int32_t>(roundShiftRight(high, shift, rounding),
                                out.zeroPoint);
}

float inverseScale(const QuantParams &out) {
  return std::ldexp(1.0F / static_cast<float>(out.scale), out.fracBits);
}

float floatScale(const QuantParams &in) {
  return std::ldexp(static_cast<float>(in.scale), -in.fracBits);
}

// K6
int32_t quantizeFloat(float value, const QuantParams &out) {
  float rounded = value * inverseScale(out) + (value > 0 ? 0.5F : -0.5F);
  bool fits = rounded >= -2147483648.0F && rounded < 2147483648.0F;
  int32_t code = fits ? static_cast<int32_t>(rounded) : INT32_MIN;
  return saturatingAdd<int32_t>(code, out.zeroPoint);
}

float dequantizeCode(int32_t code, const QuantParams &in) {
  auto value = saturate<int32_t>(static_cast<int64_t>(code) - in.zeroPoint);
  return static_cast<float>(value) * floatScale(in);
}

// K7
Ratio reciprocal(int32_t count) {
  int shift = 14;
  while ((int64_t{1} << (shift - 14)) < count)
    ++shift;
  return {static_cast<int16_t>(
              std::min<int64_t>((int64_t{1} << shift) / count, INT16_MAX)),
          shift};
}

AverageScale averageFixedPoint(int8_t inFracBits, int8_t outFracBits,
                               int32_t count) {
  Ratio r = reciprocal(count);
  return {r.multiplier, inFracBits - outFracBits + r.shift, 0};
}

// K8
AverageScale averageAsymmetric(const QuantParams &in, const QuantParams &out,
                               int32_t count, bool isFull, Rounding rounding) {
  Requantization scale = requantize(in, out, rounding);
  Ratio r = reciprocal(count);
  int32_t product = scale.ratio.multiplier * r.multiplier;
  int shift = scale.ratio.shift + r.shift;
  // K54
  if (isFull) {
    Mantissa<int16_t> m = toMantissa<int16_t>(product, rounding);
    return {m.mantissa, shift - m.shift, scale.offset};
  }
  Mantissa<int8_t> m = toMantissa<int8_t>(product, rounding);
  return {m.mantissa, shift - m.shift, scale.offset};
}

/// `number * 2^fracBits / scale`, or `max` where that is far outside.
static int32_t limitCode(int32_t number, int lostBits, int maxFracBits,
                         const QuantParams &params, int32_t max) {
  if (params.fracBits >= maxFracBits)
    return max;
  if (params.fracBits < -lostBits)
    return 0;
  return divide(params.fracBits >= 0 ? number << params.fracBits
                                     : number >> -params.fracBits,
                params.scale);
}

// K9
Limits reluLimits(Relu relu, const QuantParams &params, int32_t min,
                  int32_t max) {
  int32_t zero = params.zeroPoint;
  switch (relu) {
  case Relu::Gen:
    return {std::max(zero, min), max};
  case Relu::Six: {
    int32_t six = limitCode(6, /*lostBits=*/2, 28, params, max);
    return {std::max(zero, min), std::min(zero + six, max)};
  }
  case Relu::One: {
    int32_t one = limitCode(1, /*lostBits=*/0, 30, params, max);
    return {std::max(zero - one, min), std::min(zero + one, max)};
  }
  case Relu::None:
    break;
  }
  return {min, max};
}

std::optional<Relu> findRelu(const Limits &limits, const QuantParams &params) {
  for (Relu relu : {Relu::None, Relu::Gen, Relu::Six, Relu::One}) {
    Limits range = reluLimits(relu, params, INT8_MIN, INT8_MAX);
    if (range.low == limits.low && range.high == limits.high)
      return relu;
  }
  return std::nullopt;
}

} // namespace mli::quant
