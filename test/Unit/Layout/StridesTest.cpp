// SPDX-License-Identifier: Apache-2.0
//
// What strides lead to, in local and in system memory; explicit ones.

#include "LayoutBuilder.h"

namespace mli::layout {
namespace {

// L6, L7, L22
TEST(Strides, FirstExample) {
  TensorLayout layout =
      LayoutBuilder({2, 5, 3, 4}).strides({120, 56, 16, 2}).build();
  EXPECT_EQ(locate(layout, {0, 0, 0, 3}), wordAt(0, 6));
  EXPECT_EQ(locate(layout, {0, 0, 2, 0}), wordAt(0, 32));
  EXPECT_EQ(locate(layout, {0, 3, 0, 0}), (Location{3, 0}));
  EXPECT_EQ(locate(layout, {0, 4, 0, 0}), wordAt(0, 56));
  EXPECT_EQ(locate(layout, {1, 4, 2, 3}), wordAt(0, 120 + 56 + 32 + 6));
  EXPECT_EQ(bytesPerNpu(layout), (120 + 56 + 32 + 6 + 1) * 4);
  EXPECT_EQ(contentAt(layout, {0, 4}).content, Content::Padding);
  EXPECT_EQ(contentAt(layout, wordAt(1, 56)).content, Content::EmptyBlock);
}

// L6, L7, L22
TEST(Strides, SecondExampleIgnoresStridesWithoutSense) {
  for (int64_t senseless : {0, 1, 7, 100000}) {
    TensorLayout layout = LayoutBuilder({2, 3, 1, 10})
                              .strides({120, senseless, senseless, 2})
                              .start(1)
                              .build();
    EXPECT_EQ(channelsPerNpu(layout), 1);
    EXPECT_EQ(locate(layout, {0, 0, 0, 0}), (Location{1, 0}));
    EXPECT_EQ(locate(layout, {1, 2, 0, 9}), wordAt(3, 120 + 18));
    EXPECT_EQ(bytesPerNpu(layout), (120 + 18 + 1) * 4);
    EXPECT_EQ(contentAt(layout, {0, 0}).content, Content::EmptyBlock);
  }
}

/// The elements from index 0 to `index`, which is in the same NPU.
int64_t stepTo(const TensorLayout &layout, const Dims &index) {
  Location first = locate(layout, {0, 0, 0, 0});
  Location next = locate(layout, index);
  EXPECT_EQ(next.npu, first.npu);
  return (next.offset - first.offset) / layout.elementBytes;
}

// L6
TEST(Strides, LeadToTheNextOfEachDimension) {
  for (int64_t start = 0; start < 4; ++start) {
    TensorLayout layout = LayoutBuilder({2, 9, 3, 4})
                              .strides({190, 60, 16, 3})
                              .bytes(2)
                              .start(start, 64)
                              .build();
    EXPECT_EQ(stepTo(layout, {1, 0, 0, 0}), 190);
    EXPECT_EQ(stepTo(layout, {0, 4, 0, 0}), 60);
    EXPECT_EQ(stepTo(layout, {0, 8, 0, 0}), 120);
    EXPECT_EQ(stepTo(layout, {0, 0, 1, 0}), 16);
    EXPECT_EQ(stepTo(layout, {0, 0, 0, 1}), 3);
  }
}

// L6, L8
TEST(Strides, InSystemMemoryLeadToTheNextChannel) {
  TensorLayout layout = LayoutBuilder({2, 9, 3, 4})
                            .strides({600, 60, 16, 3})
                            .target(makeTarget(1, 16384))
                            .build();
  EXPECT_EQ(stepTo(layout, {1, 0, 0, 0}), 600);
  EXPECT_EQ(stepTo(layout, {0, 1, 0, 0}), 60);
  EXPECT_EQ(stepTo(layout, {0, 0, 1, 0}), 16);
  EXPECT_EQ(stepTo(layout, {0, 0, 0, 1}), 3);
}

// L7, L8
TEST(Strides, MakeNoSenseWhereThereIsNothingToStepOver) {
  const Dims shape = {2, 3, 4, 5};
  for (int64_t npus : {1, 4})
    for (int64_t Dims::*dim : {&Dims::n, &Dims::c, &Dims::h, &Dims::w}) {
      Dims one = shape;
      one.*dim = 1;
      TensorLayout layout =
          LayoutBuilder(one).target(makeTarget(npus, 16384)).build();
      Dims last = {one.n - 1, one.c - 1, one.h - 1, one.w - 1};
      Location place = locate(layout, last);
      int64_t bytes = bytesPerNpu(layout);
      layout.strides.*dim = 12345;
      EXPECT_FALSE(verify(layout));
      EXPECT_TRUE(isInLayout(layout));
      EXPECT_EQ(locate(layout, last), place);
      EXPECT_EQ(bytesPerNpu(layout), bytes);
      EXPECT_EQ(contentAt(layout, place).index, last);
    }
  // With several channels per NPU that of C does.
  TensorLayout round = LayoutBuilder({1, 5, 4, 5}).build();
  round.strides.c = 12345;
  EXPECT_EQ(toString(*verify(round)),
            "expected 'c stride' to be 32, but got 12345");
}

// L25
TEST(Strides, KeepElementsApart) {
  EXPECT_EQ(LayoutBuilder({2, 5, 3, 4}).strides({120, 56, 6, 2}).violation(),
            "expected 'h stride' to be at least 7, but got 6");
  EXPECT_EQ(LayoutBuilder({2, 5, 3, 4}).strides({120, 56, 16, 0}).violation(),
            "expected 'w stride' to be at least 1, but got 0");
  EXPECT_EQ(LayoutBuilder({2, 5, 3, 4}).strides({120, 56, -16, 1}).violation(),
            "expected 'h stride' to be at least 0, but got -16");
  // Any order is fine.
  EXPECT_TRUE(LayoutBuilder({2, 5, 3, 4}).strides({1, 2, 16, 4}).tryBuild());
}

} // namespace
} // namespace mli::layout
