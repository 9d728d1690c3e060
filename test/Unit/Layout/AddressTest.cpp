// SPDX-License-Identifier: Apache-2.0
//
// Addresses, and the scatter of features to NPUs.

#include "LayoutBuilder.h"

namespace mli::layout {
namespace {

// L1, L2
TEST(Address, FourExamples) {
  Target target = makeTarget(4, 1024);
  EXPECT_EQ(*splitAddress(340, target), (Location{0, 340}));
  EXPECT_EQ(*splitAddress(1472, target), (Location{1, 448}));
  EXPECT_EQ(*splitAddress(2300, target), (Location{2, 252}));
  EXPECT_EQ(*splitAddress(3088, target), (Location{3, 16}));
}

// L1
TEST(Address, EndsWithLastNpu) {
  Target target = makeTarget(4, 1024);
  EXPECT_EQ(*splitAddress(4095, target), (Location{3, 1023}));
  EXPECT_EQ(toString(splitAddress(4096, target).violation()),
            "expected 'address' to be at most 4095, but got 4096");
  EXPECT_EQ(toString(splitAddress(-1, target).violation()),
            "expected 'address' to be at least 0, but got -1");
}

// L2
TEST(Address, JoinIsInverse) {
  Target target = makeTarget(4, 1024);
  for (int64_t address = 0; address < 4096; ++address)
    EXPECT_EQ(*joinAddress(*splitAddress(address, target), target), address);
  EXPECT_FALSE(joinAddress({4, 0}, target));
  EXPECT_FALSE(joinAddress({0, 1024}, target));
}

/// Two batches of features of one element.
TensorLayout features(int64_t npus, int64_t channels, int64_t start) {
  return LayoutBuilder({2, channels, 1, 1})
      .kind(Kind::Compact)
      .target(makeTarget(npus, 16384, 16))
      .start(start)
      .build();
}

/// The NPU and block row of each channel of one batch.
std::vector<Location> scatter(int64_t npus, int64_t channels, int64_t start) {
  TensorLayout layout = features(npus, channels, start);
  std::vector<Location> blocks;
  for (int64_t c = 0; c < channels; ++c) {
    Location first = locate(layout, {0, c, 0, 0});
    Location second = locate(layout, {1, c, 0, 0});
    EXPECT_EQ(first.npu, second.npu);
    EXPECT_EQ(second.offset - first.offset, channelsPerNpu(layout) * 4);
    blocks.push_back({first.npu, first.offset / 4});
  }
  return blocks;
}

/// X of the figures; they hold for any.
class Scatter : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Npus, Scatter, testing::Values(2, 4, 8, 32, 64));

// L3, L4
TEST_P(Scatter, FewerChannelsThanNpus) {
  int64_t npus = GetParam();
  EXPECT_EQ(channelsPerNpu(0, npus - 1, npus), 1);
  std::vector<Location> blocks = scatter(npus, npus - 1, 0);
  for (int64_t c = 0; c < npus - 1; ++c)
    EXPECT_EQ(blocks[c], (Location{c, 0}));
}

// L3, L4
TEST_P(Scatter, FewerChannelsThanNpusFromNpu1) {
  int64_t npus = GetParam();
  EXPECT_EQ(channelsPerNpu(1, npus - 1, npus), 1);
  std::vector<Location> blocks = scatter(npus, npus - 1, 1);
  for (int64_t c = 0; c < npus - 1; ++c)
    EXPECT_EQ(blocks[c], (Location{c + 1, 0}));
}

// L3, L4
TEST_P(Scatter, TwoChannelsMoreThanNpus) {
  int64_t npus = GetParam();
  EXPECT_EQ(channelsPerNpu(0, npus + 2, npus), 2);
  std::vector<Location> blocks = scatter(npus, npus + 2, 0);
  EXPECT_EQ(blocks[npus], (Location{0, 1}));
  EXPECT_EQ(blocks[npus + 1], (Location{1, 1}));
}

// L3, L4, L5
TEST_P(Scatter, TwoChannelsMoreThanNpusFromTheLast) {
  int64_t npus = GetParam();
  int64_t start = npus - 1;
  EXPECT_EQ(channelsPerNpu(start, npus + 2, npus), 3);
  std::vector<Location> blocks = scatter(npus, npus + 2, start);
  EXPECT_EQ(blocks[0], (Location{start, 0}));
  EXPECT_EQ(blocks[1], (Location{0, 1}));
  EXPECT_EQ(blocks[npus], (Location{npus - 1, 1}));
  EXPECT_EQ(blocks[npus + 1], (Location{0, 2}));
}

// L3, L4, L5
TEST_P(Scatter, EveryStartNpu) {
  int64_t npus = GetParam();
  for (int64_t start = 0; start < npus; ++start)
    for (int64_t channels : {int64_t{1}, npus - 1, npus, npus + 2, 3 * npus}) {
      std::vector<Location> blocks = scatter(npus, channels, start);
      EXPECT_EQ(blocks.back().offset + 1,
                channelsPerNpu(start, channels, npus));
      for (int64_t a = 0; a < channels; ++a)
        for (int64_t b = 0; b < a; ++b)
          ASSERT_EQ(blocks[a].npu == blocks[b].npu, a % npus == b % npus);
    }
}

/// How many blocks of each block row of the first batch are empty.
std::vector<int> emptyBlocks(int64_t npus, int64_t channels, int64_t start) {
  TensorLayout layout = features(npus, channels, start);
  EXPECT_EQ(bytesPerNpu(layout), 2 * channelsPerNpu(layout) * 4);
  std::vector<int> count(channelsPerNpu(layout), 0);
  for (size_t row = 0; row < count.size(); ++row)
    for (int64_t npu = 0; npu < npus; ++npu)
      count[row] +=
          contentAt(layout, {npu, static_cast<int64_t>(row) * 4}).content ==
          Content::EmptyBlock;
  return count;
}

// L5
TEST_P(Scatter, EmptyBlocksBelongToTheTensor) {
  int npus = GetParam();
  EXPECT_EQ(emptyBlocks(npus, npus - 1, 0), (std::vector<int>{1}));
  EXPECT_EQ(emptyBlocks(npus, npus - 1, 1), (std::vector<int>{1}));
  EXPECT_EQ(emptyBlocks(npus, npus + 2, 0), (std::vector<int>{0, npus - 2}));
  EXPECT_EQ(emptyBlocks(npus, npus + 2, npus - 1),
            (std::vector<int>{npus - 1, 0, npus - 1}));
}

} // namespace
} // namespace mli::layout
