// SPDX-License-Identifier: Apache-2.0
//
// Random products of 8-bit values with constant weights, with channels without
// weights and with extreme biases and scales, what they are in exact integers,
// and how networks write them.

#ifndef MLI_TEST_UNIT_FRONTEND_RANDOMLAYER_H
#define MLI_TEST_UNIT_FRONTEND_RANDOMLAYER_H

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace mli::test {

/// A factor as networks apply it: `(sum * multiplier + half) >> shift`.
struct FixedFactor {
  int64_t multiplier;
  int shift;
};

struct RandomLayer {
  enum class Kind { Conv, Grouped, Depthwise, Transposed, Connected };
  enum class Activation { None = 0, Relu = 1, Relu6 = 3 };
  /// How a network writes it. With `Unsigned` all tensors are uint8.
  enum class Form { TFLite, Unsigned, Tosa };

  Form form;
  Kind kind;
  int64_t height, width, channels, outputs, groups;
  int64_t kernel[2];
  int64_t stride;
  /// With a border of zeros, so that results are as large as inputs.
  bool isPadded;
  int32_t inZero, outZero;
  float inScale, outScale;
  /// One for all outputs, or one each.
  std::vector<float> scales;
  /// Less the zero points, which are as many as the scales:
  /// [outputs, kernel, kernel, channels of a group].
  std::vector<int16_t> weights;
  std::vector<int64_t> weightsZeros;
  std::vector<int32_t> bias;
  Activation activation;
  std::vector<int8_t> input;

  bool isUnsigned() const { return form == Form::Unsigned; }
  int64_t groupChannels() const { return channels / groups; }
  int64_t outHeight() const;
  int64_t outWidth() const;
  /// The weights as a file holds them, of `Kind::Depthwise` as
  /// [1, kernel, kernel, outputs].
  std::vector<uint8_t> codes() const;
  /// The exact factor of an output, as a real number.
  double factorOf(int64_t output) const;
};

/// Of TOSA, without what that has in other operations. Zero points and inputs
/// are those of int8 in any form.
RandomLayer randomLayer(std::mt19937 &random, RandomLayer::Form form);

/// The rule in docs/guides/tflite.md: a quantized value is the exact one or,
/// where the exact number is within 3/64 of the middle between two, the other.
struct Verdict {
  int64_t elements = 0, differing = 0, wrong = 0;
};
Verdict compare(const RandomLayer &layer,
                const std::vector<FixedFactor> &factors, const int8_t *codes);

/// The factors of TFLite with one rounding, and those of TOSA.
std::vector<FixedFactor> tfliteFactors(const RandomLayer &layer);
std::vector<FixedFactor> tosaFactors(const RandomLayer &layer);

/// A file with an operator for each layer; its outputs are called `y0` and on.
std::string toTFLite(const std::vector<RandomLayer> &layers);
/// A function of TOSA, `@f<number>`.
std::string toTosa(const RandomLayer &layer, size_t number);

} // namespace mli::test

#endif // MLI_TEST_UNIT_FRONTEND_RANDOMLAYER_H
