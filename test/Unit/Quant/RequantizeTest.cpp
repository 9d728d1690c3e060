// SPDX-License-Identifier: Apache-2.0

#include "mli/Quant/Requantize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace mli::quant;

namespace {

void expectRequantization(const QuantParams &in, const QuantParams &out,
                          int multiplier, int shift, int offset) {
  Requantization r = requantize(in, out);
  EXPECT_EQ(r.ratio.multiplier, multiplier);
  EXPECT_EQ(r.ratio.shift, shift);
  EXPECT_EQ(r.offset, offset);
}

// K3
TEST(Requantize, RatiosOfScales) {
  expectRequantization({20000, 15, -3}, {11000, 14, 5}, 29789, 15, 8);
  expectRequantization({1, 7, 0}, {32767, 14, -128}, 16385, 22, -128);
  expectRequantization({3, 4, 10}, {7, 2, -20}, 28087, 18, -21);
}

// K3
TEST(Requantize, FixedPointIsAPowerOfTwo) {
  expectRequantization(fixedPoint(7), fixedPoint(3), 16384, 18, 0);
  expectRequantization(fixedPoint(-2), fixedPoint(5), 16384, 7, 0);
}

// K4
TEST(Requantize, ConvertsCodesWithOneRounding) {
  QuantParams in = fixedPoint(3);
  QuantParams out = fixedPoint(2);
  Ratio ratio = requantize(in, out).ratio;
  EXPECT_EQ(convertCode(3, in, out, ratio), 2);
  EXPECT_EQ(convertCode(-3, in, out, ratio), -1);
}

// K5
TEST(Requantize, WideCodesDropTheLowProductWord) {
  QuantParams in = {1, 0, 0};
  QuantParams out = {1, 0, 5};
  Ratio ratio = requantize(in, out).ratio;
  EXPECT_EQ(convertWideCode(1234567, in, out, ratio), 1234572);
  EXPECT_EQ(convertWideCode(INT32_MAX, in, out, ratio), INT32_MAX);
}

// K6
TEST(Requantize, FloatsRoundHalvesAwayFromZero) {
  EXPECT_EQ(quantizeFloat(1.25F, fixedPoint(1)), 3);
  EXPECT_EQ(quantizeFloat(-1.25F, fixedPoint(1)), -3);
  EXPECT_EQ(quantizeFloat(-2.5F, fixedPoint(1)), -5);
  EXPECT_EQ(quantizeFloat(1.5F, {1, 0, -62}), -60);
}

// K6
TEST(Requantize, FloatsBeyondInt32BecomeTheLowest) {
  EXPECT_EQ(quantizeFloat(3e9F, fixedPoint(0)), INT32_MIN);
  EXPECT_EQ(quantizeFloat(-3e9F, {1, 0, -62}), INT32_MIN);
  EXPECT_EQ(
      quantizeFloat(std::numeric_limits<float>::quiet_NaN(), fixedPoint(0)),
      INT32_MIN);
}

TEST(Requantize, Dequantizes) {
  EXPECT_EQ(dequantizeCode(-88, fixedPoint(6)), -1.375F);
  EXPECT_EQ(dequantizeCode(10, {3, 1, -2}), 18.0F);
}

// K7
TEST(Requantize, Reciprocals) {
  struct {
    int count;
    int multiplier;
    int shift;
  } const expected[] = {{1, 16384, 14},  {3, 21845, 16}, {5, 26214, 17},
                        {7, 18724, 17},  {9, 29127, 18}, {25, 20971, 19},
                        {33, 31775, 20}, {4, 16384, 16}};
  for (const auto &e : expected) {
    Ratio r = reciprocal(e.count);
    EXPECT_EQ(r.multiplier, e.multiplier) << e.count;
    EXPECT_EQ(r.shift, e.shift) << e.count;
  }
}

// K8
TEST(Requantize, AveragesOfAsymmetricCodesHaveEightBits) {
  QuantParams in = {20000, 15, -3};
  QuantParams out = {30000, 13, 5};
  AverageScale four = averageAsymmetric(in, out, 4);
  EXPECT_EQ(four.multiplier, 85);
  EXPECT_EQ(four.shift, 11);
  EXPECT_EQ(four.offset, 5);
  AverageScale nine = averageAsymmetric(in, out, 9);
  EXPECT_EQ(nine.multiplier, 76);
  EXPECT_EQ(nine.shift, 12);
}

// K54
TEST(Requantize, FullAveragesHaveSixteenBits) {
  QuantParams in = {20000, 15, -3};
  QuantParams out = {30000, 13, 5};
  AverageScale nine = averageAsymmetric(in, out, 9, /*isFull=*/true);
  // 21845 * 29127 has 30 bits, 15 of which are kept.
  EXPECT_EQ(nine.multiplier, 19418);
  EXPECT_EQ(nine.shift, 20);
  EXPECT_EQ(nine.offset, 5);
}

// K9
TEST(Requantize, ReluLimitsTruncate) {
  Limits six = reluLimits(Relu::Six, {5, 3, -10}, -128, 127);
  EXPECT_EQ(six.low, -10);
  EXPECT_EQ(six.high, -10 + 9); // 48/5 is 9.6.
  Limits one = reluLimits(Relu::One, {5, 3, -10}, -128, 127);
  EXPECT_EQ(one.low, -11);
  EXPECT_EQ(one.high, -9);
  Limits gen = reluLimits(Relu::Gen, {5, 3, -10}, -128, 127);
  EXPECT_EQ(gen.low, -10);
  EXPECT_EQ(gen.high, 127);
  Limits none = reluLimits(static_cast<Relu>(9), {5, 3, -10}, -128, 127);
  EXPECT_EQ(none.low, -128);
  EXPECT_EQ(none.high, 127);
}

// K9
TEST(Requantize, ReluLimitsOfExtremeScales) {
  // 6.0 is far outside, yet the zero point is added to 127.
  EXPECT_EQ(reluLimits(Relu::Six, {1, 28, -128}, -128, 127).high, -1);
  EXPECT_EQ(reluLimits(Relu::One, {1, 30, 100}, -128, 127).low, -27);
  EXPECT_EQ(reluLimits(Relu::Six, fixedPoint(-2), -128, 127).high, 1);
  EXPECT_EQ(reluLimits(Relu::Six, fixedPoint(-3), -128, 127).high, 0);
  EXPECT_EQ(reluLimits(Relu::One, fixedPoint(-1), -128, 127).high, 0);
}

TEST(Requantize, LimitShiftMovesExcessIntoTheMultiplier) {
  Ratio high = limitShift({20000, 25}, 23);
  EXPECT_EQ(high.multiplier, 5000);
  EXPECT_EQ(high.shift, 23);
  Ratio low = limitShift({16384, -33}, 23);
  EXPECT_EQ(low.multiplier, 32767);
  EXPECT_EQ(low.shift, -31);
}

} // namespace
