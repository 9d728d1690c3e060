// SPDX-License-Identifier: Apache-2.0

#include "mli/Quant/ExactMean.h"

#include "mli/Quant/Accumulate.h"
#include "mli/Quant/KernelScales.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace mli::quant;

namespace {

const CodeRange all = {INT8_MIN, INT8_MAX};

ExactMean getPool(int16_t zeroPoint, int32_t count,
                  std::optional<int32_t> pivot) {
  QuantParams params = {20000, 17, zeroPoint};
  return {{params, params, 1, count, all}, pivot};
}

/// The quotient of integers as TFLite's pools have it, which is the nearest
/// code, of two the one away from 0.
int32_t divide(int32_t sum, int32_t count) {
  return sum > 0 ? (sum + count / 2) / count : (sum - count / 2) / count;
}

/// The code of the product with equal weights.
int32_t productCode(const ExactMean &exact, const EqualWeights &layer,
                    int32_t sum) {
  const Mean &mean = exact.mean;
  std::optional<QuantParams> weights =
      weightsParams(mean.in, mean.out, layer.factor);
  int32_t numbers = sum - mean.count * mean.in.zeroPoint;
  return requantizeAccumulator(
      layer.weight * numbers + biasTerm(layer.bias),
      channelRequantization(mean.in, *weights, mean.out), mean.out.zeroPoint);
}

/// The code of the average pool.
int32_t pooledCode(const Mean &mean, int32_t sum) {
  AverageScale scale = averageAsymmetric(mean.in, mean.out, mean.count);
  auto start = shiftLeft<int32_t>(scale.offset, scale.shift);
  int32_t total = wrapAdd<int32_t>(start, scale.multiplier * sum);
  return saturate<int8_t>(roundShiftRight(total, scale.shift));
}

/// The share of sums for which `compute` gives another code than TFLite.
template <typename Compute>
double countOff(int32_t count, Compute compute) {
  int32_t off = 0;
  for (int32_t sum = count * INT8_MIN; sum <= count * INT8_MAX; ++sum)
    off += compute(sum) != divide(sum, count);
  return off / (count * 255.0 + 1);
}

TEST(ExactMean, SharesAreThoseOfAllSums) {
  for (int16_t zeroPoint : {-128, -7, 0, 3, 127})
    for (int32_t count = 1; count <= 150; count += count < 20 ? 1 : 13) {
      ExactMean exact = getPool(zeroPoint, count, 0);
      EqualWeights layer = chooseEqualWeights(exact);
      EXPECT_NEAR(
          countOff(count,
                   [&](int32_t sum) { return pooledCode(exact.mean, sum); }),
          poolShareOff(exact), 1e-12)
          << zeroPoint << ", " << count;
      EXPECT_NEAR(
          countOff(count,
                   [&](int32_t sum) { return productCode(exact, layer, sum); }),
          layer.shareOff, 1e-12)
          << zeroPoint << ", " << count;
      EXPECT_LE(layer.shareOff, 0.005) << zeroPoint << ", " << count;
    }
}

TEST(ExactMean, HalvesOfUsualPoolsRoundAwayFromZero) {
  for (int16_t zeroPoint : {-128, 0})
    for (int32_t count : {2, 3, 4, 8, 9, 16, 25, 32, 49, 64})
      EXPECT_EQ(chooseEqualWeights(getPool(zeroPoint, count, 0)).shareOff, 0)
          << zeroPoint << ", " << count;
}

TEST(ExactMean, HalvesRoundUpWithoutPivot) {
  for (int32_t count : {2, 4, 6, 12, 36, 48, 64})
    EXPECT_EQ(chooseEqualWeights(getPool(-128, count, std::nullopt)).shareOff,
              0)
        << count;
}

TEST(ExactMean, PoolsOfPowersOfTwoMissHalvesBelowThePivot) {
  // One sum in four is a half, and half of these are below.
  EXPECT_NEAR(poolShareOff(getPool(0, 4, 0)), 1 / 8.0, 0.001);
  EXPECT_EQ(poolShareOff(getPool(0, 4, std::nullopt)), 0);
}

TEST(ExactMean, OtherScalesAreAsNear) {
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    double factor = std::exp2(static_cast<int>(random() % 400) / 100.0 - 2);
    auto zero = [&] { return static_cast<int16_t>(random() % 256 - 128); };
    ExactMean exact = {{*fromRealScale(0.02 * factor, zero()),
                        *fromRealScale(0.02, zero()), factor,
                        static_cast<int32_t>(1 + random() % 100), all},
                       std::nullopt};
    EqualWeights layer = chooseEqualWeights(exact);
    EXPECT_LE(layer.shareOff, 0.01)
        << toString(exact.mean.in) << " to " << toString(exact.mean.out)
        << " over " << exact.mean.count;
  }
}

TEST(ExactMean, SaturatingPoolsAreAllOff) {
  ExactMean exact = {
      {{20000, 17, -128}, {20000, 13, 127}, 1.0 / 16, 65025, all},
      std::nullopt};
  EXPECT_EQ(poolShareOff(exact), 1);
}

} // namespace
