// SPDX-License-Identifier: Apache-2.0
//
// What holds for every layout: on small ones by looking at every byte, on
// random ones by looking at every element. MLI_TEST_FULL=1 tries ten times as
// many.

#include "mli/Layout/Subtensor.h"

#include "RandomLayout.h"

#include <iostream>

namespace mli::layout {
namespace {

template <typename Visit>
void forEachElement(const TensorLayout &layout, Visit visit) {
  Dims at;
  for (at.n = 0; at.n < layout.shape.n; ++at.n)
    for (at.c = 0; at.c < layout.shape.c; ++at.c)
      for (at.h = 0; at.h < layout.shape.h; ++at.h)
        for (at.w = 0; at.w < layout.shape.w; ++at.w)
          if (hasElement(layout, at))
            visit(at);
}

/// Dummies are where no element is, within the memory of the tensor.
int64_t countMisplacedDummies(const TensorLayout &layout,
                              const std::vector<bool> &taken) {
  int64_t mistakes = 0;
  int64_t bytes = bytesPerNpu(layout);
  TensorLayout whole = layout;
  whole.shape.n = packedShape(layout).n * packFactor(layout.mode);
  forEachElement(whole, [&](const Dims &at) {
    if (at.n < layout.shape.n)
      return;
    Location location = locate(layout, at);
    int64_t byte = location.offset - layout.offset;
    bool isInside = byte >= 0 && byte + layout.elementBytes <= bytes;
    mistakes += !isInside || taken[location.npu * bytes + byte];
    ByteContent content = contentAt(layout, location);
    mistakes += content.content != Content::Dummy || content.index != at;
  });
  return mistakes;
}

/// Every element has bytes of its own, where the inverse finds it.
void checkElements(const TensorLayout &layout, std::vector<bool> &taken) {
  int64_t bytes = bytesPerNpu(layout);
  taken.assign(bytes * layout.target.npus, false);
  int64_t size = layout.elementBytes;
  int64_t elements = 0;
  int64_t mistakes = 0;
  forEachElement(layout, [&](const Dims &at) {
    ++elements;
    Location location = locate(layout, at);
    int64_t byte = location.offset - layout.offset;
    mistakes += byte < 0 || byte + size > bytes;
    mistakes += location.npu < 0 || location.npu >= layout.target.npus;
    ByteContent first = contentAt(layout, location);
    mistakes += first.content != Content::Element || first.index != at ||
                first.byte != 0;
    ByteContent last =
        contentAt(layout, {location.npu, location.offset + size - 1});
    mistakes += last.content != Content::Element || last.index != at ||
                last.byte != size - 1;
    for (int64_t i = 0; i < size && mistakes == 0; ++i) {
      auto position = location.npu * bytes + byte + i;
      mistakes += taken[position];
      taken[position] = true;
    }
  });
  EXPECT_EQ(mistakes, 0);
  EXPECT_EQ(elements, countElements(layout));
  if (mistakes == 0) {
    EXPECT_EQ(countMisplacedDummies(layout, taken), 0);
  }
}

void describe(const TensorLayout &layout) {
  if (!testing::Test::HasFailure())
    return;
  std::cerr << toString(layout.kind) << " " << toString(layout.mode) << " "
            << layout.elementBytes << " bytes on " << toString(layout.target)
            << " at " << getAddress(layout) << ", shape and strides "
            << testing::PrintToString(layout.shape) << " "
            << testing::PrintToString(layout.strides) << "\n";
}

// L2, L4, L6, L14, L17, L19, L20, L21, L22
TEST(Property, RandomLayoutsAreInjectiveAndInvertible) {
  Random random(1);
  std::vector<bool> taken;
  for (int i = 0; i < scaled(100000) && !testing::Test::HasFailure(); ++i) {
    TensorLayout layout = randomLayout(random);
    EXPECT_FALSE(verify(layout));
    checkElements(layout, taken);
    describe(layout);
  }
}

/// What a byte of a layout with whole blocks holds, by definition.
Content expectedContent(const TensorLayout &layout, int64_t npu, int64_t byte,
                        bool isElement) {
  if (byte < 0 || byte >= bytesPerNpu(layout))
    return Content::Nothing;
  if (isElement)
    return Content::Element;
  int64_t packed = byte / packedBytes(layout);
  int64_t round = packed / layout.strides.c % channelsPerNpu(layout);
  int64_t channel = round * layout.target.npus + npu - layout.startNpu;
  if (channel < 0 || channel >= layout.shape.c)
    return Content::EmptyBlock;
  bool isPast = packed % layout.strides.c >= layout.shape.h * layout.shape.w;
  return isPast || layout.matrixColumns != 0 ? Content::Padding
                                             : Content::Dummy;
}

/// Every byte of local memory is what it should be.
void checkBytes(const TensorLayout &layout) {
  std::vector<bool> taken;
  checkElements(layout, taken);
  int64_t bytes = bytesPerNpu(layout);
  for (int64_t npu = 0; npu < layout.target.npus; ++npu)
    for (int64_t byte = -8; byte < bytes + 8; ++byte) {
      ByteContent content = contentAt(layout, {npu, layout.offset + byte});
      bool isInside = byte >= 0 && byte < bytes;
      bool isElement = isInside && taken[npu * bytes + byte];
      EXPECT_EQ(content.content == Content::Nothing, !isInside);
      EXPECT_EQ(content.content == Content::Element, isElement);
      bool hasBlocks =
          layout.kind != Kind::Strided &&
          (layout.kind != Kind::Matrix || layout.mode == Mode::None);
      if (hasBlocks) {
        EXPECT_EQ(content.content,
                  expectedContent(layout, npu, byte, isElement));
      }
      if (content.content == Content::Dummy) {
        EXPECT_GE(content.index.n, layout.shape.n);
        EXPECT_EQ(locate(layout, content.index).offset + content.byte,
                  layout.offset + byte);
        EXPECT_EQ(locate(layout, content.index).npu, npu);
      }
      if (testing::Test::HasFailure())
        return;
    }
}

// L5, L15, L19, L22
TEST(Property, EveryByteOfSmallLayouts) {
  Target target = makeTarget(3, 2048, 16);
  for (Mode mode : {Mode::None, Mode::FourN, Mode::TwoN, Mode::TwoIC})
    for (Kind kind : {Kind::Aligned, Kind::Compact})
      for (int64_t start = 0; start < 3; ++start)
        for (int64_t n = 1; n <= 5; ++n)
          for (int64_t c = 1; c <= 5; ++c)
            for (int64_t h = 1; h <= 2; ++h)
              for (int64_t w = 1; w <= 3; ++w) {
                TensorLayout layout;
                layout.mode = mode;
                layout.kind = kind;
                layout.target = target;
                layout.elementBytes =
                    mode == Mode::None ? 2 : getElementBytes(mode);
                layout.startNpu = start;
                layout.offset = 32;
                layout.shape = {n, c, h, w};
                Result<TensorLayout> made = makeLayout(layout);
                ASSERT_TRUE(made) << toString(made.violation());
                checkBytes(*made);
                describe(*made);
                ASSERT_FALSE(testing::Test::HasFailure());
              }
}

// L5, L14, L15, L22
TEST(Property, EveryByteOfSmallMatricesAndExplicitStrides) {
  Random random(2);
  int tried = 0;
  while (tried < scaled(300)) {
    TensorLayout layout = randomLayout(random);
    if (layout.kind != Kind::Matrix && layout.kind != Kind::Strided)
      continue;
    ++tried;
    checkBytes(layout);
    describe(layout);
    ASSERT_FALSE(testing::Test::HasFailure());
  }
}

Dims plus(const Dims &a, const Dims &b) {
  return {a.n + b.n, a.c + b.c, a.h + b.h, a.w + b.w};
}

// L23, L24
TEST(Property, SubtensorCommutesWithIndexing) {
  Random random(3);
  int parts = 0;
  for (int i = 0; i < scaled(100000); ++i) {
    TensorLayout layout = randomLayout(random);
    const Dims &shape = layout.shape;
    Dims offset = {random.in(0, shape.n - 1), random.in(0, shape.c - 1),
                   random.in(0, shape.h - 1), random.in(0, shape.w - 1)};
    Dims extents = {
        random.in(1, shape.n - offset.n), random.in(1, shape.c - offset.c),
        random.in(1, shape.h - offset.h), random.in(1, shape.w - offset.w)};
    if (layout.matrixColumns != 0)
      offset.w = 0, extents.w = shape.w;
    Result<Subtensor> part = subtensor(layout, offset, extents);
    int64_t factor = packFactor(layout.mode);
    bool isCut = offset.n % factor != 0 ||
                 (extents.n % factor != 0 && offset.n + extents.n != shape.n);
    ASSERT_EQ(static_cast<bool>(part), !isCut);
    if (!part)
      continue;
    ++parts;
    std::optional<Violation> problem = verify(part->layout);
    ASSERT_FALSE(problem) << toString(*problem);
    EXPECT_EQ(part->keepsLayout, part->layout.kind == layout.kind);
    forEachElement(part->layout, [&](const Dims &at) {
      ASSERT_TRUE(hasElement(layout, plus(offset, at)));
      ASSERT_EQ(locate(part->layout, at), locate(layout, plus(offset, at)));
    });
    ASSERT_FALSE(testing::Test::HasFailure());
  }
  EXPECT_GT(parts, scaled(100000) / 3);
}

// L26
TEST(Property, AffineMapsGiveTheSameAddresses) {
  Random random(4);
  int maps = 0;
  for (int i = 0; i < scaled(100000); ++i) {
    TensorLayout layout = randomLayout(random);
    std::optional<AffineMap> map = affineMap(layout);
    if (!map)
      continue;
    ++maps;
    forEachElement(layout, [&](const Dims &at) {
      Location location = locate(layout, at);
      ASSERT_EQ(*joinAddress(location, layout.target) / layout.elementBytes,
                map->offset + at.n * map->strides.n + at.c * map->strides.c +
                    at.h * map->strides.h + at.w * map->strides.w);
    });
    ASSERT_FALSE(testing::Test::HasFailure());
  }
  EXPECT_GT(maps, scaled(5000));
}

} // namespace
} // namespace mli::layout
