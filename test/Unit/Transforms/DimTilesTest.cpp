// SPDX-License-Identifier: Apache-2.0
//
// Tables of what a group of kernels knows about its tiles: each answer is that
// of the ranges themselves, also when it was asked for before.

#include "Transforms/TileSelection/DimTiles.h"
#include "Transforms/TileSelection/OperandBytes.h"

#include <gtest/gtest.h>

using namespace mli;
using namespace mli::tiling;

namespace {

DimRange makeRange(DimAccess use, int64_t size, int64_t iterations) {
  DimRange range;
  range.use = use;
  range.size = size;
  range.iterations = iterations;
  return range;
}

/// Two loops, of 10 and 6 iterations, and dimensions that follow the first.
class DimTilesTest : public testing::Test {
protected:
  DimTilesTest() {
    window.stride = 2;
    window.extent = 3;
    window.before = 1;
    beside.before = 12;
    filters.groups = {5, 2};
  }

  DimRange same = makeRange(DimAccess::ofLoop(0), 10, 10);
  DimRange window = makeRange(DimAccess::window(0, 0), 20, 10);
  DimRange filters = makeRange(DimAccess::groups(0), 4, 10);
  /// Windows of which the first ones lie before the dimension.
  DimRange beside = makeRange(DimAccess::window(0, 0), 4, 10);
  std::vector<const DimRange *> ranges = {&same, &window, &filters, &beside};
  DimTilesTable table = {{10, 6}, ranges};
};

TEST_F(DimTilesTest, CutsALoop) {
  const DimTiles &tiles = *table.getLoop(0, 4);
  EXPECT_EQ(tiles.tiles,
            (llvm::SmallVector<Interval>{{0, 4}, {4, 8}, {8, 10}}));
  EXPECT_EQ(tiles.loop, 0);
  EXPECT_EQ(tiles.step, 4);
  EXPECT_EQ(tiles.most, 4);
  EXPECT_EQ(tiles.total, 10);
  EXPECT_FALSE(table.getLoop(1, 6)->isCut());
  EXPECT_EQ(table.getLoop(1, 4)->tiles.size(), 2U);
  EXPECT_EQ(table.getLoop(1, 4)->loop, 1);
}

TEST_F(DimTilesTest, KnowsWhatItWasAskedForBefore) {
  const DimTiles *four = table.getLoop(0, 4);
  const DimTiles *read = table.getRead(1, *four);
  const DimTiles *five = table.getLoop(0, 5);
  EXPECT_NE(four, five);
  EXPECT_EQ(table.getLoop(0, 4), four);
  EXPECT_EQ(table.getLoop(0, 5), five);
  EXPECT_EQ(table.getRead(1, *four), read);
}

TEST_F(DimTilesTest, ReadsWhatEachRangeReads) {
  for (int64_t count = 1; count < 10; ++count) {
    const DimTiles &loop = *table.getLoop(0, count);
    for (size_t number = 0; number < 3; ++number) {
      SCOPED_TRACE(std::to_string(number) + " of " + std::to_string(count));
      const DimTiles *read = table.getRead(number, loop);
      ASSERT_TRUE(read);
      EXPECT_EQ(read->loop, 0);
      ASSERT_EQ(read->tiles.size(), loop.tiles.size());
      int64_t most = 0, total = 0;
      for (size_t tile = 0; tile < loop.tiles.size(); ++tile) {
        Interval wanted = ranges[number]->of(loop.tiles[tile]);
        EXPECT_EQ(read->tiles[tile], wanted);
        most = std::max(most, wanted.size());
        total += wanted.size();
      }
      EXPECT_EQ(read->most, most);
      EXPECT_EQ(read->total, total);
    }
  }
}

TEST_F(DimTilesTest, HasAStepWhereTilesAreRegular) {
  const DimTiles &loop = *table.getLoop(0, 5);
  // A dimension of the iterations themselves has the tiles of the loop.
  EXPECT_EQ(table.getRead(0, loop), &loop);
  EXPECT_EQ(table.getRead(1, loop)->step, 10);
  EXPECT_EQ(table.getRead(2, loop)->step, -1);
}

TEST_F(DimTilesTest, ReadsAllOfALoopThatIsNotCut) {
  const DimTiles &loop = *table.getLoop(0, 10);
  for (size_t number = 0; number < ranges.size(); ++number) {
    const DimTiles *read = table.getRead(number, loop);
    EXPECT_EQ(read, table.getWhole(number));
    EXPECT_FALSE(read->isCut());
    EXPECT_EQ(read->most, ranges[number]->size);
  }
}

TEST_F(DimTilesTest, HasNoneWhereATileReadsNothing) {
  EXPECT_FALSE(table.getRead(3, *table.getLoop(0, 5)));
  EXPECT_FALSE(table.getRead(3, *table.getLoop(0, 5)));
}

TEST_F(DimTilesTest, TellsWhichLoopsAreFollowed) {
  const DimTiles *whole = table.getWhole(0), *cut = table.getLoop(1, 2);
  EXPECT_FALSE(areCut({whole, whole}));
  EXPECT_TRUE(areCut({whole, cut}));
  EXPECT_TRUE(follows({whole, cut}, 1));
  EXPECT_FALSE(follows({whole, cut}, 0));
}

TEST(OperandBytes, DependOnEachPartOfTheKey) {
  layout::Target target;
  target.npus = 4;
  target.unit = 16;
  OperandBytes bytes(target);
  const llvm::SmallVector<int64_t> shapes[] = {
      {8}, {1, 8}, {1, 1, 8}, {8, 1, 1}, {6, 5, 8}, {5, 6, 8}, {2, 6, 5, 8}};
  // Twice: the second time all is known.
  for (int turn = 0; turn < 2; ++turn)
    for (auto role : {layout::OperandUsage::Map, layout::OperandUsage::Channels,
                      layout::OperandUsage::Product})
      for (int64_t elementBytes : {1, 2, 4})
        for (layout::Mode mode : {layout::Mode::None, layout::Mode::FourN})
          for (bool usesMatrices : {false, true})
            for (const llvm::SmallVector<int64_t> &shape : shapes) {
              StaticKernel kernel;
              kernel.policy = {mode, usesMatrices};
              kernel.operands.resize(2);
              kernel.operands[1].role = role;
              kernel.operands[1].elementBytes = elementBytes;
              EXPECT_EQ(bytes.get(kernel, 1, shape),
                        kernel.getBytes(1, shape, target));
            }
}

} // namespace
