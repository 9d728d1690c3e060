// SPDX-License-Identifier: Apache-2.0
//
// The modes of arithmetic: what each changes, and that nothing else does.

#include "../TestTensor.h"

#include <gtest/gtest.h>

#include <set>

using namespace mli::test;

namespace {

/// Computes in other modes while it lives.
class Arithmetic {
public:
  Arithmetic(mli_rounding_mode rounding, mli_accumulation_mode accumulation) {
    mli_set_rounding_mode(rounding);
    mli_set_accumulation_mode(accumulation);
  }
  ~Arithmetic() {
    mli_set_rounding_mode(MLI_ROUND_UP);
    mli_set_accumulation_mode(MLI_ACCUMULATE_NARROW);
  }
  Arithmetic(const Arithmetic &) = delete;
  Arithmetic &operator=(const Arithmetic &) = delete;
};

TEST(Mode, DefaultsAndUnknownValues) {
  EXPECT_EQ(mli_get_rounding_mode(), MLI_ROUND_UP);
  EXPECT_EQ(mli_get_accumulation_mode(), MLI_ACCUMULATE_NARROW);
  mli_set_rounding_mode(static_cast<mli_rounding_mode>(7));
  mli_set_accumulation_mode(static_cast<mli_accumulation_mode>(4));
  EXPECT_EQ(mli_get_rounding_mode(), MLI_ROUND_UP);
  EXPECT_EQ(mli_get_accumulation_mode(), MLI_ACCUMULATE_NARROW);
}

TEST(Mode, CompileOptionsTellTheMode) {
  {
    Arithmetic modes(MLI_ROUND_CONVERGENT, MLI_ACCUMULATE_FULL);
    CheckMode checks(MLI_CHECK_OFF);
    EXPECT_STREQ(mli_hlp_compile_options_string(),
                 " MLI_BUILD_REFERENCE=OFF ROUND_MODE=CONVERGENT "
                 "MLI_DEBUG_MODE=DBG_MODE_RELEASE FULL_ACCU=ON "
                 "AVEPOOL_16BIT_MUL=ON");
  }
  {
    Arithmetic modes(MLI_ROUND_UP, MLI_ACCUMULATE_FULL_PRODUCTS);
    CheckMode checks(MLI_CHECK_MESSAGES);
    EXPECT_STREQ(mli_hlp_compile_options_string(),
                 " MLI_BUILD_REFERENCE=OFF ROUND_MODE=UP "
                 "MLI_DEBUG_MODE=DBG_MODE_DEBUG FULL_ACCU=ON");
  }
  {
    Arithmetic modes(MLI_ROUND_CONVERGENT, MLI_ACCUMULATE_FULL_AVERAGES);
    EXPECT_STREQ(mli_hlp_compile_options_string(),
                 " MLI_BUILD_REFERENCE=OFF ROUND_MODE=CONVERGENT "
                 "MLI_DEBUG_MODE=DBG_MODE_RET_CODES AVEPOOL_16BIT_MUL=ON");
  }
  EXPECT_STREQ(mli_hlp_compile_options_string(),
               " MLI_BUILD_REFERENCE=OFF ROUND_MODE=UP "
               "MLI_DEBUG_MODE=DBG_MODE_RET_CODES");
}

/// All that the modes can be is told, and told apart.
TEST(Mode, CompileOptionsDiffer) {
  std::set<std::string> options;
  for (mli_check_mode checks :
       {MLI_CHECK_OFF, MLI_CHECK_RETURN_CODES, MLI_CHECK_MESSAGES})
    for (mli_rounding_mode rounding : {MLI_ROUND_UP, MLI_ROUND_CONVERGENT})
      for (int what = MLI_ACCUMULATE_NARROW; what <= MLI_ACCUMULATE_FULL;
           ++what) {
        Arithmetic modes(rounding, static_cast<mli_accumulation_mode>(what));
        CheckMode scope(checks);
        options.insert(mli_hlp_compile_options_string());
      }
  EXPECT_EQ(options.size(), 3U * 2U * 4U);
}

/// 1 * 1 + bias in sa8, with a scale of 2^-20 on the way to the output.
int product(int32_t biasCode) {
  Sa8 in({1}, {1});
  Sa8 weights({1, 1}, {1});
  Sa32 bias({1}, {biasCode});
  Sa8 out({1});
  in.params(16384, 14, 0);
  weights.params(16384, 34, 0);
  bias.params(16384, 34, 0);
  out.params(16384, 14, 0);
  const mli_fully_connected_cfg cfg = {{MLI_RELU_NONE}};
  EXPECT_EQ(mli_krn_fully_connected_sa8_sa8_sa32(in, weights, bias, &cfg, out),
            MLI_STATUS_OK);
  return out.codes[0];
}

// K52
TEST(Mode, FullProductsTakeTheWholeBias) {
  // 3 * 2^23 clips at 2^23 on its way through 16 bits.
  EXPECT_EQ(product(3 << 23), 8);
  Arithmetic modes(MLI_ROUND_UP, MLI_ACCUMULATE_FULL_PRODUCTS);
  EXPECT_EQ(product(3 << 23), 24);
  EXPECT_EQ(product((1 << 19) - 2), 0);
  EXPECT_EQ(product((1 << 19) - 1), 1);
}

// K52
TEST(Mode, FullAveragesLeaveProductsAlone) {
  Arithmetic modes(MLI_ROUND_UP, MLI_ACCUMULATE_FULL_AVERAGES);
  EXPECT_EQ(product(3 << 23), 8);
}

// K53
TEST(Mode, ConvergentProductsTakeTiesToEven) {
  Arithmetic modes(MLI_ROUND_CONVERGENT, MLI_ACCUMULATE_FULL_PRODUCTS);
  EXPECT_EQ(product((1 << 19) - 1), 0);
  EXPECT_EQ(product((3 << 19) - 1), 2);
  EXPECT_EQ(product((5 << 19) - 1), 2);
}

// K53
TEST(Mode, ConvergentConversion) {
  Fx8 in({4}, {1, 3, 5, -1});
  Fx8 out({4});
  in.fracBits(1);
  ASSERT_EQ(mli_hlp_convert_tensor(in, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes, (std::vector<int8_t>{1, 2, 3, 0}));
  Arithmetic modes(MLI_ROUND_CONVERGENT, MLI_ACCUMULATE_NARROW);
  ASSERT_EQ(mli_hlp_convert_tensor(in, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes, (std::vector<int8_t>{0, 2, 2, 0}));
}

// K11, K53
TEST(Mode, ConvergentMultipliersReachTheNextPowerOfTwo) {
  Sa8 in({1}, {12});
  Sa8 weights({1, 1}, {16});
  Sa32 bias({1});
  Sa8 out({1});
  in.params(16385, 0, 0);
  weights.params(16383, 21, 0);
  bias.params(32767, 8, 0);
  out.params(16384, 0, 0);
  const mli_fully_connected_cfg cfg = {{MLI_RELU_NONE}};
  auto compute = [&] {
    EXPECT_EQ(
        mli_krn_fully_connected_sa8_sa8_sa32(in, weights, bias, &cfg, out),
        MLI_STATUS_OK);
    return out.codes[0];
  };
  // 192 by 2^15 is the tie 3/2, by 2^15 - 1 less.
  EXPECT_EQ(compute(), 1);
  Arithmetic modes(MLI_ROUND_CONVERGENT, MLI_ACCUMULATE_NARROW);
  EXPECT_EQ(compute(), 2);
}

/// in * weight + bias, for a bias of 21 bits that is 2/2^22 above one half.
int recurrentProduct() {
  Sa8 in({1});
  Sa8 weights({1, 1}, {1});
  Sa32 bias({1}, {1398102});
  Sa8 out({1});
  in.params(3, 0, 0);
  weights.params(1, 23, 0);
  bias.params(3, 23, 0);
  out.params(1, 0, 0);
  const mli_tensor *ins[] = {in};
  const mli_tensor *matrices[] = {weights};
  const mli_rnn_dense_cfg cfg = {1};
  EXPECT_EQ(mli_krn_rnn_dense_sa8_sa8_sa32(ins, matrices, bias, &cfg, out),
            MLI_STATUS_OK);
  return out.codes[0];
}

// K45, K52
TEST(Mode, FullProductsTakeTheWholeBiasOfRecurrentKernels) {
  EXPECT_EQ(recurrentProduct(), 0);
  {
    Arithmetic modes(MLI_ROUND_UP, MLI_ACCUMULATE_FULL_AVERAGES);
    EXPECT_EQ(recurrentProduct(), 0);
  }
  Arithmetic modes(MLI_ROUND_UP, MLI_ACCUMULATE_FULL_PRODUCTS);
  EXPECT_EQ(recurrentProduct(), 1);
}

// K54
TEST(Mode, FullAveragesHaveSixteenBits) {
  // The mean is 120.4; a ninth in 8 bits is 114/1024, which makes it 120.7.
  Sa8 in({3, 3, 1}, {120, 120, 120, 120, 120, 120, 120, 120, 124});
  Sa8 out({1, 1, 1});
  const mli_pool_cfg cfg = {3, 3, 1, 1, 0, 0, 0, 0};
  auto average = [&] {
    EXPECT_EQ(mli_krn_avepool_hwc_sa8(in, &cfg, out), MLI_STATUS_OK);
    return out.codes[0];
  };
  EXPECT_EQ(average(), 121);
  Arithmetic products(MLI_ROUND_UP, MLI_ACCUMULATE_FULL_PRODUCTS);
  EXPECT_EQ(average(), 121);
  Arithmetic averages(MLI_ROUND_UP, MLI_ACCUMULATE_FULL_AVERAGES);
  EXPECT_EQ(average(), 120);
}

/// Adds what is told to a list.
void recordCall(const char *function, int ends, void *cookie) {
  auto &calls = *static_cast<std::vector<std::string> *>(cookie);
  calls.push_back(std::string(function) + (ends ? " ends" : " begins"));
}

TEST(Profile, TellsWhereCallsBeginAndEnd) {
  std::vector<std::string> calls;
  mli_set_profile_callback(recordCall, &calls);
  product(1);
  mli_set_profile_callback(nullptr, nullptr);
  product(1);
  std::vector<std::string> expected = {
      "mli_krn_fully_connected_sa8_sa8_sa32 begins",
      "mli_krn_fully_connected_sa8_sa8_sa32 ends"};
  EXPECT_EQ(calls, expected);
}

} // namespace
