// SPDX-License-Identifier: Apache-2.0
//
// The layout that the policy chooses, with bytes counted by hand.

#include "mli/Layout/Policy.h"
#include "mli/Layout/MatrixWidth.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <random>

namespace mli::layout {
namespace {

using testing::ElementsAre;

/// 64 NPUs, units of 128 bytes.
const Target wide;
/// 4 NPUs of 16 KiB, units of 128 bytes.
const Target narrow = {4, 16384, 1, 128, 4};
/// One NPU.
const Target single = {1, 262144, 1, 16, 16};

LocalTensorDesc use(OperandUsage role, std::vector<int64_t> shape,
                    int64_t bytes = 1) {
  return {role, std::move(shape), bytes};
}

// O1, O2
TEST(Policy, MapIsAlignedWhereThatAtMostDoublesIt) {
  LayoutChoice choice = chooseLayout(use(OperandUsage::Map, {8, 8, 100}), wide);
  EXPECT_EQ(choice.kind, Kind::Aligned);
  EXPECT_THAT(choice.dims, ElementsAre(Dim::H, Dim::W, Dim::C));
  // 100 channels in 2 block rows of one unit.
  EXPECT_EQ(localBytes(use(OperandUsage::Map, {8, 8, 100}), wide).bytes,
            2 * 128);
  EXPECT_EQ(chooseLayout(use(OperandUsage::Map, {7, 9, 100}), wide).kind,
            Kind::Compact);
  EXPECT_EQ(localBytes(use(OperandUsage::Map, {7, 9, 100}), wide).bytes,
            2 * 63);
}

// O2
TEST(Policy, LowRanksAreTheLastDimensionsOfMaps) {
  EXPECT_THAT(chooseLayout(use(OperandUsage::Map, {3, 8, 8, 5}), wide).dims,
              ElementsAre(Dim::N, Dim::H, Dim::W, Dim::C));
  EXPECT_THAT(chooseLayout(use(OperandUsage::Map, {8, 5}), wide).dims,
              ElementsAre(Dim::W, Dim::C));
  EXPECT_THAT(chooseLayout(use(OperandUsage::Map, {5}), wide).dims,
              ElementsAre(Dim::C));
  EXPECT_THAT(chooseLayout(use(OperandUsage::Map, {}), wide).dims,
              ElementsAre());
  EXPECT_EQ(localBytes(use(OperandUsage::Map, {}, 2), wide).bytes, 2);
}

// O2
TEST(Policy, NumbersOfChannelsAreCompact) {
  LocalTensorDesc bias = use(OperandUsage::Channels, {4, 200}, 4);
  LayoutChoice choice = chooseLayout(bias, wide);
  EXPECT_EQ(choice.kind, Kind::Compact);
  EXPECT_THAT(choice.dims, ElementsAre(Dim::W, Dim::C));
  EXPECT_EQ(localBytes(bias, wide).bytes, 4 * 4 * 4);
  // However large they are.
  EXPECT_EQ(chooseLayout(use(OperandUsage::Channels, {256, 4}, 4), wide).kind,
            Kind::Compact);
}

// O3
TEST(Policy, FiltersAreCompactByInputChannels) {
  LocalTensorDesc filters = use(OperandUsage::Filters, {16, 8, 24, 70});
  LayoutChoice choice = chooseLayout(filters, wide);
  EXPECT_EQ(choice.kind, Kind::Compact);
  EXPECT_THAT(choice.dims, ElementsAre(Dim::H, Dim::W, Dim::N, Dim::C));
  EXPECT_EQ(localBytes(filters, wide).bytes, 24 * 2 * 128);
}

// O1, O4, O5
TEST(Policy, ProductIsAMatrixWhereItsRowsFillUnits) {
  // 64 columns in each of 64 channels, half a unit.
  LayoutChoice full =
      chooseLayout(use(OperandUsage::Product, {10, 4096}), wide);
  EXPECT_EQ(full.kind, Kind::Matrix);
  EXPECT_EQ(full.columns, 64);
  EXPECT_THAT(full.dims, ElementsAre(Dim::N, Dim::W));
  EXPECT_EQ(localBytes(use(OperandUsage::Product, {10, 4096}), wide).bytes,
            10 * 128);
  LayoutChoice part =
      chooseLayout(use(OperandUsage::Product, {10, 4032}), wide);
  EXPECT_EQ(part.kind, Kind::Compact);
  EXPECT_THAT(part.dims, ElementsAre(Dim::N, Dim::C));
  EXPECT_EQ(localBytes(use(OperandUsage::Product, {10, 4032}), wide).bytes,
            10 * 63);
}

// O5
TEST(Policy, ChannelsOfAMatrixHaveUpTo128Columns) {
  EXPECT_EQ(chooseLayout(use(OperandUsage::Product, {2, 512}), narrow).columns,
            128);
  EXPECT_LE(
      chooseLayout(use(OperandUsage::Product, {2, 70000}), narrow).columns,
      128);
}

// O5
TEST(Policy, MatricesMayBeAskedFor) {
  PolicyOptions options;
  options.usesMatrices = true;
  LocalTensorDesc row = use(OperandUsage::Row, {100});
  EXPECT_EQ(chooseLayout(row, wide).kind, Kind::Compact);
  LayoutChoice choice = chooseLayout(row, wide, options);
  EXPECT_EQ(choice.kind, Kind::Matrix);
  EXPECT_THAT(choice.dims, ElementsAre(Dim::W));
  EXPECT_EQ(choice.columns, 2);
  EXPECT_EQ(localBytes(row, wide, options).bytes, 128);
  EXPECT_EQ(
      localBytes(use(OperandUsage::Product, {100, 10}), wide, options).bytes,
      100 * 128);
  // Not of what the instruction does not take.
  EXPECT_EQ(chooseLayout(use(OperandUsage::Row, {8, 8, 2}), wide, options).kind,
            Kind::Aligned);
  EXPECT_EQ(chooseLayout(use(OperandUsage::Map, {8, 2}), wide, options).kind,
            Kind::Compact);
}

// O4
TEST(Policy, WeightsOfCellsAreCompact) {
  LocalTensorDesc weights = use(OperandUsage::Product, {4, 16, 130}, 2);
  LayoutChoice choice = chooseLayout(weights, wide);
  EXPECT_EQ(choice.kind, Kind::Compact);
  EXPECT_THAT(choice.dims, ElementsAre(Dim::H, Dim::N, Dim::C));
  EXPECT_EQ(localBytes(weights, wide).bytes, 16 * 3 * 4 * 2);
}

// O6
TEST(Policy, OneNpuIsContinuous) {
  for (OperandUsage role : {OperandUsage::Map, OperandUsage::Channels,
                            OperandUsage::Filters, OperandUsage::Product}) {
    LayoutChoice choice = chooseLayout(use(role, {3, 5, 7, 2}, 2), single);
    EXPECT_EQ(choice.kind, Kind::Continuous);
    EXPECT_EQ(choice.mode, Mode::None);
    EXPECT_THAT(choice.dims, ElementsAre(Dim::N, Dim::C, Dim::H, Dim::W));
    EXPECT_EQ(localBytes(use(role, {3, 5, 7, 2}, 2), single).bytes, 420);
  }
  EXPECT_THAT(chooseLayout(use(OperandUsage::Map, {5, 7, 2}), single).dims,
              ElementsAre(Dim::C, Dim::H, Dim::W));
}

// O7
TEST(Policy, BatchIsPackedWhereThatTakesFewerBytes) {
  // 150 bytes in two units, four times; or 600 in five.
  LocalTensorDesc batch = use(OperandUsage::Map, {4, 10, 15, 3});
  EXPECT_EQ(chooseLayout(batch, wide).mode, Mode::FourN);
  EXPECT_EQ(bytesPerNpu(arrange(batch, chooseLayout(batch, wide), wide)), 640);
  // Nobody counts on that: three images take 768.
  EXPECT_EQ(localBytes(batch, wide).bytes, 4 * 256);
  batch.cutsGroups = true;
  EXPECT_EQ(chooseLayout(batch, wide).mode, Mode::None);
  // 128 bytes fill their unit anyway.
  EXPECT_EQ(chooseLayout(use(OperandUsage::Map, {4, 8, 16, 3}), wide).mode,
            Mode::None);
  EXPECT_EQ(chooseLayout(use(OperandUsage::Map, {3, 10, 15, 3}), wide).mode,
            Mode::None);
  EXPECT_EQ(chooseLayout(use(OperandUsage::Map, {2, 7, 10, 3}, 2), wide).mode,
            Mode::TwoN);
}

// O7
TEST(Policy, StorageModesMayBeAskedFor) {
  PolicyOptions options;
  options.mode = Mode::FourN;
  LocalTensorDesc map = use(OperandUsage::Map, {8, 8, 3});
  EXPECT_EQ(chooseLayout(map, wide, options).mode, Mode::FourN);
  EXPECT_EQ(localBytes(map, wide, options).bytes, 4 * 64);
  map.elementBytes = 2;
  EXPECT_EQ(chooseLayout(map, wide, options).mode, Mode::None);
  EXPECT_EQ(chooseLayout(use(OperandUsage::Channels, {8}), wide, options).mode,
            Mode::None);
  EXPECT_EQ(
      chooseLayout(use(OperandUsage::Map, {8, 8, 3}), single, options).mode,
      Mode::None);
}

// O8
TEST(Policy, StartsWhereBlockRowsAreFew) {
  auto lastOf = [](const LocalTensorDesc &use,
                   const PolicyOptions &options = {}) {
    return lastStartNpu(
        arrange(use, chooseLayout(use, narrow, options), narrow));
  };
  EXPECT_EQ(lastOf(use(OperandUsage::Map, {8, 16, 1})), 3);
  EXPECT_EQ(lastOf(use(OperandUsage::Map, {8, 16, 3})), 1);
  EXPECT_EQ(lastOf(use(OperandUsage::Map, {8, 16, 4})), 0);
  EXPECT_EQ(lastOf(use(OperandUsage::Map, {8, 16, 6})), 2);
  PolicyOptions packed;
  packed.mode = Mode::FourN;
  EXPECT_EQ(lastOf(use(OperandUsage::Map, {8, 16, 6}), packed), 0);
}

// O8, O9
TEST(Policy, BytesAreThoseOfEveryStart) {
  for (int64_t channels = 1; channels <= 9; ++channels) {
    LocalTensorDesc map = use(OperandUsage::Map, {8, 16, channels});
    LayoutChoice choice = chooseLayout(map, narrow);
    int64_t last = lastStartNpu(arrange(map, choice, narrow));
    for (int64_t start = 0; start < narrow.npus; ++start) {
      bool isSame = bytesPerNpu(arrange(map, choice, narrow, start)) ==
                    localBytes(map, narrow).bytes;
      EXPECT_EQ(isSame, start <= last) << channels << " from " << start;
    }
  }
}

// O9
TEST(Policy, BytesAreExactBeyondTheMemory) {
  EXPECT_EQ(localBytes(use(OperandUsage::Map, {224, 224, 64}), narrow).bytes,
            16 * 224 * 224);
  int64_t most = maxExtent;
  EXPECT_EQ(
      localBytes(use(OperandUsage::Filters, {most, most, most, 8}), narrow)
          .bytes,
      INT64_MAX);
}

/// A random tensor and target, shapes such that all of them round.
struct Sample {
  LocalTensorDesc use;
  Target target;
  PolicyOptions options;
};

Sample makeSample(std::mt19937 &random) {
  auto below = [&](int64_t end) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(end));
  };
  Sample sample;
  constexpr OperandUsage roles[] = {OperandUsage::Map, OperandUsage::Channels,
                                    OperandUsage::Filters,
                                    OperandUsage::Product, OperandUsage::Row};
  sample.use.role = roles[below(5)];
  sample.use.elementBytes = int64_t{1} << below(3);
  int64_t rank = sample.use.role == OperandUsage::Filters ? 4 : 1 + below(4);
  for (int64_t i = 0; i < rank; ++i)
    sample.use.shape.push_back(1 + below(int64_t{1} << below(11)));
  sample.target.npus = int64_t{1} << below(7);
  sample.target.unit = int64_t{1} << below(11);
  // Where batches become whole groups, and channels of a matrix whole.
  if (rank == 4)
    sample.use.shape.front() = 1 + below(8);
  if (rank == 2 && below(2) == 0)
    sample.use.shape.back() =
        sample.target.npus * maxProductWidth * (1 + below(3)) - below(2);
  constexpr Mode modes[] = {Mode::None, Mode::None, Mode::FourN, Mode::TwoN};
  sample.options = {modes[below(4)], below(4) == 0};
  return sample;
}

// O9
TEST(Policy, LargerTensorsTakeNoFewerBytes) {
  std::mt19937 random(7);
  for (int i = 0; i < 200000; ++i) {
    Sample sample = makeSample(random);
    LocalTensorDesc larger = sample.use;
    ++larger.shape[random() % larger.shape.size()];
    ASSERT_LE(localBytes(sample.use, sample.target, sample.options).bytes,
              localBytes(larger, sample.target, sample.options).bytes)
        << testing::PrintToString(sample.use.shape) << " and "
        << testing::PrintToString(larger.shape) << " of "
        << toString(sample.use.role) << ", " << larger.elementBytes
        << " bytes, on " << toString(sample.target);
  }
}

// O1, O7, O9
TEST(Policy, ChoicesAreLegalAndAccepted) {
  std::mt19937 random(8);
  int placed = 0;
  for (int i = 0; i < 50000; ++i) {
    auto [use, target, options] = makeSample(random);
    target.npuBytes = (int64_t{1} << 32) / target.npus;
    LayoutChoice choice = chooseLayout(use, target, options);
    TensorLayout layout = arrange(use, choice, target);
    int64_t bytes = bytesPerNpu(layout);
    EXPECT_LE(bytes, localBytes(use, target, options).bytes);
    EXPECT_TRUE(isAccepted(choice, use, target, options));
    EXPECT_EQ(bytes <= target.npuBytes, verify(layout) == std::nullopt);
    placed += bytes <= target.npuBytes;
  }
  EXPECT_GT(placed, 25000);
}

// L30
TEST(Policy, OffsetsAreAligned) {
  EXPECT_EQ(localBytes(use(OperandUsage::Map, {8, 8, 3}), wide).alignment, 128);
  EXPECT_EQ(localBytes(use(OperandUsage::Channels, {3}), wide).alignment, 4);
  EXPECT_EQ(localBytes(use(OperandUsage::Map, {3}), single).alignment, 16);
}

TEST(Policy, SaysWhatItChoseFrom) {
  EXPECT_EQ(explainChoice(use(OperandUsage::Map, {1, 1, 1280}), wide),
            "compact: 20 bytes per NPU, 2560 if aligned");
  EXPECT_EQ(explainChoice(use(OperandUsage::Product, {10, 4096}), wide),
            "matrix of 64 columns per channel: 1280 bytes per NPU, 640 if "
            "compact");
  EXPECT_EQ(explainChoice(use(OperandUsage::Map, {4, 10, 15, 3}), wide),
            "aligned 4N: 640 bytes per NPU, 1024 if aligned, 600 if compact");
  EXPECT_EQ(explainChoice(use(OperandUsage::Map, {3}), single),
            "continuous: 3 bytes per NPU");
}

TEST(Policy, AcceptsWhatKernelsTake) {
  LocalTensorDesc map = use(OperandUsage::Map, {8, 8, 3});
  EXPECT_TRUE(isAccepted(
      {Kind::Compact, Mode::None, {Dim::H, Dim::W, Dim::C}, 0}, map, wide));
  EXPECT_TRUE(isAccepted(
      {Kind::Aligned, Mode::FourN, {Dim::H, Dim::W, Dim::C}, 0}, map, wide));
  EXPECT_FALSE(isAccepted(
      {Kind::Aligned, Mode::TwoN, {Dim::H, Dim::W, Dim::C}, 0}, map, wide));
  EXPECT_FALSE(isAccepted(
      {Kind::Aligned, Mode::None, {Dim::C, Dim::H, Dim::W}, 0}, map, wide));
  EXPECT_FALSE(isAccepted(
      {Kind::Aligned, Mode::None, {Dim::H, Dim::W, Dim::N, Dim::C}, 0},
      use(OperandUsage::Filters, {3, 3, 8, 8}), wide));
}

} // namespace
} // namespace mli::layout
