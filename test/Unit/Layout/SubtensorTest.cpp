// SPDX-License-Identifier: Apache-2.0
//
// Parts of tensors: where they start, and whether they keep the layout.

#include "mli/Layout/Subtensor.h"

#include "LayoutBuilder.h"

namespace mli::layout {
namespace {

std::string problemOf(const Result<Subtensor> &part) {
  return part ? "no problem" : toString(part.violation());
}

// L23
TEST(Subtensor, AlongCMovesTheStartNpu) {
  TensorLayout whole = LayoutBuilder({1, 11, 4, 5}).start(2, 128).build();
  for (int64_t c = 0; c < 11; ++c) {
    Result<Subtensor> part = subtensor(whole, {0, c, 0, 0}, {1, 11 - c, 4, 5});
    ASSERT_TRUE(part);
    EXPECT_EQ(part->layout.startNpu, (2 + c) % 4);
    EXPECT_EQ(part->layout.offset, 128 + (2 + c) / 4 * 128);
    EXPECT_TRUE(part->keepsLayout);
    EXPECT_FALSE(verify(part->layout));
  }
}

// L23
TEST(Subtensor, AlongCOfManyKeepsTheLayoutWithAllBlockRows) {
  TensorLayout whole = LayoutBuilder({2, 8, 4, 5}).build();
  Result<Subtensor> part = subtensor(whole, {0, 1, 0, 0}, {2, 7, 4, 5});
  ASSERT_TRUE(part);
  EXPECT_TRUE(part->keepsLayout);
  part = subtensor(whole, {0, 4, 0, 0}, {2, 4, 4, 5});
  ASSERT_TRUE(part);
  EXPECT_FALSE(part->keepsLayout);
  EXPECT_EQ(part->layout.kind, Kind::Strided);
  EXPECT_EQ(part->layout.strides.n, 64);
}

// L23
TEST(Subtensor, AlongNKeepsTheLayout) {
  TensorLayout whole = LayoutBuilder({3, 8, 4, 5}).build();
  Result<Subtensor> part = subtensor(whole, {1, 0, 0, 0}, {2, 8, 4, 5});
  ASSERT_TRUE(part);
  EXPECT_TRUE(part->keepsLayout);
  EXPECT_EQ(part->layout.offset, 256);
  EXPECT_EQ(part->layout.strides, whole.strides);
}

// L23
TEST(Subtensor, AlongHAndW) {
  TensorLayout whole = LayoutBuilder({1, 4, 16, 8}).build();
  // 32 elements of one row block are the unit.
  Result<Subtensor> part = subtensor(whole, {0, 0, 4, 0}, {1, 4, 5, 8});
  ASSERT_TRUE(part);
  EXPECT_TRUE(part->keepsLayout);
  EXPECT_EQ(part->layout.offset, 128);
  part = subtensor(whole, {0, 0, 1, 0}, {1, 4, 5, 8});
  ASSERT_TRUE(part);
  EXPECT_FALSE(part->keepsLayout);
  EXPECT_EQ(part->layout.offset, 32);
  part = subtensor(whole, {0, 0, 0, 2}, {1, 4, 16, 4});
  ASSERT_TRUE(part);
  EXPECT_FALSE(part->keepsLayout);
  EXPECT_EQ(part->layout.strides.h, 8);
  EXPECT_FALSE(verify(part->layout));
}

// L24
TEST(Subtensor, GroupsAreNotCut) {
  TensorLayout whole = LayoutBuilder({10, 5, 4, 5}).mode(Mode::FourN).build();
  EXPECT_EQ(problemOf(subtensor(whole, {2, 0, 0, 0}, {4, 5, 4, 5})),
            "expected 'offset.n' to be divisible by 4, but got 2");
  EXPECT_EQ(problemOf(subtensor(whole, {4, 0, 0, 0}, {3, 5, 4, 5})),
            "expected 'size.n' to be divisible by 4, but got 3");
  EXPECT_TRUE(subtensor(whole, {4, 0, 0, 0}, {4, 5, 4, 5}));
  EXPECT_TRUE(subtensor(whole, {8, 0, 0, 0}, {2, 5, 4, 5}));
  whole = LayoutBuilder({5, 5, 4, 5}).mode(Mode::TwoIC).build();
  EXPECT_EQ(problemOf(subtensor(whole, {1, 0, 0, 0}, {4, 5, 4, 5})),
            "expected 'offset.n' to be divisible by 2, but got 1");
}

// L24
TEST(Subtensor, MatrixChannelsAreNotCut) {
  TensorLayout whole = matrixBuilder(3, 40, 15).build();
  EXPECT_EQ(problemOf(submatrix(whole, 0, 5, 3, 10)),
            "expected 'column' to be divisible by 15, but got 5");
  EXPECT_EQ(problemOf(submatrix(whole, 0, 15, 3, 10)),
            "expected 'columns' to be divisible by 15, but got 10");
  EXPECT_EQ(problemOf(submatrix(whole, 0, 15, 3, 26)),
            "expected 'columns' to be at most 25, but got 26");
  EXPECT_EQ(problemOf(subtensor(whole, {0, 0, 0, 3}, {3, 1, 1, 12})),
            "expected 'offset.w' to be divisible by 15, but got 3");
}

// L15, L23
TEST(Subtensor, LastChannelsOfAMatrix) {
  TensorLayout whole = matrixBuilder(3, 40, 15).build();
  Result<Subtensor> part = submatrix(whole, 1, 15, 2, 25);
  ASSERT_TRUE(part);
  EXPECT_TRUE(part->keepsLayout);
  EXPECT_EQ(part->layout.matrixColumns, 25);
  EXPECT_EQ(locateInMatrix(part->layout, 1, 24), locateInMatrix(whole, 2, 39));
  part = submatrix(whole, 0, 30, 3, 10);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->layout.shape, (Dims{3, 1, 1, 10}));
  EXPECT_TRUE(part->keepsLayout);
}

// L23
TEST(Subtensor, OutsideIsRefused) {
  TensorLayout whole = LayoutBuilder({1, 4, 16, 8}).build();
  EXPECT_EQ(problemOf(subtensor(whole, {0, 4, 0, 0}, {1, 1, 1, 1})),
            "expected 'offset.c' to be at most 3, but got 4");
  EXPECT_EQ(problemOf(subtensor(whole, {0, 0, 10, 0}, {1, 1, 7, 1})),
            "expected 'size.h' to be at most 6, but got 7");
  EXPECT_EQ(problemOf(subtensor(whole, {0, 0, 0, 0}, {1, 1, 1, 0})),
            "expected 'size.w' to be at least 1, but got 0");
  EXPECT_EQ(problemOf(subtensor(whole, {-1, 0, 0, 0}, {1, 1, 1, 1})),
            "expected 'offset.n' to be at least 0, but got -1");
}

} // namespace
} // namespace mli::layout
