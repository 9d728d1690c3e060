// SPDX-License-Identifier: Apache-2.0
//
// sigm, tanh, L2 normalisation, leaky relu and prelu.

#include "../TestTensor.h"

#include <gtest/gtest.h>

using namespace mli::test;

namespace {

/// A table of the library.
class Table {
public:
  Table(int32_t (*size)(), mli_status (*create)(mli_lut *))
      : values(size() / 2) {
    std::memset(&lut, 0, sizeof(lut));
    lut.data.mem.pi16 = values.data();
    lut.data.capacity = static_cast<uint32_t>(2 * values.size());
    EXPECT_EQ(create(&lut), MLI_STATUS_OK);
  }
  std::vector<int16_t> values;
  mli_lut lut;
};

struct Sigm : Table {
  Sigm() : Table(mli_krn_sigm_get_lut_size, mli_krn_sigm_create_lut) {}
};
struct Tanh : Table {
  Tanh() : Table(mli_krn_tanh_get_lut_size, mli_krn_tanh_create_lut) {}
};
struct InverseRoot : Table {
  InverseRoot()
      : Table(mli_krn_l2_normalize_get_lut_size,
              mli_krn_l2_normalize_create_lut) {}
};

// K37, K59
TEST(Tables, Entries) {
  Sigm sigm;
  EXPECT_EQ(sigm.values[0], 1);
  EXPECT_EQ(sigm.values[160], 16384);
  EXPECT_EQ(sigm.values[319], 32766);
  Tanh tanh;
  EXPECT_EQ(tanh.values[0], -32767);
  EXPECT_EQ(tanh.values[172], 0);
  EXPECT_EQ(tanh.values[173], 1024);
  EXPECT_EQ(tanh.values[343], 32767);
  InverseRoot root;
  EXPECT_EQ(root.values[0], 23170);
  EXPECT_EQ(root.values[32], 16384);
  EXPECT_EQ(root.values[96], 11585);
}

template <typename Kernel>
int fx16(Kernel kernel, const mli_lut &lut, int8_t fracBits, int16_t code) {
  Fx16 tensor({1}, {code});
  tensor.fracBits(fracBits);
  EXPECT_EQ(kernel(tensor, &lut, tensor), MLI_STATUS_OK);
  EXPECT_EQ(tensor->el_params.fx.frac_bits, 15);
  return tensor.codes[0];
}

// K38
TEST(Activation, FixedPointExamplesInPlace) {
  Sigm sigm;
  Tanh tanh;
  EXPECT_EQ(fx16(mli_krn_sigm_fx16, sigm.lut, 11, 1000), 20306);
  EXPECT_EQ(fx16(mli_krn_tanh_fx16, tanh.lut, 11, 1000), 14837);
  EXPECT_EQ(fx16(mli_krn_sigm_fx16, sigm.lut, 12, -30000), 22);
  EXPECT_EQ(fx16(mli_krn_sigm_fx16, sigm.lut, 3, 5), 21344);
}

// K38
TEST(Activation, AsymmetricExamples) {
  Sigm sigm;
  Tanh tanh;
  Sa8 in({1}, {100});
  Sa8 out({1});
  in.params(20000, 19, -10);
  ASSERT_EQ(mli_krn_sigm_sa8(in, &sigm.lut, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes[0], 124);
  EXPECT_EQ(out->el_params.sa.zero_point.mem.i16, -128);
  EXPECT_EQ(out->el_params.sa.scale_frac_bits.mem.i8, 8);
  ASSERT_EQ(mli_krn_tanh_sa8(in, &tanh.lut, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes[0], 127);
  EXPECT_EQ(out->el_params.sa.zero_point.mem.i16, 0);
}

/// A table of these entries, which have 15 fraction bits.
template <size_t Length>
mli_lut getTable(int16_t (&values)[Length], int32_t inputOffset) {
  mli_lut lut;
  std::memset(&lut, 0, sizeof(lut));
  lut.data.mem.pi16 = values;
  lut.data.capacity = sizeof(values);
  lut.type = MLI_EL_FX_16;
  lut.length = Length;
  lut.out_frac_bits = 15;
  lut.input_offset = inputOffset;
  return lut;
}

// K38, K59
TEST(Activation, CustomTable) {
  // The identity from -2 to 2 with one entry per unit and 15 fraction bits,
  // cut.
  int16_t values[] = {-32768, -32768, 0, 32767, 32767};
  mli_lut lut = getTable(values, 2);
  // 0 less the rounded -32767/2, which is -16383.
  EXPECT_EQ(fx16(mli_krn_tanh_fx16, lut, 1, 1), 16383);
  EXPECT_EQ(fx16(mli_krn_tanh_fx16, lut, 0, -1), -32768);
  EXPECT_EQ(fx16(mli_krn_tanh_fx16, lut, 0, 20000), 32767);
}

// K39
TEST(L2Normalize, WorkedExampleInPlace) {
  InverseRoot root;
  Fx16 in({4}, {3, 4, 0, -12});
  const mli_l2_normalize_cfg cfg = {-1};
  ASSERT_EQ(mli_krn_l2_normalize_fx16(in, nullptr, &root.lut, &cfg, in),
            MLI_STATUS_OK);
  EXPECT_EQ(in.codes, (std::vector<int16_t>{7562, 10083, 0, -30249}));
}

// K39
TEST(L2Normalize, ZerosStayZero) {
  InverseRoot root;
  Sa8 in({2, 2}, {9, 9, 9, 10});
  Sa8 out({2, 2});
  in.params(1, 0, 9);
  const mli_l2_normalize_cfg cfg = {1};
  ASSERT_EQ(mli_krn_l2_normalize_sa8(in, nullptr, &root.lut, &cfg, out),
            MLI_STATUS_OK);
  EXPECT_EQ(out.codes, (std::vector<int8_t>{0, 0, 0, 127}));
}

// K39
TEST(L2Normalize, ReadsItsTableInItsFormat) {
  int16_t values[97];
  for (int16_t i = 0; i < 97; ++i)
    values[i] = static_cast<int16_t>(10 * i);
  mli_lut lut = getTable(values, -32);
  auto normalizeOne = [&](int32_t bits) {
    lut.in_frac_bits = bits;
    Fx16 one({1}, {1});
    const mli_l2_normalize_cfg cfg = {-1};
    EXPECT_EQ(mli_krn_l2_normalize_fx16(one, nullptr, &lut, &cfg, one),
              MLI_STATUS_OK);
    return one.codes[0];
  };
  // The mantissa is 64: entry 32, with more bits the last with a next one.
  EXPECT_EQ(normalizeOne(0), 8 * 320);
  for (int32_t bits = 1; bits <= 8; ++bits)
    EXPECT_EQ(normalizeOne(bits), 8 * 950) << bits;
  // The mantissa is 32 twos: entry 16.
  lut.input_offset = -16;
  EXPECT_EQ(normalizeOne(-1), 8 * 160);
  // With more bits than the mantissa has, the last entry.
  EXPECT_EQ(normalizeOne(9), 8 * 960);
}

// K40
TEST(LeakyRelu, FixedPoint) {
  Fx8 in({3}, {-8, 0, 100});
  Fx8 slope({1}, {3});
  Fx8 out({3});
  slope.fracBits(2);
  ASSERT_EQ(mli_krn_leaky_relu_fx8(in, slope, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes, (std::vector<int8_t>{-6, 0, 100}));
  out.fracBits(1);
  EXPECT_EQ(mli_krn_leaky_relu_fx8(in, slope, out),
            MLI_STATUS_SPEC_PARAM_MISMATCH);
}

// K40
TEST(LeakyRelu, OnlyAScalarSlopeOfFx16IsNormalised) {
  // -32768 * -1 * 2^-16 is the tie 1/2.
  Fx16 in({1}, {-32768});
  Fx16 slope({1}, {-1});
  Fx16 out({1});
  slope.fracBits(16);
  ASSERT_EQ(mli_krn_leaky_relu_fx16(in, slope, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes[0], 0);
  const mli_prelu_cfg along = {0};
  ASSERT_EQ(mli_krn_prelu_fx16(in, slope, &along, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes[0], 1);
  const mli_prelu_cfg scalar = {-1};
  ASSERT_EQ(mli_krn_prelu_fx16(in, slope, &scalar, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes[0], 0);
}

// K41
TEST(LeakyRelu, AsymmetricExample) {
  Sa8 in({6}, {-128, -50, -4, -3, 0, 127});
  Sa8 slope({1}, {-100});
  Sa8 out({6});
  in.params(20000, 15, -3);
  slope.params(12000, 15, 3);
  out.params(30000, 13, 5);
  ASSERT_EQ(mli_krn_leaky_relu_sa8(in, slope, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes, (std::vector<int8_t>{127, 127, 11, 5, 5, 27}));
}

TEST(Prelu, OneSlopeForEachIndexOfTheAxis) {
  Fx8 in({2, 2}, {-1, -1, -1, 5});
  Fx8 slope({1, 2}, {2, 3});
  Fx8 out({2, 2});
  const mli_prelu_cfg cfg = {1};
  ASSERT_EQ(mli_krn_prelu_fx8(in, slope, &cfg, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes, (std::vector<int8_t>{-2, -3, -2, 5}));
  const mli_prelu_cfg other = {0};
  EXPECT_EQ(mli_krn_prelu_fx8(in, slope, &other, out),
            MLI_STATUS_INCOMPATEBLE_TENSORS);
  const mli_prelu_cfg below = {-2};
  EXPECT_EQ(mli_krn_prelu_fx8(in, slope, &below, out), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(mli_krn_prelu_fx8(in, nullptr, &cfg, out), MLI_STATUS_BAD_TENSOR);
  EXPECT_EQ(mli_krn_leaky_relu_fx8(in, nullptr, out), MLI_STATUS_BAD_TENSOR);
}

} // namespace
