// SPDX-License-Identifier: Apache-2.0
//
// Requantisation in kernels: ratios of scales as a 16-bit mantissa and a shift,
// as element-wise operations, conversions, pooling and activations use them.
// Every shift that rounds does so as `rounding` specifies.

#ifndef MLI_QUANT_REQUANTIZE_H
#define MLI_QUANT_REQUANTIZE_H

#include "mli/Quant/Arithmetic.h"
#include "mli/Quant/QuantParams.h"

namespace mli::quant {

/// The parameters of fx values, as every formula takes them: scale 1, zero
/// point 0.
constexpr QuantParams fixedPoint(int8_t fracBits) { return {1, fracBits, 0}; }

/// A ratio of scales: about `multiplier * 2^-shift`.
struct Ratio {
  int16_t multiplier;
  int shift;
};

/// `product * 2^count / scale` as a ratio, where the count normalises the
/// product; the fraction bits of the operands still have to be added to the
/// shift. Element-wise operations build their multipliers from it.
Ratio normalizedRatio(int32_t product, int16_t scale,
                      Rounding rounding = Rounding::Up);

/// Out of the ratio's range of shifts: moves what exceeds [-31, maxShift] from
/// the shift into the multiplier.
Ratio limitShift(Ratio ratio, int maxShift, Rounding rounding = Rounding::Up);

/// The change from one quantisation to another.
struct Requantization {
  Ratio ratio;
  /// The zero point of the output less that of the input in units of the
  /// output; only average pooling adds it.
  int16_t offset;
};

/// The requantisation from `in` to `out`. Equal fx types give 16384 and 14.
Requantization requantize(const QuantParams &in, const QuantParams &out,
                          Rounding rounding = Rounding::Up);

/// `code` of `in` as a value of `out`, before saturation to its container,
/// where neither is 32 bits wide; `ratio` is that of `requantize(in, out)`.
int32_t convertCode(int32_t code, const QuantParams &in, const QuantParams &out,
                    Ratio ratio, Rounding rounding = Rounding::Up);

/// The same where either is 32 bits wide: the low half of the product is
/// dropped before the rounding.
int32_t convertWideCode(int32_t code, const QuantParams &in,
                        const QuantParams &out, Ratio ratio,
                        Rounding rounding = Rounding::Up);

/// The factor from fp32 to quantised values of `out`, and the one from
/// quantised values of `in` to fp32.
float inverseScale(const QuantParams &out);
float floatScale(const QuantParams &in);

/// fp32 as a value of `out`, before saturation to its container, every step in
/// binary32. Values beyond int32, and NaN, give INT32_MIN plus the zero point.
int32_t quantizeFloat(float value, const QuantParams &out);

/// Converts a quantised value of `in` to fp32.
float dequantizeCode(int32_t code, const QuantParams &in);

/// 1/count as `multiplier * 2^-shift`, rounded down, for a count of 1 to 65025.
Ratio reciprocal(int32_t count);

/// The constants of an average over `count` values: about
/// `(offset * 2^shift + multiplier * sum) * 2^-shift`. For sa the multiplier
/// has 8 bits, or all 16 in a full average.
struct AverageScale {
  int16_t multiplier;
  int shift;
  int16_t offset;
};
AverageScale averageFixedPoint(int8_t inFracBits, int8_t outFracBits,
                               int32_t count);
AverageScale averageAsymmetric(const QuantParams &in, const QuantParams &out,
                               int32_t count, bool isFull = false,
                               Rounding rounding = Rounding::Up);

/// The built-in activations, numbered as `mli_relu_type`.
enum class Relu { None = 0, Gen = 1, One = 2, Six = 3 };

/// A clip to [low, high].
struct Limits {
  int32_t low;
  int32_t high;
};

/// Returns the quantised values that `relu` clips to, where `min` and `max` are
/// the container's. Unknown kinds are None. 6 and 1 are truncated, and saturate
/// to `max` before the zero point is added.
Limits reluLimits(Relu relu, const QuantParams &params, int32_t min,
                  int32_t max);

/// Returns the activation that clips quantised values of 8 bits in `params` to
/// exactly `limits`, None before others; nothing if there is none.
std::optional<Relu> findRelu(const Limits &limits, const QuantParams &params);

} // namespace mli::quant

#endif // MLI_QUANT_REQUANTIZE_H
