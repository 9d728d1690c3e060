// SPDX-License-Identifier: Apache-2.0
//
// Tables, their evaluation, and softmax.

#include "Runtime/Tables/Lut.h"

#include "../TestTensor.h"

#include <gtest/gtest.h>

using namespace mli::test;

namespace {

/// A table of the library.
struct SoftmaxLut {
  SoftmaxLut() : values(mli_krn_softmax_get_lut_size() / 2) {
    std::memset(&lut, 0, sizeof(lut));
    lut.data.mem.pi16 = values.data();
    lut.data.capacity = static_cast<uint32_t>(2 * values.size());
  }
  std::vector<int16_t> values;
  mli_lut lut;
};

TEST(Lut, SoftmaxTable) {
  SoftmaxLut table;
  ASSERT_EQ(mli_krn_softmax_create_lut(&table.lut), MLI_STATUS_OK);
  EXPECT_EQ(mli_krn_softmax_get_lut_size(), 716);
  EXPECT_EQ(table.values[0], 0);
  EXPECT_EQ(table.values[2], 1);
  EXPECT_EQ(table.values[355], 31760);
  EXPECT_EQ(table.values[356], 32767);
  EXPECT_EQ(table.values[357], 32767);
}

TEST(Lut, SmallBufferIsRefused) {
  SoftmaxLut table;
  table.lut.data.capacity = 715;
  EXPECT_EQ(mli_krn_softmax_create_lut(&table.lut), MLI_STATUS_NOT_ENGH_MEM);
  EXPECT_NE(table.lut.type, MLI_EL_FX_16);
}

/// A table of two entries with argument 0 at the first.
struct TwoEntries {
  TwoEntries() {
    std::memset(&lut, 0, sizeof(lut));
    lut.data.mem.pi16 = values;
    lut.length = 2;
  }
  int16_t values[2] = {0, 100};
  mli_lut lut;
};

/// As the kernels of the default rounding mode evaluate a table.
static int16_t evaluate(const mli_lut &lut, int32_t argument, int extraBits) {
  return mli::rt::evaluateLut(mli::rt::Table(lut), argument, extraBits,
                              mli::quant::Rounding::Up);
}

// K27
TEST(Lut, InterpolationSubtractsTheRoundedStep) {
  TwoEntries table;
  EXPECT_EQ(evaluate(table.lut, 128, 8), 50);
  EXPECT_EQ(evaluate(table.lut, 0, 8), 0);
  // 100 * 1 / 256 is 0.39.
  EXPECT_EQ(evaluate(table.lut, 1, 8), 0);
}

// K27
TEST(Lut, AClampedIndexKeepsTheFraction) {
  TwoEntries table;
  EXPECT_EQ(evaluate(table.lut, 256 + 44, 8), 17);
  EXPECT_EQ(evaluate(table.lut, -128, 8), 50);
}

// K28
TEST(Lut, WithoutInterpolation) {
  TwoEntries table;
  EXPECT_EQ(evaluate(table.lut, 1, 0), 100);
  EXPECT_EQ(evaluate(table.lut, 1, -3), 100);
  EXPECT_EQ(evaluate(table.lut, INT32_MIN, -3), 0);
  EXPECT_EQ(evaluate(table.lut, INT32_MAX, -300), 100);
}

// K29
TEST(Softmax, WorkedExampleInPlace) {
  SoftmaxLut table;
  mli_krn_softmax_create_lut(&table.lut);
  Fx16 in({4}, {1000, 2000, -3000, 1999});
  in.fracBits(11);
  const mli_softmax_cfg cfg = {-1};
  ASSERT_EQ(mli_krn_softmax_fx16(in, &table.lut, &cfg, in), MLI_STATUS_OK);
  EXPECT_EQ(in.codes, (std::vector<int16_t>{7448, 12134, 1056, 12128}));
  EXPECT_EQ(in->el_params.fx.frac_bits, 15);
}

// K29
TEST(Softmax, AlongAnAxis) {
  SoftmaxLut table;
  mli_krn_softmax_create_lut(&table.lut);
  Fx16 columns({4, 2}, {1000, 0, 2000, 0, -3000, 0, 1999, 0});
  Fx16 out({4, 2});
  columns.fracBits(11);
  const mli_softmax_cfg cfg = {0};
  ASSERT_EQ(mli_krn_softmax_fx16(columns, &table.lut, &cfg, out),
            MLI_STATUS_OK);
  EXPECT_EQ(out.codes, (std::vector<int16_t>{7448, 8192, 12134, 8192, 1056,
                                             8192, 12128, 8192}));
}

// A sum of 1 makes quotients of 3 and -2 that 32 bits do not hold.
// K29
TEST(Softmax, QuotientsSaturateBeforeTheZeroPoint) {
  TwoEntries table;
  table.values[0] = 3;
  table.values[1] = -2;
  table.lut.type = MLI_EL_FX_16;
  table.lut.data.capacity = sizeof(table.values);
  Sa8 in({2}, {0, -1});
  in.params(1, 8, 0);
  const mli_softmax_cfg cfg = {-1};
  ASSERT_EQ(mli_krn_softmax_sa8(in, &table.lut, &cfg, in), MLI_STATUS_OK);
  EXPECT_EQ(in.codes, (std::vector<int8_t>{127, -128}));
}

TEST(Softmax, BadTablesAreRefused) {
  TwoEntries table;
  Fx16 in({2});
  const mli_softmax_cfg cfg = {-1};
  EXPECT_EQ(mli_krn_softmax_fx16(in, nullptr, &cfg, in),
            MLI_STATUS_BAD_FUNC_CFG);
  table.lut.length = 1;
  EXPECT_EQ(mli_krn_softmax_fx16(in, &table.lut, &cfg, in),
            MLI_STATUS_BAD_FUNC_CFG);
}

} // namespace
