// SPDX-License-Identifier: Apache-2.0

#include "mli/Quant/Mean.h"

#include "mli/Quant/Arithmetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace mli::quant;

namespace {

const CodeRange all = {INT8_MIN, INT8_MAX};

/// The code of the average pool for codes of sum `sum`.
int32_t pooledCode(const Mean &mean, int32_t sum) {
  AverageScale scale = averageAsymmetric(mean.in, mean.out, mean.count);
  auto start = shiftLeft<int32_t>(scale.offset, scale.shift);
  int32_t total = wrapAdd<int32_t>(start, scale.multiplier * sum);
  return saturate<int8_t>(roundShiftRight(total, scale.shift));
}

/// The nearest code, rounded half up, in real numbers.
int32_t exactCode(const Mean &mean, int32_t sum) {
  double number = double(sum) / mean.count - mean.in.zeroPoint;
  double code = std::floor(number * mean.factor + mean.out.zeroPoint + 0.5);
  return static_cast<int32_t>(std::clamp<double>(code, INT8_MIN, INT8_MAX));
}

// K65
TEST(Mean, EqualScalesAreOneCodeOffAtMost) {
  const std::pair<int16_t, int16_t> zeroPoints[] = {
      {-128, -128}, {-7, 3}, {127, 127}, {-128, 127}, {127, -128}};
  for (auto [in, out] : zeroPoints)
    for (int32_t count = 1; count <= UINT8_MAX * UINT8_MAX; ++count)
      ASSERT_LT(
          averageError({{20000, 17, in}, {20000, 17, out}, 1, count, all}), 1)
          << count;
}

// K65
TEST(Mean, CodesAreOneOffWhereTheErrorIsBelowOne) {
  std::mt19937 random(5);
  auto below = [&](int32_t limit) {
    return static_cast<int32_t>(random() % limit);
  };
  int taken = 0, left = 0;
  for (int i = 0; i < 20000; ++i) {
    double factor = std::exp2(below(2400) / 100.0 - 12);
    int16_t inZero = static_cast<int16_t>(below(256) - 128);
    int16_t outZero = static_cast<int16_t>(below(256) - 128);
    Mean mean{*fromRealScale(0.02 * factor, inZero),
              *fromRealScale(0.02, outZero), factor,
              below(10) == 0 ? 1 + below(65025) : 1 + below(200), all};
    int32_t worst = 0;
    int32_t low = mean.count * all.low, high = mean.count * all.high;
    for (int j = 0; j <= 300; ++j) {
      auto sum = static_cast<int32_t>(low + int64_t{high - low} * j / 300);
      worst = std::max(worst,
                       std::abs(pooledCode(mean, sum) - exactCode(mean, sum)));
    }
    bool isTaken = averageError(mean) < 1;
    (isTaken ? taken : left) += 1;
    if (isTaken) {
      ASSERT_LE(worst, 1) << toString(mean.in) << " to " << toString(mean.out)
                          << " over " << mean.count;
    }
  }
  EXPECT_GT(taken, 5000);
  EXPECT_GT(left, 1000);
}

// K65
TEST(Mean, AnErrorIsNotFarAboveWhatIsMet) {
  // 7 x 7 with ordinary ratios: what the pool gives, and what is said of it.
  for (auto [factor, met] :
       {std::pair(2.5, 2), std::pair(3.36, 2), std::pair(6.1, 4)}) {
    Mean mean{*fromRealScale(0.02 * factor, -128), *fromRealScale(0.02, -128),
              factor, 49, all};
    int32_t worst = 0;
    for (int32_t sum = 49 * all.low; sum <= 49 * all.high; ++sum)
      worst = std::max(worst,
                       std::abs(pooledCode(mean, sum) - exactCode(mean, sum)));
    EXPECT_EQ(worst, met) << factor;
    double error = averageError(mean);
    EXPECT_GE(error, 1) << factor;
    EXPECT_LT(std::abs(error - worst), 1) << factor;
  }
  Mean saturating{{20000, 17, -128}, {20000, 13, 127}, 1.0 / 16, 65025, all};
  EXPECT_TRUE(std::isinf(averageError(saturating)));
}

} // namespace
