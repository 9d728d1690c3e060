// SPDX-License-Identifier: Apache-2.0

#include "mli/Quant/ByteChannel.h"

#include "mli/Quant/Accumulate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace mli::quant;

namespace {

const Limits all = {INT8_MIN, INT8_MAX};

/// The code that the kernel gives, with the constants of `choice`, for a sum of
/// products.
int32_t kernelCode(const ByteChannel &channel, const ByteChoice &choice,
                   int64_t products) {
  int32_t term = biasTerm(choice.biasCode);
  int32_t code = requantizeAccumulator(
      saturate<int32_t>(products + term),
      channelRequantization(channel.in, choice.weights, channel.out),
      channel.out.zeroPoint);
  return std::clamp(code, channel.limits.low, channel.limits.high);
}

// K63
TEST(ByteChannel, AConstantHasAScaleOfItsOwn) {
  // The first layer of a network of hand landmarks: no weights.
  ByteChannel channel = {
      {32639, 22, -128}, {24661, 20, -128}, 1.67e-7, 526435520, {}, all};
  std::optional<ByteChoice> choice = chooseForm(channel);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->form, ByteForm::Constant);
  EXPECT_EQ(exactCode(channel, channel.bias), -40);
  EXPECT_EQ(kernelCode(channel, *choice, 0), -40);
  EXPECT_TRUE(biasScaleMatches(channel.in, choice->weights, choice->bias));
}

// K63, K62: of the factors that a constant may have, all channels get one with
// which fast kernels take their layer, which multiply by less than a half.
TEST(ByteChannel, AConstantDoesNotKeepItsLayerFromFastKernels) {
  for (int32_t bias : {526435520, 1052871040, 1500000000}) {
    ByteChannel channel = {
        {16448, 21, -1}, {24672, 20, -128}, 1.67e-7, bias, {}, all};
    std::optional<ByteChoice> choice = chooseForm(channel);
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->form, ByteForm::Constant);
    EXPECT_EQ(kernelCode(channel, *choice, 0),
              exactCode(channel, channel.bias));
    ChannelRequantization requantization =
        channelRequantization(channel.in, choice->weights, channel.out);
    EXPECT_GE(requantization.preShift + requantization.shift, 15) << bias;
  }
}

// K63
TEST(ByteChannel, FormsFollowFromWhatInputsCanReach) {
  const QuantParams unit = {1, 0, 0};
  auto formOf = [&](double factor, int32_t bias, SumRange products,
                    Limits limits = all) {
    std::optional<ByteChoice> choice =
        chooseForm({unit, unit, factor, bias, products, limits});
    return choice ? std::optional(choice->form) : std::nullopt;
  };
  const double tiny = std::ldexp(1, -17);
  const int64_t cut = 1 << 23;
  // What no input reaches may saturate, and what saturates anyway.
  EXPECT_EQ(formOf(tiny, cut - 20000, {-1000, 10000}), ByteForm::Kernel);
  EXPECT_EQ(formOf(tiny, cut, {-10 * cut, 100000}), ByteForm::Wide);
  EXPECT_EQ(formOf(tiny, cut, {-10 * cut, 100000}, {-128, 63}), ByteForm::Wide);
  EXPECT_EQ(formOf(tiny, 3 * cut, {-100000, 100000}), ByteForm::Constant);
  EXPECT_EQ(formOf(tiny, 0, {-100, 10 * cut}, {0, 50}), ByteForm::Kernel);
  // Products that move nothing, and factors without a format.
  EXPECT_EQ(formOf(1e-12, 1 << 30, {-1000, 1000}), ByteForm::Constant);
  EXPECT_EQ(formOf(0, 5, {-1000, 1000}), ByteForm::Constant);
  EXPECT_EQ(formOf(std::ldexp(1, 200), 0, {-1, 1}), std::nullopt);
  EXPECT_EQ(formOf(std::nan(""), 5, {0, 0}), std::nullopt);
  // Sums that 32 bits do not hold, and biases that 16 bits do not.
  EXPECT_EQ(formOf(1e-8, 0, {-1, int64_t{1} << 31}), ByteForm::Wide);
  EXPECT_EQ(formOf(0.013, 65535 + (1 << 17), {-300000, 0}), ByteForm::Rounded);
  EXPECT_EQ(formOf(0.03, 65538 + (1 << 16), {-300000, 0}), ByteForm::Wide);
}

// K63
TEST(ByteChannel, KernelsAreRightToThreeSixtyFourths) {
  std::mt19937 random(1);
  auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  int chosen = 0;
  for (int i = 0; i < 20000; ++i) {
    auto scale = [&] { return static_cast<int16_t>(uniform(1, 32767)); };
    auto zero = static_cast<int16_t>(uniform(-128, 128));
    ByteChannel channel = {
        {scale(), 20, 0}, {scale(), 20, zero}, 0, 0, {}, all};
    channel.factor = std::exp2(uniform(-24, -3));
    double codes = std::min(uniform(0, 600) / channel.factor, 1e9);
    channel.bias = static_cast<int32_t>(uniform(-codes, codes));
    double reach = std::min(uniform(0, 600) / channel.factor, 1e9);
    channel.products = {static_cast<int64_t>(uniform(-reach, 0)),
                        static_cast<int64_t>(uniform(0, reach))};
    std::optional<ByteChoice> choice = chooseForm(channel);
    ASSERT_TRUE(choice);
    if (choice->form == ByteForm::Wide)
      continue;
    ++chosen;
    bool isConstant = choice->form == ByteForm::Constant;
    for (int j = 0; j < 20; ++j) {
      auto products = static_cast<int64_t>(
          uniform(channel.products.low, channel.products.high));
      double number = (channel.bias + products) * channel.factor;
      int32_t code = kernelCode(channel, *choice, isConstant ? 0 : products);
      int32_t exact = exactCode(channel, channel.bias + products);
      if (code == exact)
        continue;
      ASSERT_EQ(std::abs(code - exact), 1);
      double middle = std::min(code, exact) + 0.5 - zero;
      ASSERT_LE(std::abs(number - middle), 3.0 / 64) << number;
    }
  }
  EXPECT_GT(chosen, 10000);
}

TEST(ByteChannel, RangesOfSums) {
  const int8_t weights[] = {1, -2, 0, 127, 5, 0};
  std::vector<SumRange> ranges = productRanges(weights, 6, 3, {-10, 100});
  ASSERT_EQ(ranges.size(), 3U);
  EXPECT_EQ(ranges[0].low, -1280);
  EXPECT_EQ(ranges[0].high, 12800);
  EXPECT_EQ(ranges[1].low, -2 * 100 - 5 * 10);
  EXPECT_EQ(ranges[1].high, 2 * 10 + 5 * 100);
  EXPECT_EQ(ranges[2].high, 0);
  // Padding is 0, wherever codes are.
  EXPECT_EQ(productRanges(weights, 1, 1, {3, 4})[0].low, 0);
}

} // namespace
