// SPDX-License-Identifier: Apache-2.0

#include "mli/Quant/Accumulate.h"

#include <gtest/gtest.h>

using namespace mli::quant;

namespace {

const QuantParams in = {32613, 14, 0};
const QuantParams weights = {16556, 30, 0};
const QuantParams out = {30093, 17, -85};

// K10
TEST(Accumulate, ScaleOfAChannel) {
  ChannelBase base = channelBase(in, out);
  EXPECT_EQ(base.ratio, 17756);
  EXPECT_EQ(base.shift, 11);
  ChannelScale scale = channelScale(base, weights);
  EXPECT_EQ(scale.multiplier, 1175873344);
  EXPECT_EQ(scale.shift, 43);
}

// K11
TEST(Accumulate, AccumulatorToCode) {
  ChannelRequantization channel = channelRequantization(in, weights, out);
  EXPECT_EQ(channel.multiplier, 17942);
  EXPECT_EQ(channel.preShift, 6);
  EXPECT_EQ(channel.shift, 21);
  EXPECT_EQ(requantizeAccumulator(82883, channel, out.zeroPoint), -74);
}

// K11
TEST(Accumulate, TinyMultipliersClipTheAccumulator) {
  // The pre-shift never exceeds 8: what is beyond 2^23 saturates.
  ChannelRequantization channel = {16384, 8, 22};
  EXPECT_EQ(requantizeAccumulator(1 << 23, channel, 0),
            requantizeAccumulator(INT32_MAX, channel, 0));
}

// K52
TEST(Accumulate, FullAccumulationMultipliesOnce) {
  // ratio 17756 * 16556 stays as it is; the shift is base 11 + 30.
  ChannelScale channel = fullChannelScale(channelBase(in, out), weights);
  EXPECT_EQ(channel.multiplier, 293968336);
  EXPECT_EQ(channel.shift, 41);
  // 82883 * 293968336 / 2^41 is 11.08; 95000 gives 12.7, which rounds up.
  EXPECT_EQ(requantizeAccumulator(82883, channel, out.zeroPoint), -74);
  EXPECT_EQ(requantizeAccumulator(95000, channel, out.zeroPoint), -72);
  EXPECT_EQ(fullChannelScale({1, 60}, {1, 40, 0}).shift, 63);
}

// K52
TEST(Accumulate, FullAccumulationDoesNotClip) {
  // 2^24 * 2^-20 is 16; through 16 bits it is 32767 * 2^8 * 2^-20, which is 8.
  EXPECT_EQ(requantizeAccumulator(1 << 24, ChannelScale{1 << 28, 48}, 0), 16);
  EXPECT_EQ(requantizeAccumulator(
                1 << 24, channelRequantization(ChannelScale{1 << 30, 50}), 0),
            8);
}

// K12
TEST(Accumulate, BiasKeepsSixteenBits) {
  EXPECT_EQ(biasTerm(70001), 70000);
  EXPECT_EQ(biasTerm(100749), 100748);
  EXPECT_EQ(biasTerm(INT32_MAX), 0x7FFF0000);
  EXPECT_EQ(biasTerm(-70001), -70004);
  EXPECT_EQ(biasTerm(1234), 1234);
}

// K13
TEST(Accumulate, FixedPointBiasIsAligned) {
  EXPECT_EQ(fixedPointBiasTerm<int32_t>(3, 4), 48);
  EXPECT_EQ(fixedPointBiasTerm<int32_t>(127, 28), INT32_MAX);
  EXPECT_EQ(fixedPointBiasTerm<int32_t>(3, -1), 2);
  // The 64-bit form wraps to 32 bits.
  EXPECT_EQ(fixedPointBiasTerm<int64_t>(2048, 22), 0);
  EXPECT_EQ(fixedPointBiasTerm<int64_t>(2047, 16), 2047 * 65536);
}

// K14
TEST(Accumulate, BiasScaleMayDifferByOne) {
  // 32613 * 16556 * 2^-15 is 16477.7.
  for (int16_t scale : {16477, 16478, 16479})
    EXPECT_TRUE(biasScaleMatches(in, weights, {scale, 29, 0})) << scale;
  EXPECT_FALSE(biasScaleMatches(in, weights, {16476, 29, 0}));
  EXPECT_FALSE(biasScaleMatches(in, weights, {16480, 29, 0}));
  EXPECT_FALSE(biasScaleMatches(in, weights, {16478, 28, 0}));
}

// K14
TEST(Accumulate, BiasScaleWithMoreFractionBits) {
  EXPECT_TRUE(biasScaleMatches({3, 1, 0}, {5, 1, 0}, {60, 4, 0}));
  EXPECT_FALSE(biasScaleMatches({3, 1, 0}, {5, 1, 0}, {62, 4, 0}));
  EXPECT_FALSE(
      biasScaleMatches({32767, -128, 0}, {32767, -128, 0}, {32767, 127, 0}));
}

} // namespace
