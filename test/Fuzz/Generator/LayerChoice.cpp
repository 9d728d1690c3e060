// SPDX-License-Identifier: Apache-2.0

#include "LayerChoice.h"

#include <algorithm>
#include <cmath>

using namespace mli;
using namespace mli::fuzz;

std::vector<int8_t> LayerChoice::getOutputsLast() const {
  size_t outputs = bias.size(), count = weights.size() / outputs;
  std::vector<int8_t> moved(weights.size());
  for (size_t i = 0; i < weights.size(); ++i)
    moved[i % count * outputs + i / count] = weights[i];
  return moved;
}

static double uniform(Random &random, double low, double high) {
  return low + (high - low) * std::ldexp(double(random.next() >> 11), -53);
}

namespace {

class Maker {
public:
  Maker(TypeChoice &types, Random &random, const LayerSize &size)
      : types(types), random(random), size(size) {}

  LayerChoice run() {
    bool isPerAxis = types.has(Feature::PerAxis);
    for (int64_t i = 0; i < (isPerAxis ? size.outputs : 1); ++i)
      layer.factors.push_back(chooseFactor());
    for (int64_t i = 0; i < size.outputs; ++i)
      addOutput(i);
    return layer;
  }

private:
  double chooseFactor();
  void addOutput(int64_t output);
  int64_t chooseBias(double factor, int64_t reach);

  TypeChoice &types;
  Random &random;
  const LayerSize &size;
  LayerChoice layer;
};

} // namespace

/// Usual ones; those with which biases lose bits, or with which accumulators do
/// not fit 16 bits; and any.
double Maker::chooseFactor() {
  if (types.has(Feature::Extremes)) {
    switch (random.pick(0, 2)) {
    case 0:
      return std::exp2(uniform(random, -18, -14));
    case 1:
      return std::exp2(uniform(random, -24, -14));
    default:
      return std::exp2(uniform(random, -50, 1));
    }
  }
  // Sums that are about as wide as a result.
  double usual = 1 / (40 * std::sqrt(static_cast<double>(size.count)));
  return usual * std::exp2(uniform(random, -2, 1.5));
}

void Maker::addOutput(int64_t output) {
  int64_t kind = types.has(Feature::DeadChannels) ? 0
                 : types.has(Feature::Extremes)   ? random.pick(1, 3)
                                                  : 4;
  int64_t greatest = random.chance(60) ? 127 : random.pick(1, 20), reach = 0;
  for (int64_t i = 0; i < size.count; ++i) {
    int64_t code = kind == 0   ? 0
                   : kind == 1 ? greatest
                   : kind == 2 ? -128
                   : kind == 3 ? (random.chance(12) ? random.pick(-2, 2) : 0)
                               : random.pick(-greatest, greatest);
    layer.weights.push_back(static_cast<int8_t>(code));
    reach += std::abs(code) * (size.isWide ? 32768 : 255);
  }
  int64_t most = size.isWide ? int64_t{1} << 45 : INT32_MAX;
  layer.bias.push_back(std::clamp(chooseBias(layer.getFactor(output), reach),
                                  reach - most, most - reach));
}

int64_t Maker::chooseBias(double factor, int64_t reach) {
  auto code = [&](double low, double high) {
    double number = uniform(random, low, high) / factor;
    return std::llround(std::clamp<double>(number, INT32_MIN, INT32_MAX));
  };
  int64_t steps = size.isWide ? 256 : 1;
  if (types.has(Feature::Extremes))
    switch (random.pick(0, 3)) {
    case 0:
      return code(-3000.0 * steps, 3000.0 * steps);
    case 1:
      return random.pick(INT32_MIN, INT32_MAX);
    case 2: { // Around a power of two.
      int64_t power = int64_t{1} << random.pick(0, 30);
      int64_t number = power + random.pick(-1, 1);
      return random.chance(50) ? number : -number;
    }
    default: // Products lead back from it.
      return random.pick(-reach, reach) / 2;
    }
  if (random.chance(20))
    return 0;
  return random.chance(50) ? code(-130.0 * steps, 130.0 * steps)
                           : random.pick(-20000, 20000);
}

LayerChoice fuzz::chooseLayer(TypeChoice &types, Random &random,
                              const LayerSize &size) {
  return Maker(types, random, size).run();
}
