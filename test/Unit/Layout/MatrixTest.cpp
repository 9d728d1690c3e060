// SPDX-License-Identifier: Apache-2.0
//
// The matrix layout, with the 2-by-40 matrix of the figures.

#include "LayoutBuilder.h"
#include "mli/Layout/MatrixWidth.h"

#include <tuple>

namespace mli::layout {
namespace {

struct Figure {
  int64_t width;
  int64_t channels;
  int64_t channelsPerNpu;
  int64_t cStride;
  int64_t nStride;
};

class MatrixFigure : public testing::TestWithParam<Figure> {};
INSTANTIATE_TEST_SUITE_P(
    Width, MatrixFigure,
    testing::Values(Figure{40, 1, 1, 64, 64}, Figure{20, 2, 1, 32, 32},
                    Figure{10, 4, 1, 32, 32}, Figure{8, 5, 2, 32, 64},
                    Figure{15, 3, 1, 32, 32}, Figure{6, 7, 2, 32, 64}));

// L14, L15
TEST_P(MatrixFigure, TwoByForty) {
  const Figure &figure = GetParam();
  TensorLayout layout = matrixBuilder(2, 40, figure.width).build();
  EXPECT_EQ(layout.shape, (Dims{2, figure.channels, 1, figure.width}));
  EXPECT_EQ(channelsPerNpu(layout), figure.channelsPerNpu);
  EXPECT_EQ(layout.strides.c, figure.cStride);
  EXPECT_EQ(layout.strides.n, figure.nStride);
  EXPECT_EQ(bytesPerNpu(layout), 2 * figure.nStride * 4);
  EXPECT_EQ(countElements(layout), 80);
  for (int64_t row = 0; row < 2; ++row)
    for (int64_t column = 0; column < 40; ++column) {
      int64_t channel = column / figure.width;
      Location location = locateInMatrix(layout, row, column);
      EXPECT_EQ(location.npu, channel % 4);
      EXPECT_EQ(location.offset,
                (row * figure.nStride + channel / 4 * figure.cStride +
                 column % figure.width) *
                    4);
      EXPECT_EQ(contentAt(layout, location).content, Content::Element);
    }
}

// L15
TEST(Matrix, LastChannelIsRagged) {
  TensorLayout layout = matrixBuilder(2, 40, 15).build();
  EXPECT_TRUE(hasElement(layout, {0, 2, 0, 9}));
  EXPECT_FALSE(hasElement(layout, {0, 2, 0, 10}));
  EXPECT_EQ(contentAt(layout, wordAt(2, 9)).content, Content::Element);
  ByteContent past = contentAt(layout, {2, 4 * 10 + 1});
  EXPECT_EQ(past.content, Content::Padding);
  EXPECT_EQ(past.index, (Dims{0, 2, 0, 0}));
  EXPECT_EQ(past.byte, 0);
  EXPECT_EQ(contentAt(layout, wordAt(0, 14)).content, Content::Element);
}

// L15, L22
TEST(Matrix, ExplicitStridesReachTheLastColumn) {
  Target one = makeTarget(1, 4096, 128);
  auto bytes = [&one](int64_t columns, const Dims &strides) {
    return bytesPerNpu(
        matrixBuilder(2, columns, 15).target(one).strides(strides).build());
  };
  // Rows of 100, channels of 15 in steps of 20: 100 + 2 * 20 + 10 of 4 bytes.
  EXPECT_EQ(bytes(40, {100, 20, 15, 1}), 4 * 150);
  EXPECT_EQ(bytes(45, {100, 20, 15, 1}), 4 * 155);
  // The channel before it, in the same row of memory, ends later.
  EXPECT_EQ(bytes(31, {300, 5, 15, 20}), 4 * (300 + 5 + 14 * 20 + 1));
  // Other channels of its block row are whole.
  EXPECT_EQ(bytesPerNpu(matrixBuilder(2, 40, 15)
                            .target(makeTarget(2, 4096, 128))
                            .start(1)
                            .strides({100, 20, 15, 1})
                            .build()),
            4 * (100 + 20 + 15));
}

// L14
TEST(Matrix, WidthIsAtMostTheColumns) {
  EXPECT_EQ(toString(matrixShape(2, 40, 41).violation()),
            "expected 'columns per channel' to be at most 40, but got 41");
  EXPECT_EQ(toString(matrixShape(2, 40, 0).violation()),
            "expected 'columns per channel' to be at least 1, but got 0");
  EXPECT_EQ(LayoutBuilder({2, 5, 1, 10})
                .kind(Kind::Matrix)
                .matrixColumns(40)
                .violation(),
            "expected 'shape.c' to be 4, but got 5");
  EXPECT_EQ(LayoutBuilder({2, 4, 2, 10})
                .kind(Kind::Matrix)
                .matrixColumns(40)
                .violation(),
            "expected 'shape.h' to be 1, but got 2");
}

// L14
TEST(Matrix, NarrowElements) {
  for (int64_t bytes : {1, 2}) {
    TensorLayout layout = matrixBuilder(3, 300, 70).bytes(bytes).build();
    EXPECT_EQ(layout.strides.c, 128);
    EXPECT_EQ(layout.strides.n, 2 * layout.strides.c);
    EXPECT_EQ(locateInMatrix(layout, 2, 299),
              (Location{0, (2 * 256 + 128 + 19) * bytes}));
  }
}

/// The bytes of one row per NPU.
int64_t rowBytes(int64_t columns, int64_t width, int64_t bytes, int64_t start,
                 const Target &target) {
  Result<Dims> shape = matrixShape(1, columns, width);
  return alignedStrides(*shape, bytes, start, target)->n * bytes;
}

// L14, L16
TEST(MatrixWidth, OfTheFiguresRelievesOrNot) {
  auto size = [](int64_t width) {
    return rowBytes(40, width, 4, 0, makeTarget(4, 16384));
  };
  EXPECT_EQ(size(40), 64 * 4);
  EXPECT_EQ(size(20), 32 * 4);
  EXPECT_EQ(size(10), size(20));
  EXPECT_GT(size(8), size(10));
  EXPECT_GT(size(6), size(15));
}

// L16
TEST(MatrixWidth, UsesAllNpusWithTheLeastMemory) {
  EXPECT_EQ(bestMatrixWidth(40, 4, 0, makeTarget(4, 16384), 40), 10);
  EXPECT_EQ(bestMatrixWidth(1000, 4, 0, makeTarget(4, 16384), 1000), 250);
  EXPECT_EQ(bestMatrixWidth(1000, 4, 0, makeTarget(4, 16384), 128), 125);
  EXPECT_EQ(bestMatrixWidth(1, 4, 0, makeTarget(64, 16384), 128), 1);
}

// L16
TEST(MatrixWidth, NoWidthIsBetter) {
  for (int64_t npus : {1, 3, 4, 8})
    for (int64_t unit : {16, 128})
      for (int64_t bytes : {1, 4, 8})
        for (int64_t columns = 1; columns < 260; columns += 7)
          for (int64_t start = 0; start < npus; ++start)
            for (int64_t most : {INT64_C(5), INT64_C(128), columns}) {
              Target target = makeTarget(npus, 16384, unit);
              int64_t best =
                  bestMatrixWidth(columns, bytes, start, target, most);
              ASSERT_GE(best, 1);
              ASSERT_LE(best, std::min(columns, most));
              // Bytes, then channels per NPU, then the width itself.
              auto cost = [&](int64_t w) {
                return std::tuple(rowBytes(columns, w, bytes, start, target),
                                  (start + (columns + w - 1) / w - 1) / npus,
                                  w);
              };
              for (int64_t w = 1; w <= std::min(columns, most); ++w)
                ASSERT_LE(cost(best), cost(w))
                    << columns << " columns of " << bytes << " on " << npus
                    << " from " << start << ", width " << w;
            }
}

// L16, L18
TEST(MatrixWidth, CountsPackedElements) {
  // 32 packed elements of 4N are a unit: two block rows of channels of 31 take
  // less than one of 91, as with a unit of 128 elements they would not.
  TensorLayout layout = matrixBuilder(8, 182, 182)
                            .mode(Mode::FourN)
                            .kind(Kind::Matrix)
                            .start(2)
                            .build();
  EXPECT_EQ(bestMatrixWidth(layout), 31);
  EXPECT_EQ(bytesPerNpu(matrixBuilder(8, 182, 31)
                            .mode(Mode::FourN)
                            .kind(Kind::Matrix)
                            .start(2)
                            .build()),
            512);
  EXPECT_EQ(bytesPerNpu(matrixBuilder(8, 182, 91)
                            .mode(Mode::FourN)
                            .kind(Kind::Matrix)
                            .start(2)
                            .build()),
            768);
}

// L16
TEST(MatrixWidth, TheWidestMatrixTakesNoLongSearch) {
  for (int64_t start : {0, 1, 63})
    for (int64_t unit : {4, 16, 128}) {
      Target target = makeTarget(64, 1 << 26, unit);
      for (int64_t most : {INT64_C(128), maxExtent}) {
        int64_t best = bestMatrixWidth(maxExtent, 4, start, target, most);
        int64_t size = rowBytes(maxExtent, best, 4, start, target);
        for (int64_t width : {1, 7, 31, 32, 33, 64, 100, 128})
          EXPECT_LE(size, rowBytes(maxExtent, width, 4, start, target));
        // No layout takes less than its elements.
        EXPECT_GE(size, maxExtent / 64 * 4);
        EXPECT_LT(size, maxExtent / 64 * 4 * 5 / 4);
      }
    }
}

} // namespace
} // namespace mli::layout
