// SPDX-License-Identifier: Apache-2.0

#include "mli/Quant/Arithmetic.h"

#include <gtest/gtest.h>

using namespace mli::quant;

namespace {

TEST(Arithmetic, SaturateClampsToTheContainer) {
  EXPECT_EQ(saturate<int8_t>(128), 127);
  EXPECT_EQ(saturate<int8_t>(-129), -128);
  EXPECT_EQ(saturate<int16_t>(32768), 32767);
  EXPECT_EQ(saturate<int32_t>(int64_t{1} << 40), INT32_MAX);
  EXPECT_EQ(saturate<int32_t>(-5), -5);
}

TEST(Arithmetic, WrapIsModular) {
  EXPECT_EQ(wrap<int8_t>(128), -128);
  EXPECT_EQ(wrap<int16_t>(65535), -1);
  EXPECT_EQ(wrap<int32_t>(int64_t{1} << 32), 0);
}

// K1
TEST(Arithmetic, RoundShiftRightRoundsHalvesUp) {
  EXPECT_EQ(roundShiftRight<int32_t>(3, 1), 2);
  EXPECT_EQ(roundShiftRight<int32_t>(-3, 1), -1);
  EXPECT_EQ(roundShiftRight<int32_t>(5, 1), 3);
  EXPECT_EQ(roundShiftRight<int32_t>(-5, 1), -2);
  EXPECT_EQ(roundShiftRight<int32_t>(-3, 2), -1);
  EXPECT_EQ(roundShiftRight<int32_t>(-7, 0), -7);
}

// K1
TEST(Arithmetic, RoundShiftRightAddsTheHalfWithSaturation) {
  EXPECT_EQ(roundShiftRight<int8_t>(127, 1), 63);
  EXPECT_EQ(roundShiftRight<int32_t>(INT32_MAX, 17), 16383);
  EXPECT_EQ(roundShiftRight<int64_t>(INT64_MAX, 62), 1);
}

// K1
TEST(Arithmetic, RoundShiftRightByTheWidthGivesZero) {
  EXPECT_EQ(roundShiftRight<int32_t>(-1, 32), 0);
  EXPECT_EQ(roundShiftRight<int8_t>(-128, 8), 0);
  EXPECT_EQ(roundShiftRight<int16_t>(32767, 200), 0);
}

// K1
TEST(Arithmetic, NegativeCountsShiftTheOtherWay) {
  EXPECT_EQ(roundShiftRight<int16_t>(3, -4), 48);
  EXPECT_EQ(roundShiftRight<int16_t>(3, -14), 32767);
  EXPECT_EQ(shiftLeft<int32_t>(-7, -1), -4); // Rounds down.
  EXPECT_EQ(shiftLeft<int32_t>(7, -1), 3);
  EXPECT_EQ(shiftLeft<int32_t>(-7, -40), -1);
  EXPECT_EQ(shiftLeft<int32_t>(7, -40), 0);
}

// K53
TEST(Arithmetic, ConvergentRoundingTakesHalvesToEven) {
  auto shift = [](int32_t value, int count) {
    return roundShiftRight(value, count, Rounding::Convergent);
  };
  EXPECT_EQ(shift(1, 1), 0);
  EXPECT_EQ(shift(3, 1), 2);
  EXPECT_EQ(shift(5, 1), 2);
  EXPECT_EQ(shift(-1, 1), 0);
  EXPECT_EQ(shift(-3, 1), -2);
  EXPECT_EQ(shift(-5, 1), -2);
  EXPECT_EQ(shift(5, 2), 1);
  EXPECT_EQ(shift(-5, 2), -1);
  EXPECT_EQ(shift(7, 2), 2);
  EXPECT_EQ(shift(-7, 0), -7);
  EXPECT_EQ(shift(3, -4), 48);
  EXPECT_EQ(shift(-1, 32), 0);
}

// K53
TEST(Arithmetic, ConvergentRoundingDoesNotSaturateTheHalf) {
  EXPECT_EQ(roundShiftRight<int8_t>(127, 1, Rounding::Convergent), 64);
  EXPECT_EQ(roundShiftRight<int32_t>(INT32_MAX, 17, Rounding::Convergent),
            16384);
  EXPECT_EQ(roundShiftRight<int64_t>(INT64_MAX, 62, Rounding::Convergent), 2);
  EXPECT_EQ(roundShiftRight<int64_t>(INT64_MIN, 63, Rounding::Convergent), -1);
}

// K53
TEST(Arithmetic, ConvergentRoundingDiffersInTiesOnly) {
  for (int value = -128; value < 128; ++value)
    for (int count = 1; count < 8; ++count) {
      int8_t up = roundShiftRight(static_cast<int8_t>(value), count);
      int8_t even = roundShiftRight(static_cast<int8_t>(value), count,
                                    Rounding::Convergent);
      int rest = value & ((1 << count) - 1);
      bool isTie = rest == 1 << (count - 1);
      bool saturates = value + (1 << (count - 1)) > 127;
      bool isExpected = isTie ? even % 2 == 0 : saturates || even == up;
      EXPECT_TRUE(isExpected) << value << " >> " << count;
    }
}

TEST(Arithmetic, ShiftLeftSaturatesForAnyCount) {
  EXPECT_EQ(shiftLeft<int8_t>(1, 6), 64);
  EXPECT_EQ(shiftLeft<int8_t>(1, 7), 127);
  EXPECT_EQ(shiftLeft<int8_t>(-1, 7), -128);
  EXPECT_EQ(shiftLeft<int8_t>(-2, 7), -128);
  EXPECT_EQ(shiftLeft<int32_t>(1, 300), INT32_MAX);
  EXPECT_EQ(shiftLeft<int32_t>(-1, 300), INT32_MIN);
  EXPECT_EQ(shiftLeft<int64_t>(0, 300), 0);
  EXPECT_EQ(shiftLeft<int64_t>(-1, 63), INT64_MIN);
}

TEST(Arithmetic, NormCountsRedundantSignBits) {
  EXPECT_EQ(norm<int32_t>(0), 31);
  EXPECT_EQ(norm<int32_t>(-1), 31);
  EXPECT_EQ(norm<int32_t>(1), 30);
  EXPECT_EQ(norm<int32_t>(100749), 14);
  EXPECT_EQ(norm<int16_t>(-32768), 0);
  EXPECT_EQ(norm<int64_t>(169), 55);
}

TEST(Arithmetic, DivideTruncatesTowardsZero) {
  EXPECT_EQ(divide(7, 2), 3);
  EXPECT_EQ(divide(-7, 2), -3);
  EXPECT_EQ(divide(7, 0), 0);
  EXPECT_EQ(divide(INT32_MIN, -1), INT32_MIN);
}

TEST(Arithmetic, MantissaKeepsTheTopBits) {
  Mantissa<int16_t> m = toMantissa<int16_t>(71024);
  EXPECT_EQ(m.mantissa, 17756);
  EXPECT_EQ(m.shift, 2);
  Mantissa<int16_t> small = toMantissa<int16_t>(1);
  EXPECT_EQ(small.mantissa, 16384);
  EXPECT_EQ(small.shift, -14);
}

} // namespace
