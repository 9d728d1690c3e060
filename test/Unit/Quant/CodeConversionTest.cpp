// SPDX-License-Identifier: Apache-2.0

#include "mli/Quant/CodeConversion.h"

#include "mli/Runtime/C/mli_api.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

using namespace mli::quant;

namespace {

/// One code through the runtime.
int32_t convertByRuntime(const NumberFormat &in, const NumberFormat &out,
                         int32_t code) {
  auto tensor = [](const NumberFormat &format, void *data) {
    mli_tensor t;
    std::memset(&t, 0, sizeof(t));
    t.rank = 1;
    t.shape[0] = 1;
    t.mem_stride[0] = 1;
    t.data.capacity = 4;
    t.data.mem.pi8 = static_cast<int8_t *>(data);
    t.el_type = format.width == 8    ? MLI_EL_SA_8
                : format.width == 16 ? MLI_EL_FX_16
                                     : MLI_EL_SA_32;
    if (format.width == 16) {
      t.el_params.fx.frac_bits = format.params.fracBits;
      return t;
    }
    t.el_params.sa.dim = -1;
    t.el_params.sa.scale.mem.i16 = format.params.scale;
    t.el_params.sa.scale_frac_bits.mem.i8 = format.params.fracBits;
    t.el_params.sa.zero_point.mem.i16 = format.params.zeroPoint;
    return t;
  };
  int32_t result = 0;
  mli_tensor from = tensor(in, &code), to = tensor(out, &result);
  EXPECT_EQ(mli_hlp_convert_tensor_safx(&from, &to), MLI_STATUS_OK);
  if (out.width == 8)
    return static_cast<int8_t>(result);
  return out.width == 16 ? static_cast<int16_t>(result) : result;
}

NumberFormat randomFormat(std::mt19937 &random) {
  auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  int width = 8 << pick(0, 2);
  if (width == 16)
    return {16, false, fixedPoint(static_cast<int8_t>(pick(-4, 20)))};
  return {width,
          false,
          {static_cast<int16_t>(pick(1, 32767)),
           static_cast<int8_t>(pick(0, 24)),
           static_cast<int16_t>(pick(-300, 300))}};
}

} // namespace

TEST(CodeConversion, IsThatOfTheRuntime) {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    NumberFormat in = randomFormat(random), out = randomFormat(random);
    CodeRange all = allCodes(in.width);
    auto code =
        std::uniform_int_distribution<int32_t>(all.low, all.high)(random);
    ASSERT_EQ(CodeConversion(in, out).toCode(code),
              convertByRuntime(in, out, code))
        << i;
  }
}

TEST(CodeConversion, Identities) {
  NumberFormat fx8 = {8, false, fixedPoint(3)};
  EXPECT_TRUE(isIdentity(fx8, allCodes(8)));
  NumberFormat wide = {32, false, {1, 0, 0}};
  EXPECT_FALSE(isIdentity(wide, allCodes(32))); // too many to try
  EXPECT_TRUE(isIdentity(wide, {-1000, 1000}));
  EXPECT_FALSE(isIdentity(wide, {2147483600, 2147483647})); // low bits go
  NumberFormat far = {8, false, {1, 0, -32768}};
  EXPECT_FALSE(isIdentity(far, allCodes(8)));
  EXPECT_TRUE(isIdentity(far, {-128, -1}));
}

/// The code of 32 bits has 30 of them on its way through the product.
// K5, F3
TEST(CodeConversion, WideCodesAreNoIdentity) {
  NumberFormat sums = {32, false, {5, 10, 0}};
  CodeConversion same(sums, sums);
  for (int32_t code : {0, 1, -1, (1 << 29) - 1, -(1 << 29), 1 << 29})
    EXPECT_EQ(same.toCode(code), code);
  EXPECT_EQ(same.toCode((1 << 29) + 1), 1 << 29);
  EXPECT_EQ(convertByRuntime(sums, sums, (1 << 29) + 1), 1 << 29);
  EXPECT_TRUE(isIdentity(sums, {-30000, 30000}));
  EXPECT_FALSE(isIdentity(sums, allCodes(32)));
}

TEST(CodeConversion, Compositions) {
  NumberFormat fx8 = {8, false, fixedPoint(3)};
  NumberFormat finer = {16, false, fixedPoint(9)};
  NumberFormat coarser = {8, false, fixedPoint(1)};
  EXPECT_TRUE(isRoundTrip(fx8, finer, allCodes(8)));
  EXPECT_FALSE(isRoundTrip(fx8, coarser, allCodes(8)));
  EXPECT_TRUE(isComposable(fx8, finer, coarser, allCodes(8)));
  // Two roundings are not one: 3 / 8 is 1 / 4 * 1.5, then 2 / 4, then 1.
  NumberFormat middle = {8, false, fixedPoint(2)};
  NumberFormat last = {8, false, fixedPoint(0)};
  EXPECT_FALSE(isComposable(fx8, middle, last, allCodes(8)));
  EXPECT_TRUE(isComposable(fx8, middle, last, {0, 2}));
}

TEST(CodeConversion, Ranges) {
  NumberFormat fx8 = {8, false, fixedPoint(3)};
  NumberFormat finer = {8, false, fixedPoint(5)};
  CodeRange range = convertRange(fx8, finer, {-3, 100});
  EXPECT_EQ(range.low, -12);
  EXPECT_EQ(range.high, 127);
  // -3 / 2 and 5 / 2 are -1 and 3 rounded up, -2 and 2 convergent.
  NumberFormat coarser = {8, false, fixedPoint(2)};
  range = convertRange(fx8, coarser, {-3, 5});
  EXPECT_EQ(range.low, -2);
  EXPECT_EQ(range.high, 3);
}

// The ends of a range are where its ends go, as no smaller code gives a larger
// one: every code of many formats is tried.
TEST(CodeConversion, RangesHoldEveryCode) {
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    NumberFormat in = randomFormat(random), out = randomFormat(random);
    if (in.width == 32)
      in.width = 8;
    CodeRange all = allCodes(in.width);
    std::uniform_int_distribution<int32_t> any(all.low, all.high);
    int32_t a = any(random), b = any(random);
    CodeRange from = {std::min(a, b), std::max(a, b)};
    CodeRange tried = {INT32_MAX, INT32_MIN};
    for (Rounding rounding : {Rounding::Up, Rounding::Convergent}) {
      CodeConversion conversion(in, out, rounding);
      for (int32_t code = from.low; code <= from.high; ++code) {
        tried.low = std::min(tried.low, conversion.toCode(code));
        tried.high = std::max(tried.high, conversion.toCode(code));
      }
    }
    CodeRange range = convertRange(in, out, from);
    EXPECT_EQ(range.low, tried.low) << "case " << i;
    EXPECT_EQ(range.high, tried.high) << "case " << i;
  }
}

TEST(CodeConversion, LosslessParameters) {
  // 5 / 8 and 3 / 16 are multiples of 1 / 16.
  auto found = findLosslessParams({{5, 3, 1}, {3, 4, 0}}, 8, allCodes(8));
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, (QuantParams{1, 4, 0}));
  // 6 / 8 and 9 / 8: of 3 / 8.
  found = findLosslessParams({{6, 3, 0}, {9, 3, 0}}, 8, allCodes(8));
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, (QuantParams{3, 3, 0}));
  EXPECT_FALSE(
      findLosslessParams({{32767, 0, 0}, {32749, 40, 0}}, 8, allCodes(8)));
  EXPECT_FALSE(findLosslessParams({{1, 0, 0}}, 32, allCodes(32)));
}
