// SPDX-License-Identifier: Apache-2.0
//
// The continuous, aligned and compact layouts, and what all of them keep to.

#include "LayoutBuilder.h"

namespace mli::layout {
namespace {

// L8, L9
TEST(Continuous, Strides) {
  EXPECT_EQ(*continuousStrides({2, 3, 4, 5}), (Dims{60, 20, 5, 1}));
  TensorLayout layout = LayoutBuilder({2, 3, 4, 5})
                            .kind(Kind::Continuous)
                            .target(makeTarget(1, 16384))
                            .start(0, 8)
                            .build();
  EXPECT_EQ(layout.strides, (Dims{60, 20, 5, 1}));
  EXPECT_EQ(locate(layout, {1, 2, 3, 4}), wordAt(0, 2 + 119));
  EXPECT_EQ(bytesPerNpu(layout), 480);
}

// L9
TEST(Continuous, IsOfSystemMemory) {
  EXPECT_EQ(LayoutBuilder({2, 3, 4, 5}).kind(Kind::Continuous).violation(),
            "expected 'npus' to be 1 for system memory, but got 4");
}

// L10, L11, L22
TEST(Aligned, FromNpu0) {
  TensorLayout layout = LayoutBuilder({2, 3, 4, 5}).build();
  EXPECT_EQ(channelsPerNpu(layout), 1);
  EXPECT_EQ(layout.strides, (Dims{32, 32, 5, 1}));
  EXPECT_EQ(bytesPerNpu(layout), 2 * 32 * 4);
  EXPECT_EQ(contentAt(layout, wordAt(0, 19)).content, Content::Element);
  EXPECT_EQ(contentAt(layout, wordAt(0, 20)).content, Content::Padding);
  EXPECT_EQ(contentAt(layout, {0, 127}).content, Content::Padding);
  EXPECT_EQ(contentAt(layout, wordAt(0, 32)).index, (Dims{1, 0, 0, 0}));
  EXPECT_EQ(contentAt(layout, {3, 0}).content, Content::EmptyBlock);
  EXPECT_EQ(contentAt(layout, {0, 256}).content, Content::Nothing);
}

// L11, L22
TEST(Aligned, FromNpu2) {
  TensorLayout layout = LayoutBuilder({2, 3, 4, 5}).start(2).build();
  EXPECT_EQ(channelsPerNpu(layout), 2);
  EXPECT_EQ(layout.strides, (Dims{64, 32, 5, 1}));
  EXPECT_EQ(bytesPerNpu(layout), 2 * 64 * 4);
  EXPECT_EQ(locate(layout, {0, 2, 0, 0}), wordAt(0, 32));
}

// L11
TEST(Aligned, StridesOfEveryElementSize) {
  Target target = makeTarget(4, 16384);
  EXPECT_EQ(alignedStrides({1, 1, 4, 5}, 4, 0, target)->c, 32);
  EXPECT_EQ(alignedStrides({1, 1, 4, 5}, 2, 0, target)->c, 64);
  EXPECT_EQ(alignedStrides({1, 1, 4, 5}, 1, 0, target)->c, 128);
  EXPECT_EQ(alignedStrides({1, 1, 8, 16}, 1, 0, target)->c, 128);
  EXPECT_EQ(alignedStrides({1, 1, 3, 43}, 1, 0, target)->c, 256);
}

// L11
TEST(Aligned, UnitIsOfTheTarget) {
  for (int64_t unit : {1, 2, 16, 64, 128})
    EXPECT_EQ(alignedStrides({1, 1, 4, 5}, 4, 0, makeTarget(4, 1024, unit))->c,
              (std::max<int64_t>(unit, 4) + 79) / std::max<int64_t>(unit, 4) *
                  std::max<int64_t>(unit, 4) / 4);
}

// L10
TEST(Aligned, AddressIsDivisibleByUnit) {
  EXPECT_EQ(LayoutBuilder({2, 3, 4, 5}).start(1, 64).violation(),
            "expected 'address' to be divisible by 128, but got 16448");
  EXPECT_TRUE(LayoutBuilder({2, 3, 4, 5})
                  .target(makeTarget(4, 16384, 64))
                  .start(1, 64)
                  .tryBuild());
}

// L12, L13, L22
TEST(Compact, FromNpu0) {
  TensorLayout layout = LayoutBuilder({2, 3, 4, 5}).kind(Kind::Compact).build();
  EXPECT_EQ(layout.strides, (Dims{20, 20, 5, 1}));
  EXPECT_EQ(bytesPerNpu(layout), 160);
  EXPECT_EQ(locate(layout, {1, 2, 3, 4}), wordAt(2, 39));
}

// L13, L22
TEST(Compact, FromNpu2) {
  TensorLayout layout =
      LayoutBuilder({2, 3, 4, 5}).kind(Kind::Compact).start(2).build();
  EXPECT_EQ(layout.strides, (Dims{40, 20, 5, 1}));
  EXPECT_EQ(bytesPerNpu(layout), 320);
  EXPECT_EQ(locate(layout, {1, 2, 3, 4}), wordAt(0, 79));
}

// L12
TEST(Compact, AddressIsDivisibleBy4) {
  EXPECT_EQ(LayoutBuilder({2, 3, 4, 5})
                .kind(Kind::Compact)
                .bytes(1)
                .start(0, 6)
                .violation(),
            "expected 'address' to be divisible by 4, but got 6");
}

// L38
TEST(Address, IsDivisibleByTheElement) {
  LayoutBuilder builder({2, 3, 4, 5});
  EXPECT_EQ(builder.bytes(8).kind(Kind::Compact).start(0, 4).violation(),
            "expected 'address' to be divisible by 8, but got 4");
  EXPECT_EQ(builder.kind(Kind::Aligned)
                .target(makeTarget(4, 16384, 2))
                .start(0, 2)
                .violation(),
            "expected 'address' to be divisible by 8, but got 2");
  EXPECT_EQ(builder.bytes(4).strides({60, 60, 5, 1}).start(0, 6).violation(),
            "expected 'address' to be divisible by 4, but got 6");
  EXPECT_EQ(builder.target({4, 1002, 1, 1, 1}).start(0, 0).violation(),
            "expected 'npu-bytes' to be divisible by 4, but got 1002");
}

// L22
TEST(Footprint, EndsWithinTheNpu) {
  LayoutBuilder builder({2, 3, 4, 5});
  builder.kind(Kind::Compact).start(2);
  EXPECT_TRUE(builder.start(2, 16384 - 320).tryBuild());
  EXPECT_EQ(builder.start(2, 16384 - 316).violation(),
            "expected 'bytes_per_npu' to be at most 316, but got 320");
}

// L22
TEST(Footprint, OverflowIsRefused) {
  int64_t most = maxExtent;
  EXPECT_EQ(LayoutBuilder({most, most, most, most}).violation(),
            "expected 'n stride' to be at most 9223372036854775806, but got "
            "9223372036854775807");
  EXPECT_EQ(LayoutBuilder({1, 1, most, most}).violation(),
            "expected 'bytes_per_npu' to be at most 16384, but got "
            "9223372036854775807");
  EXPECT_EQ(LayoutBuilder({2, 2, 2, 2})
                .strides({INT64_MAX, 1, 8, 4})
                .target(makeTarget(1, 1024))
                .violation(),
            "expected 'bytes_per_npu' to be at most 1024, but got "
            "9223372036854775807");
  EXPECT_FALSE(continuousStrides({1, most, most, most}));
  EXPECT_FALSE(compactStrides({1, most, most, most}, 0, makeTarget(1, 1024)));
}

TEST(Shape, ExtentsArePositive) {
  EXPECT_EQ(LayoutBuilder({1, 0, 1, 1}).violation(),
            "expected 'shape.c' to be at least 1, but got 0");
  EXPECT_EQ(LayoutBuilder({1, 1, 1, INT64_MAX}).violation(),
            "expected 'shape.w' to be at most 2147483647, but got "
            "9223372036854775807");
  EXPECT_EQ(LayoutBuilder({1, 1, 1, 1}).bytes(3).violation(),
            "expected 'element bytes' to be a power of 2, but got 3");
  EXPECT_EQ(LayoutBuilder({1, 1, 1, 1}).start(4).violation(),
            "expected 'start_npu' to be at most 3, but got 4");
}

// L7
TEST(Verify, ComparesStridesThatMakeSense) {
  TensorLayout layout = LayoutBuilder({2, 3, 1, 5}).build();
  layout.strides.h = 77;
  layout.strides.c = 99;
  EXPECT_FALSE(verify(layout));
  layout.strides.n = 33;
  EXPECT_EQ(toString(*verify(layout)),
            "expected 'n stride' to be 32, but got 33");
  EXPECT_FALSE(isInLayout(layout));
}

// L26
TEST(Affine, ChannelsThatDoNotGoRound) {
  TensorLayout layout = LayoutBuilder({2, 3, 4, 5}).start(1, 256).build();
  std::optional<AffineMap> map = affineMap(layout);
  ASSERT_TRUE(map);
  EXPECT_EQ(map->offset, 4096 + 64);
  EXPECT_EQ(map->strides, (Dims{32, 4096, 5, 1}));
  EXPECT_FALSE(affineMap(LayoutBuilder({2, 3, 4, 5}).start(2).build()));
}

// L26
TEST(Affine, OneNpu) {
  TensorLayout layout =
      LayoutBuilder({2, 9, 4, 5}).target(makeTarget(1, 16384)).build();
  ASSERT_TRUE(affineMap(layout));
  EXPECT_EQ(affineMap(layout)->strides, (Dims{288, 32, 5, 1}));
}

// L26
TEST(Affine, StorageModeOfOneGroup) {
  TensorLayout layout = LayoutBuilder({4, 3, 4, 5}).mode(Mode::FourN).build();
  ASSERT_TRUE(affineMap(layout));
  EXPECT_EQ(affineMap(layout)->strides, (Dims{1, 16384, 20, 4}));
  EXPECT_FALSE(
      affineMap(LayoutBuilder({5, 3, 4, 5}).mode(Mode::FourN).build()));
}

// L26
TEST(Affine, MatrixOfOneChannel) {
  EXPECT_TRUE(affineMap(matrixBuilder(2, 40, 40).build()));
  EXPECT_FALSE(affineMap(matrixBuilder(2, 40, 10).build()));
}

} // namespace
} // namespace mli::layout
