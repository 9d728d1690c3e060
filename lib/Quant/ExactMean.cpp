// SPDX-License-Identifier: Apache-2.0

#include "mli/Quant/ExactMean.h"

#include "mli/Quant/Accumulate.h"
#include "mli/Quant/KernelScales.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace mli::quant {

//===----------------------------------------------------------------------===//
// Shares of sums
//===----------------------------------------------------------------------===//

/// Returns the quantised value of `sum`, less the zero point.
static double exactValue(const ExactMean &exact, int64_t sum) {
  const Mean &mean = exact.mean;
  double number =
      (static_cast<double>(sum) / mean.count - mean.in.zeroPoint) * mean.factor;
  if (!exact.pivot)
    return std::floor(number + 0.5);
  double middle = *exact.pivot - mean.out.zeroPoint;
  return middle + std::round(number - middle);
}

/// Returns the first number in [low, end), or `end`, for which `compute`, which
/// does not fall, is at least `code`.
template <typename Compute>
static int64_t findFirst(int64_t low, int64_t end, int32_t code,
                         Compute compute) {
  while (low < end) {
    int64_t middle = low + (end - low) / 2;
    if (compute(middle) < code)
      low = middle + 1;
    else
      end = middle;
  }
  return low;
}

/// Returns the share of sums for which `compute` gives another code: those
/// between the first sums that give a code here and there.
template <typename Compute>
static double shareOff(const ExactMean &exact, Compute compute) {
  const Mean &mean = exact.mean;
  int64_t low = int64_t{mean.count} * mean.input.low,
          end = int64_t{mean.count} * mean.input.high + 1;
  auto quantize = [&](int64_t sum) {
    return std::clamp<double>(exactValue(exact, sum) + mean.out.zeroPoint,
                              INT8_MIN, INT8_MAX);
  };
  int64_t off = 0, found = low, wanted = low;
  for (int32_t code = INT8_MIN + 1; code <= INT8_MAX; ++code) {
    found = findFirst(found, end, code, compute);
    wanted = findFirst(wanted, end, code, quantize);
    off += std::abs(found - wanted);
  }
  return std::min(1.0,
                  static_cast<double>(off) / static_cast<double>(end - low));
}

double poolShareOff(const ExactMean &exact) {
  const Mean &mean = exact.mean;
  if (!std::isfinite(averageError(mean)))
    return 1;
  AverageScale scale = averageAsymmetric(mean.in, mean.out, mean.count);
  int64_t start = int64_t{scale.offset} * (int64_t{1} << scale.shift);
  return shareOff(exact, [&](int64_t sum) {
    return saturate<int8_t>(
        roundShiftRight<int64_t>(start + scale.multiplier * sum, scale.shift));
  });
}

//===----------------------------------------------------------------------===//
// Equal weights
//===----------------------------------------------------------------------===//

/// Sums up to this, for a step of the result, are multiplied as they are;
/// kernels shift others to fewer bits first.
static constexpr int32_t maxUnits = 128;
/// How many weights are tried, from the largest.
static constexpr int32_t maxTried = 8;
/// The least of the shares by which factors that are tried are larger than the
/// exact one, and the ratio between them.
static constexpr double minStretch = 0x1p-15;
static constexpr double stretchRatio = 1.25;

/// Returns the shares for a distance of `unit` between results of sums. What
/// a larger factor adds to numbers above a pivot, and takes from those below,
/// rounds halves away from it, and must not reach the next sum.
static std::vector<double> getStretches(double unit) {
  double limit = std::max(2 * minStretch, unit / 128);
  std::vector<double> stretches = {0};
  double share = minStretch;
  while (share <= limit) {
    stretches.push_back(share);
    share *= stretchRatio;
  }
  return stretches;
}

/// Sets the share of sums that are off with the other constants of `layer`.
static void measure(const ExactMean &exact, EqualWeights &layer) {
  const Mean &mean = exact.mean;
  layer.shareOff = 1;
  std::optional<QuantParams> weights =
      weightsParams(mean.in, mean.out, layer.factor);
  if (!weights)
    return;
  ChannelRequantization channel =
      channelRequantization(mean.in, *weights, mean.out);
  int64_t term = biasTerm(layer.bias) -
                 int64_t{layer.weight} * mean.count * mean.in.zeroPoint;
  layer.shareOff = shareOff(exact, [&](int64_t sum) {
    return requantizeAccumulator(saturate<int32_t>(layer.weight * sum + term),
                                 channel, mean.out.zeroPoint);
  });
}

EqualWeights chooseEqualWeights(const ExactMean &exact) {
  const Mean &mean = exact.mean;
  double unit = mean.factor / mean.count;
  EqualWeights best = {1, 0, unit, 1};
  measure(exact, best);
  auto limit = static_cast<int32_t>(
      std::clamp<double>(std::floor(maxUnits * unit), 1, INT8_MAX));
  double middle = exact.pivot ? *exact.pivot - mean.out.zeroPoint : 0;
  for (int32_t weight = limit; weight > std::max(0, limit - maxTried); --weight)
    for (double stretch : getStretches(unit)) {
      double factor = unit / weight * (1 + stretch);
      // The pivot stays where it is.
      auto bias = static_cast<int32_t>(
          std::nearbyint(middle / factor - middle * weight / unit));
      for (int32_t step : {0, 1, -1}) {
        if (best.shareOff == 0)
          return best;
        EqualWeights layer = {weight, bias + step, factor, 1};
        measure(exact, layer);
        if (layer.shareOff < best.shareOff)
          best = layer;
      }
    }
  return best;
}

} // namespace mli::quant
