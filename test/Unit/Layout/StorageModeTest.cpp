// SPDX-License-Identifier: Apache-2.0
//
// The storage modes, with the tensors of the figures.

#include "LayoutBuilder.h"

namespace mli::layout {
namespace {

struct Case {
  Mode mode;
  Dims shape;
  int64_t dummies;
};

class StorageMode : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Modes, StorageMode,
                         testing::Values(Case{Mode::FourN, {6, 5, 4, 5}, 2},
                                         Case{Mode::TwoN, {3, 5, 4, 5}, 1},
                                         Case{Mode::TwoIC, {3, 5, 4, 5}, 1},
                                         Case{Mode::FourN, {8, 5, 4, 5}, 0},
                                         Case{Mode::FourN, {1, 5, 4, 5}, 3},
                                         Case{Mode::TwoIC, {6, 4, 3, 3}, 0}));

// L17, L18, L19, L20, L21
TEST_P(StorageMode, GroupsAreContinuous) {
  const Case &test = GetParam();
  const Dims &shape = test.shape;
  for (Kind kind : {Kind::Aligned, Kind::Compact})
    for (int64_t start = 0; start < 4; ++start) {
      TensorLayout layout =
          LayoutBuilder(shape).mode(test.mode).kind(kind).start(start).build();
      int64_t factor = packFactor(test.mode);
      EXPECT_EQ(packedShape(layout).n, (shape.n + factor - 1) / factor);
      for (int64_t n = 0; n < shape.n; ++n) {
        Dims first = {n / factor * factor, 3, 2, 1};
        Location group = locate(layout, first);
        Location element = locate(layout, {n, 3, 2, 1});
        EXPECT_EQ(element.npu, group.npu);
        EXPECT_EQ(element.offset,
                  group.offset + n % factor * layout.elementBytes);
      }
    }
}

// L19, L20, L21
TEST_P(StorageMode, DummiesFillTheLastGroup) {
  const Case &test = GetParam();
  TensorLayout layout = LayoutBuilder(test.shape).mode(test.mode).build();
  int64_t dummyBytes = 0;
  for (int64_t npu = 0; npu < 4; ++npu)
    for (int64_t byte = 0; byte < bytesPerNpu(layout); ++byte) {
      ByteContent content = contentAt(layout, {npu, byte});
      if (content.content != Content::Dummy)
        continue;
      ++dummyBytes;
      EXPECT_GE(content.index.n, test.shape.n);
    }
  const Dims &shape = test.shape;
  EXPECT_EQ(dummyBytes,
            test.dummies * shape.c * shape.h * shape.w * layout.elementBytes);
}

// L17, L18
TEST(StorageMode, FigureOf4N) {
  TensorLayout layout = LayoutBuilder({6, 5, 4, 5}).mode(Mode::FourN).build();
  EXPECT_EQ(packedShape(layout), (Dims{2, 5, 4, 5}));
  EXPECT_EQ(packedBytes(layout), 4);
  EXPECT_EQ(layout.strides, (Dims{64, 32, 5, 1}));
  EXPECT_EQ(bytesPerNpu(layout), 2 * 64 * 4);
  // The packed element at (1, 0, 0, 0): two elements and two dummies.
  EXPECT_EQ(locate(layout, {4, 0, 0, 0}), (Location{0, 256}));
  EXPECT_EQ(locate(layout, {5, 0, 0, 0}), (Location{0, 257}));
  for (int64_t n : {4, 5, 6, 7}) {
    ByteContent content = contentAt(layout, {0, 252 + n});
    EXPECT_EQ(content.index, (Dims{n, 0, 0, 0}));
    EXPECT_EQ(content.content, n < 6 ? Content::Element : Content::Dummy);
  }
}

// L20
TEST(StorageMode, FigureOf2N) {
  TensorLayout layout = LayoutBuilder({3, 5, 4, 5}).mode(Mode::TwoN).build();
  EXPECT_EQ(packedShape(layout), (Dims{2, 5, 4, 5}));
  EXPECT_EQ(layout.strides, (Dims{64, 32, 5, 1}));
  EXPECT_EQ(locate(layout, {1, 4, 0, 0}), (Location{0, 32 * 4 + 2}));
  // The packed element at (1, 0, 0, 0): one element and a dummy.
  EXPECT_EQ(contentAt(layout, {0, 256}).index, (Dims{2, 0, 0, 0}));
  EXPECT_EQ(contentAt(layout, {0, 256}).content, Content::Element);
  EXPECT_EQ(contentAt(layout, {0, 258}).index, (Dims{3, 0, 0, 0}));
  EXPECT_EQ(contentAt(layout, {0, 258}).content, Content::Dummy);
}

// L21
TEST(StorageMode, TwoInputChannels) {
  TensorLayout layout =
      LayoutBuilder({3, 6, 3, 3}).mode(Mode::TwoIC).kind(Kind::Compact).build();
  EXPECT_EQ(packedShape(layout), (Dims{2, 6, 3, 3}));
  EXPECT_EQ(packedBytes(layout), 8);
  EXPECT_EQ(layout.strides, (Dims{18, 9, 3, 1}));
  EXPECT_EQ(bytesPerNpu(layout), 2 * 18 * 8);
  EXPECT_EQ(locate(layout, {1, 5, 2, 2}), (Location{1, (9 + 8) * 8 + 4}));
  EXPECT_EQ(contentAt(layout, {0, 18 * 8 + 4}).content, Content::Dummy);
}

// L17, L20, L21
TEST(StorageMode, IsForOneElementSize) {
  EXPECT_EQ(LayoutBuilder({6, 5, 4, 5}).mode(Mode::FourN).bytes(2).violation(),
            "expected 'element bytes' to be 1 in this mode, but got 2");
  EXPECT_EQ(LayoutBuilder({6, 5, 4, 5}).mode(Mode::TwoN).bytes(1).violation(),
            "expected 'element bytes' to be 2 in this mode, but got 1");
  EXPECT_EQ(LayoutBuilder({6, 5, 4, 5}).mode(Mode::TwoIC).bytes(2).violation(),
            "expected 'element bytes' to be 4 in this mode, but got 2");
}

// L18
TEST(StorageMode, ExplicitStridesCountPackedElements) {
  TensorLayout layout = LayoutBuilder({6, 5, 2, 2})
                            .mode(Mode::FourN)
                            .strides({40, 20, 8, 3})
                            .build();
  EXPECT_EQ(locate(layout, {5, 4, 1, 1}),
            (Location{0, (40 + 20 + 8 + 3) * 4 + 1}));
  EXPECT_EQ(bytesPerNpu(layout), (40 + 20 + 8 + 3 + 1) * 4);
}

TEST(Names, ReadBack) {
  for (Kind kind : {Kind::Continuous, Kind::Aligned, Kind::Compact,
                    Kind::Matrix, Kind::Strided})
    EXPECT_EQ(parseKind(toString(kind)), kind);
  for (Mode mode : {Mode::None, Mode::FourN, Mode::TwoN, Mode::TwoIC})
    EXPECT_EQ(parseMode(toString(mode)), mode);
  EXPECT_FALSE(parseKind("alined"));
  EXPECT_FALSE(parseMode("3N"));
  EXPECT_EQ(toString(Content::EmptyBlock), "empty block");
}

} // namespace
} // namespace mli::layout
