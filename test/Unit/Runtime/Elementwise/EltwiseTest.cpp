// SPDX-License-Identifier: Apache-2.0

#include "../TestTensor.h"

#include <gtest/gtest.h>

using namespace mli::test;

namespace {

// K25
TEST(Eltwise, FixedPointAlignsToTheFinerFormat) {
  Fx8 a({2}, {1, 100});
  Fx8 b({2}, {1, 100});
  Fx8 out({2});
  a.fracBits(2);
  b.fracBits(4);
  out.fracBits(4);
  ASSERT_EQ(mli_krn_eltwise_add_fx8(a, b, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes, (std::vector<int8_t>{5, 127}));
  ASSERT_EQ(mli_krn_eltwise_sub_fx8(a, b, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes, (std::vector<int8_t>{3, 127}));
  out.fracBits(5);
  ASSERT_EQ(mli_krn_eltwise_mul_fx8(a, b, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes, (std::vector<int8_t>{1, 127}));
}

/// One operation on two codes of the formats of the worked example.
template <typename Kernel>
int compute(Kernel kernel, int a, int b) {
  Sa8 in1({1}, {static_cast<int8_t>(a)});
  Sa8 in2({1}, {static_cast<int8_t>(b)});
  Sa8 out({1});
  in1.params(20000, 15, -3);
  in2.params(9000, 13, 0);
  out.params(30000, 13, 5);
  EXPECT_EQ(kernel(in1, in2, out), MLI_STATUS_OK);
  return out.codes[0];
}

// K26
TEST(Eltwise, AsymmetricWorkedExample) {
  EXPECT_EQ(compute(mli_krn_eltwise_add_sa8, 100, -50), 7);
  EXPECT_EQ(compute(mli_krn_eltwise_add_sa8, -128, 127), 22);
  EXPECT_EQ(compute(mli_krn_eltwise_sub_sa8, 100, -50), 37);
  EXPECT_EQ(compute(mli_krn_eltwise_sub_sa8, -128, 127), -54);
  EXPECT_EQ(compute(mli_krn_eltwise_mul_sa8, 0, 0), 5);
  EXPECT_EQ(compute(mli_krn_eltwise_mul_sa8, 77, 33), 127);
}

TEST(Eltwise, ScalarsOfEitherSideAndKind) {
  Fx16 tensor({2, 2}, {1, 2, 3, 4});
  Fx16 single({1, 1}, {10});
  Fx16 scalar({});
  scalar->data.mem.i16 = 20;
  scalar->data.capacity = 0;
  Fx16 out({2, 2});
  ASSERT_EQ(mli_krn_eltwise_sub_fx16(tensor, single, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes, (std::vector<int16_t>{-9, -8, -7, -6}));
  ASSERT_EQ(mli_krn_eltwise_sub_fx16(scalar, tensor, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes, (std::vector<int16_t>{19, 18, 17, 16}));
  EXPECT_EQ(mli_krn_eltwise_sub_fx16(scalar, scalar, out),
            MLI_STATUS_NOT_SUPPORTED);
}

/// The result of one element and a scalar has the shape of the scalar, which is
/// none that could be written.
// K66
TEST(Eltwise, AScalarIsNoResult) {
  Fx8 single({1}, {3});
  Fx8 scalar({});
  scalar->data.mem.i8 = 4;
  Fx8 out({1}, {9});
  EXPECT_EQ(mli_krn_eltwise_add_fx8(single, scalar, out),
            MLI_STATUS_SHAPE_MISMATCH);
  out->rank = 0;
  EXPECT_EQ(mli_krn_eltwise_add_fx8(single, scalar, out),
            MLI_STATUS_SHAPE_MISMATCH);
  EXPECT_EQ(mli_krn_eltwise_min_fx8(single, scalar, out),
            MLI_STATUS_SHAPE_MISMATCH);
  EXPECT_EQ(out->data.mem.pi8, out.codes.data());
  EXPECT_EQ(out.codes[0], 9);
  // The other order has the shape of the element.
  out->rank = 1;
  EXPECT_EQ(mli_krn_eltwise_add_fx8(scalar, single, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes[0], 7);
}

TEST(Eltwise, InPlaceWithGaps) {
  Fx8 in({2, 3}, {1, 2, 99, 3, 4, 99});
  in->shape[1] = 2;
  ASSERT_EQ(mli_krn_eltwise_add_fx8(in, in, in), MLI_STATUS_OK);
  EXPECT_EQ(in.codes, (std::vector<int8_t>{2, 4, 99, 6, 8, 99}));
}

TEST(Eltwise, MinAndMaxNeedOneFormat) {
  Fx8 a({1}, {3});
  Fx8 b({1}, {5});
  Fx8 out({1});
  EXPECT_EQ(mli_krn_eltwise_min_fx8(a, b, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes[0], 3);
  EXPECT_EQ(mli_krn_eltwise_max_fx8(a, b, out), MLI_STATUS_OK);
  EXPECT_EQ(out.codes[0], 5);
  b.fracBits(1);
  EXPECT_EQ(mli_krn_eltwise_min_fx8(a, b, out),
            MLI_STATUS_INCOMPATEBLE_TENSORS);
}

TEST(Relu, InPlace) {
  Fx8 in({4}, {-5, 5, 100, -128});
  in.fracBits(4);
  const mli_relu_cfg cfg = {MLI_RELU_6};
  ASSERT_EQ(mli_krn_relu_fx8(in, &cfg, in), MLI_STATUS_OK);
  EXPECT_EQ(in.codes, (std::vector<int8_t>{0, 5, 96, 0}));
}

} // namespace
