// SPDX-License-Identifier: Apache-2.0
//
// Requests with absurd numbers: each is refused, or every number of the layout
// is the one that arithmetic of 128 bits gives. The sanitizers see overflows.

#include "RandomLayout.h"

#include "mli/Layout/Subtensor.h"

namespace mli::layout {
namespace {

using Wide = __int128;

/// Mostly small; else at the ends of what the types hold.
int64_t number(Random &random, int64_t most) {
  if (random.in(0, 7) != 0)
    return random.in(1, most);
  return random.oneOf<int64_t>({INT64_MIN, -1, 0, 65535, 65536, maxExtent,
                                maxExtent + 1, int64_t{1} << 32, INT64_MAX - 1,
                                INT64_MAX});
}

Dims numbers(Random &random, int64_t most) {
  return {number(random, most), number(random, most), number(random, most),
          number(random, most)};
}

TensorLayout randomRequest(Random &random) {
  TensorLayout request;
  request.kind = random.oneOf({Kind::Continuous, Kind::Aligned, Kind::Compact,
                               Kind::Matrix, Kind::Strided});
  request.mode = random.oneOf(
      {Mode::None, Mode::None, Mode::FourN, Mode::TwoN, Mode::TwoIC});
  request.elementBytes = random.in(0, 7) == 0 ? number(random, 16)
                         : request.mode == Mode::None
                             ? random.oneOf<int64_t>({1, 2, 4, 8})
                             : getElementBytes(request.mode);
  request.shape = numbers(random, 4);
  request.strides = numbers(random, 100);
  request.startNpu = random.in(0, 7) == 0 ? number(random, 3) : 0;
  request.offset = random.in(0, 7) == 0 ? number(random, 4096)
                                        : int64_t{128} * random.in(0, 3);
  request.target = {number(random, 5), int64_t{1} << random.in(10, 31), 1,
                    int64_t{1} << random.in(0, 8), 4};
  if (random.in(0, 15) == 0)
    request.target.npuBytes = number(random, 65536);
  if (request.kind == Kind::Matrix || random.in(0, 15) == 0)
    request.matrixColumns =
        random.in(0, 3) == 0
            ? number(random, 40)
            : static_cast<int64_t>(Wide(request.shape.c) * request.shape.w);
  if (request.kind == Kind::Matrix && random.in(0, 7) != 0)
    request.shape.h = 1;
  return request;
}

/// The byte after an element, from the start of its NPU.
Wide getEnd(const TensorLayout &layout, const Dims &at) {
  const Dims &strides = layout.strides;
  int64_t factor = packFactor(layout.mode);
  Wide packed =
      Wide(at.n / factor) * strides.n +
      Wide((layout.startNpu + at.c) / layout.target.npus) * strides.c +
      Wide(at.h) * strides.h + Wide(at.w) * strides.w;
  return layout.offset + packed * factor * layout.elementBytes +
         Wide(at.n % factor + 1) * layout.elementBytes;
}

void checkLegal(const TensorLayout &layout) {
  std::optional<Violation> problem = verify(layout);
  EXPECT_FALSE(problem) << toString(*problem) << ", " << toString(layout.kind)
                        << " " << testing::PrintToString(layout.shape) << " "
                        << testing::PrintToString(layout.strides) << " at "
                        << layout.offset << " on " << toString(layout.target);
  EXPECT_GE(bytesPerNpu(layout), 1);
  EXPECT_LE(Wide(layout.offset) + bytesPerNpu(layout), layout.target.npuBytes);
  const Dims &shape = layout.shape;
  Dims last = {shape.n - 1, shape.c - 1, shape.h - 1, shape.w - 1};
  if (layout.matrixColumns != 0)
    last = matrixIndex(layout, shape.n - 1, layout.matrixColumns - 1);
  ASSERT_TRUE(hasElement(layout, last));
  EXPECT_TRUE(getEnd(layout, last) <= layout.target.npuBytes);
  Location place = locate(layout, last);
  EXPECT_TRUE(place.offset + layout.elementBytes == getEnd(layout, last));
  EXPECT_EQ(contentAt(layout, place).index, last);
  EXPECT_TRUE(joinAddress(place, layout.target));
}

// L22
TEST(Extreme, RequestsAreRefusedOrExact) {
  Random random(21);
  int legal = 0;
  int count = scaled(100000);
  for (int i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    TensorLayout request = randomRequest(random);
    Result<TensorLayout> made = makeLayout(request);
    // The same rules hold for strides that are there already.
    std::optional<Violation> problem = verify(made ? *made : request);
    EXPECT_EQ(made && problem, false);
    if (!made)
      continue;
    ++legal;
    checkLegal(*made);
    Dims offset = numbers(random, 2);
    Dims extents = numbers(random, 3);
    if (Result<Subtensor> part = subtensor(*made, offset, extents))
      checkLegal(part->layout);
  }
  EXPECT_GT(legal, count / 50);
}

// L1, L22
TEST(Extreme, AddressesAndStridesAreRefusedOrExact) {
  Random random(22);
  for (int i = 0; i < scaled(100000); ++i) {
    TensorLayout request = randomRequest(random);
    const Target &target = request.target;
    const Dims &shape = request.shape;
    if (Result<Location> place =
            splitAddress(number(random, 1 << 20), target)) {
      EXPECT_TRUE(joinAddress(*place, target));
    }
    if (Result<Dims> strides =
            compactStrides(shape, request.startNpu, target)) {
      EXPECT_TRUE(Wide(strides->n) ==
                  Wide(shape.h) * shape.w *
                      channelsPerNpu(request.startNpu, shape.c, target.npus));
    }
    if (Result<Dims> strides = continuousStrides(shape)) {
      EXPECT_TRUE(Wide(strides->n) == Wide(shape.h) * shape.w * shape.c);
    }
    if (Result<Dims> strides = alignedStrides(shape, request.elementBytes,
                                              request.startNpu, target)) {
      EXPECT_GE(strides->c, shape.h * shape.w);
    }
    if (Result<Dims> matrix = matrixShape(shape.n, shape.c, shape.w)) {
      EXPECT_TRUE(Wide(matrix->c) * shape.w >= shape.c);
    }
    ASSERT_FALSE(testing::Test::HasFailure());
  }
}

} // namespace
} // namespace mli::layout
