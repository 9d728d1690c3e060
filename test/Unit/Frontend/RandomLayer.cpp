// SPDX-License-Identifier: Apache-2.0

#include "RandomLayer.h"

#include <algorithm>
#include <cmath>

using namespace mli::test;
using Kind = RandomLayer::Kind;
using Activation = RandomLayer::Activation;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static int64_t extentOf(const RandomLayer &layer, int64_t input, int side) {
  if (layer.kind == Kind::Transposed)
    return (input - 1) * layer.stride + layer.kernel[side];
  return layer.isPadded ? input
                        : (input - layer.kernel[side]) / layer.stride + 1;
}

int64_t RandomLayer::outHeight() const { return extentOf(*this, height, 0); }
int64_t RandomLayer::outWidth() const { return extentOf(*this, width, 1); }

double RandomLayer::factorOf(int64_t output) const {
  double scale = scales[scales.size() == 1 ? 0 : output];
  return static_cast<double>(inScale) * scale / static_cast<double>(outScale);
}

std::vector<uint8_t> RandomLayer::codes() const {
  size_t count = weights.size() / outputs;
  std::vector<uint8_t> codes(weights.size());
  for (size_t i = 0; i < weights.size(); ++i) {
    size_t output = i / count;
    int64_t zero = weightsZeros[weightsZeros.size() == 1 ? 0 : output];
    codes[kind == Kind::Depthwise ? i % count * outputs + output : i] =
        static_cast<uint8_t>(weights[i] + zero);
  }
  return codes;
}

//===----------------------------------------------------------------------===//
// Random layers
//===----------------------------------------------------------------------===//

namespace {

class Maker {
public:
  Maker(std::mt19937 &random, RandomLayer::Form form)
      : random(random), isTosa(form == RandomLayer::Form::Tosa) {
    layer.form = form;
  }

  RandomLayer run() {
    chooseShape();
    layer.inZero = oneIn(2) ? -128 : pick(-128, 127);
    layer.outZero = oneIn(2) ? -128 : pick(-128, 127);
    layer.inScale = static_cast<float>(real(-8, 1));
    layer.outScale = static_cast<float>(real(-8, 1));
    layer.activation = isTosa || oneIn(2) ? Activation::None
                       : oneIn(2)         ? Activation::Relu
                                          : Activation::Relu6;
    bool isPerTensor = oneIn(4);
    for (int64_t i = 0; i < (isPerTensor ? 1 : layer.outputs); ++i)
      layer.scales.push_back(
          static_cast<float>(randomFactor() / layer.inScale * layer.outScale));
    for (size_t i = 0; i < layer.scales.size(); ++i)
      layer.weightsZeros.push_back(layer.isUnsigned() ? randomZero() : 0);
    for (int64_t i = 0; i < layer.outputs; ++i)
      addOutput(i);
    chooseInput();
    return layer;
  }

private:
  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  bool oneIn(int64_t count) { return pick(1, count) == 1; }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  }
  double real(double low, double high) { return std::exp2(uniform(low, high)); }

  void chooseShape() {
    layer.kind = static_cast<Kind>(pick(0, 4));
    if (isTosa && layer.kind == Kind::Grouped)
      layer.kind = Kind::Conv;
    if (layer.kind == Kind::Connected) {
      layer.height = layer.width = layer.kernel[0] = layer.kernel[1] = 1;
      layer.channels = oneIn(4) ? pick(300, 1500) : pick(1, 40);
      layer.outputs = pick(1, 4);
      layer.groups = layer.stride = 1;
      layer.isPadded = false;
      return;
    }
    layer.kernel[0] = pick(1, 3);
    layer.kernel[1] = pick(1, 3);
    layer.isPadded = layer.kind != Kind::Transposed && oneIn(2);
    layer.stride = layer.isPadded ? 1 : pick(1, 2);
    if (layer.kind == Kind::Transposed)
      layer.stride = std::min({layer.stride, layer.kernel[0], layer.kernel[1]});
    layer.height = (pick(1, 3) - 1) * layer.stride + layer.kernel[0];
    layer.width = (pick(1, 3) - 1) * layer.stride + layer.kernel[1];
    layer.groups = layer.kind == Kind::Grouped     ? pick(2, 3)
                   : layer.kind == Kind::Depthwise ? pick(1, 4)
                                                   : 1;
    bool isDepthwise = layer.kind == Kind::Depthwise;
    layer.channels = layer.groups * (isDepthwise ? 1 : pick(1, 12));
    layer.outputs = layer.groups * pick(1, 3);
  }

  /// Usual ones, with which biases lose bits; those with which accumulators do
  /// not fit 16 bits; and any.
  double randomFactor() {
    switch (pick(0, 3)) {
    case 0:
      return real(-12, -4);
    case 1:
      return real(-18, -14);
    case 2:
      return real(-24, -14);
    default:
      return real(-50, 1);
    }
  }

  /// Mostly one with which few weights take 9 bits.
  int64_t randomZero() { return oneIn(3) ? pick(0, 255) : pick(120, 136); }

  void addOutput(int64_t output) {
    int64_t count = layer.kernel[0] * layer.kernel[1] * layer.groupChannels();
    int64_t zero =
        layer.weightsZeros[layer.weightsZeros.size() == 1 ? 0 : output];
    int64_t lowest = layer.isUnsigned() ? -zero : -127;
    int64_t highest = layer.isUnsigned() ? 255 - zero : 127;
    int64_t kind = pick(0, 5), greatest = oneIn(2) ? 127 : pick(1, 20);
    int64_t reach = 0;
    for (int64_t i = 0; i < count; ++i) {
      int64_t code = kind < 2    ? 0
                     : kind == 2 ? greatest
                     : kind == 3 ? (oneIn(8) ? pick(-2, 2) : 0)
                                 : pick(-greatest, greatest);
      if (layer.isUnsigned() && kind == 5 && oneIn(count))
        code = oneIn(2) ? lowest : highest;
      code = std::clamp(code, lowest, highest);
      layer.weights.push_back(static_cast<int16_t>(code));
      reach += std::abs(code) * 255;
    }
    int64_t room = INT32_MAX - reach;
    layer.bias.push_back(static_cast<int32_t>(
        std::clamp(randomBias(layer.factorOf(output), reach), -room, room)));
  }

  int64_t randomBias(double factor, int64_t reach) {
    auto code = [&](double number) {
      double bound = INT32_MAX;
      return std::llround(std::clamp(number / factor, -bound, bound));
    };
    switch (pick(0, 7)) {
    case 0:
      return 0;
    case 1:
      return pick(-20000, 20000);
    case 2: // Products lead back from it.
    case 3:
      return pick(-reach, reach) / 2;
    case 4:
      return code(uniform(-3000, 3000));
    case 5:
      return pick(INT32_MIN, INT32_MAX);
    default:
      return code(uniform(-260, 260));
    }
  }

  void chooseInput() {
    int64_t kind = pick(0, 3);
    int64_t count = layer.height * layer.width * layer.channels;
    for (int64_t i = 0; i < count; ++i) {
      int64_t code = kind == 0 ? -128 : kind == 1 ? 127 : pick(-128, 127);
      layer.input.push_back(static_cast<int8_t>(code));
    }
  }

  std::mt19937 &random;
  bool isTosa;
  RandomLayer layer = {};
};

} // namespace

RandomLayer mli::test::randomLayer(std::mt19937 &random,
                                   RandomLayer::Form form) {
  return Maker(random, form).run();
}

//===----------------------------------------------------------------------===//
// Exact integers
//===----------------------------------------------------------------------===//

/// Sums of products and bias, [height, width, outputs].
static std::vector<int64_t> sumsOf(const RandomLayer &layer) {
  bool isTransposed = layer.kind == Kind::Transposed;
  int64_t height = layer.outHeight(), width = layer.outWidth();
  int64_t filters = layer.outputs / layer.groups;
  int64_t depth = layer.groupChannels();
  int64_t top = layer.isPadded ? (layer.kernel[0] - 1) / 2 : 0;
  int64_t left = layer.isPadded ? (layer.kernel[1] - 1) / 2 : 0;
  std::vector<int64_t> sums(height * width * layer.outputs);
  for (size_t i = 0; i < sums.size(); ++i)
    sums[i] = layer.bias[i % layer.outputs];
  auto add = [&](int64_t oy, int64_t ox, int64_t ky, int64_t kx, int64_t y,
                 int64_t x) {
    if (y < 0 || x < 0 || y >= layer.height || x >= layer.width)
      return;
    for (int64_t o = 0; o < layer.outputs; ++o)
      for (int64_t c = 0; c < depth; ++c) {
        int8_t code = layer.input[(y * layer.width + x) * layer.channels +
                                  o / filters * depth + c];
        int64_t at = ((o * layer.kernel[0] + ky) * layer.kernel[1] + kx);
        sums[(oy * width + ox) * layer.outputs + o] +=
            (int64_t{code} - layer.inZero) * layer.weights[at * depth + c];
      }
  };
  for (int64_t ky = 0; ky < layer.kernel[0]; ++ky)
    for (int64_t kx = 0; kx < layer.kernel[1]; ++kx) {
      if (isTransposed)
        for (int64_t y = 0; y < layer.height; ++y)
          for (int64_t x = 0; x < layer.width; ++x)
            add(y * layer.stride + ky, x * layer.stride + kx, ky, kx, y, x);
      else
        for (int64_t y = 0; y < height; ++y)
          for (int64_t x = 0; x < width; ++x)
            add(y, x, ky, kx, y * layer.stride - top + ky,
                x * layer.stride - left + kx);
    }
  return sums;
}

std::vector<FixedFactor> mli::test::tfliteFactors(const RandomLayer &layer) {
  std::vector<FixedFactor> factors;
  for (int64_t i = 0; i < layer.outputs; ++i) {
    int exponent = 0;
    double mantissa = std::frexp(layer.factorOf(i), &exponent);
    auto multiplier = std::llround(mantissa * 2147483648.0);
    if (multiplier == int64_t{1} << 31) {
      multiplier /= 2;
      ++exponent;
    }
    if (exponent < -31) {
      multiplier = 0;
      exponent = 0;
    }
    factors.push_back({multiplier, 31 - exponent});
  }
  return factors;
}

std::vector<FixedFactor> mli::test::tosaFactors(const RandomLayer &layer) {
  std::vector<FixedFactor> factors;
  for (int64_t i = 0; i < layer.outputs; ++i) {
    int exponent = 0;
    std::frexp(layer.factorOf(i), &exponent);
    int shift = std::clamp(30 - exponent, 2, 62);
    auto multiplier = std::llround(std::ldexp(layer.factorOf(i), shift));
    factors.push_back({std::max<int64_t>(multiplier, 1), shift});
  }
  return factors;
}

Verdict mli::test::compare(const RandomLayer &layer,
                           const std::vector<FixedFactor> &factors,
                           const int8_t *codes) {
  Verdict verdict;
  int64_t low = layer.activation == Activation::None ? -128 : layer.outZero;
  int64_t high = 127;
  if (layer.activation == Activation::Relu6)
    high = std::min<int64_t>(high, layer.outZero +
                                       std::lround(6.0F / layer.outScale));
  std::vector<int64_t> sums = sumsOf(layer);
  for (size_t i = 0; i < sums.size(); ++i) {
    const FixedFactor &factor = factors[i % layer.outputs];
    int64_t product = sums[i] * factor.multiplier;
    int64_t half = int64_t{1} << (factor.shift - 1);
    int64_t exact = layer.outZero + ((product + half) >> factor.shift);
    exact = std::clamp(exact, low, high);
    ++verdict.elements;
    if (codes[i] == exact)
      continue;
    ++verdict.differing;
    long double number =
        std::ldexp(static_cast<long double>(product), -factor.shift);
    long double middle =
        static_cast<long double>(std::min<int64_t>(codes[i], exact)) + 0.5L -
        layer.outZero;
    verdict.wrong += std::abs(codes[i] - exact) != 1 ||
                     std::abs(number - middle) > 3.0L / 64;
  }
  return verdict;
}
