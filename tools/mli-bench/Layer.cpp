// SPDX-License-Identifier: Apache-2.0

#include "Layer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace mli::bench {

float Scale::real() const {
  return std::ldexp(static_cast<float>(mantissa), -fracBits);
}

Scale toScale(double value) {
  int exponent = 0;
  double fraction = std::frexp(value, &exponent);
  auto mantissa = static_cast<int16_t>(
      std::min<long>(std::lround(fraction * 32768), 32767));
  return {mantissa, static_cast<int8_t>(15 - exponent)};
}

/// Weights of the usual spread, in both orders.
static void fillWeights(const Layer &layer, std::mt19937 &random,
                        Operands &operands) {
  std::normal_distribution<float> spread(0, 30);
  size_t rows = layer.products();
  size_t columns = layer.outputs;
  operands.weights.resize(rows * columns);
  for (int8_t &weight : operands.weights)
    weight = static_cast<int8_t>(
        std::clamp(std::lround(spread(random)), -127L, 127L));
  operands.weightsByOutput = operands.weights;
  if (!layer.isDepthwise())
    for (size_t k = 0; k < rows; ++k)
      for (size_t n = 0; n < columns; ++n)
        operands.weightsByOutput[n * rows + k] =
            operands.weights[k * columns + n];
  for (size_t n = 0; n < columns; ++n) {
    operands.bias.push_back(static_cast<int32_t>(random() % 40000) - 20000);
    operands.weightScales.push_back(
        toScale(0.0041 * (1 + random() % 1000 / 1000.0)));
  }
}

Operands::Operands(const Layer &layer) {
  std::mt19937 random(std::hash<std::string>()(layer.name) & 0xffffffff);
  size_t count = static_cast<size_t>(layer.height) * layer.width * layer.inputs;
  // Libraries may read some bytes after their inputs.
  for (std::vector<int8_t> *codes : {&in, &in2}) {
    codes->resize(count + 256);
    for (int8_t &code : *codes)
      code = static_cast<int8_t>(random() % 256 - 128);
  }
  inScale = toScale(0.0193);
  in2Scale = toScale(0.0411);
  outScale = inScale;
  if (layer.hasWeights()) {
    fillWeights(layer, random, *this);
    outScale = toScale(2220 * std::sqrt(layer.products()) * inScale.real() *
                       0.0061 / 40);
  } else if (layer.kind == "add") {
    outScale = toScale(0.0501);
  } else if (layer.kind == "softmax") {
    outScale = {16384, 22};
    outZero = -128;
  } else {
    outZero = inZero;
  }
}

} // namespace mli::bench
