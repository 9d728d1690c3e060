// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/BufferLifetimes.h"

#include "../AllDialects.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mlir;
using namespace mli;

namespace {
class BufferLifetimesTest : public testing::Test {
protected:
  /// The lifetimes in the function `f` of `source`.
  BufferLifetimes analyse(StringRef source) {
    module = parseSourceString<ModuleOp>(source, &context);
    EXPECT_TRUE(module);
    return getBufferLifetimes(module->lookupSymbol<func::FuncOp>("f"));
  }

  /// Begin, end and bytes of each range.
  static std::vector<std::vector<int64_t>> list(const BufferLifetimes &all) {
    std::vector<std::vector<int64_t>> ranges;
    for (const LiveRange &range : all.ranges)
      ranges.push_back({range.live.lower, range.live.upper, range.bytes});
    return ranges;
  }

  MLIRContext context{test::allDialects()};
  OwningOpRef<ModuleOp> module;
};
} // namespace

using testing::ElementsAre;
using testing::Pair;

TEST_F(BufferLifetimesTest, LivesFromFirstToLastUse) {
  // The third begins behind the operation at which the first ends.
  BufferLifetimes lifetimes = analyse(R"(
    !map = memref<4x!mli.fx8<3>>
    func.func @f(%arg: memref<10x!mli.fx16<3>>, %in: !map) {
      %a = memref.alloc() : !map
      %b = memref.alloc() : !map
      %c = memref.alloc() : !map
      mli.relu ins(%in : !map) outs(%a : !map) {relu = #mli.relu<gen>}
      mli.relu ins(%a : !map) outs(%b : !map) {relu = #mli.relu<gen>}
      mli.relu ins(%b : !map) outs(%c : !map) {relu = #mli.relu<gen>}
      memref.dealloc %a : !map
      %unused = memref.alloc() : memref<3xi16>
      return
    })");
  EXPECT_THAT(list(lifetimes),
              ElementsAre(ElementsAre(3, 5, 4), ElementsAre(4, 6, 4),
                          ElementsAre(5, 6, 4), ElementsAre(7, 7, 6)));
  EXPECT_EQ(lifetimes.getTotalBytes(), 18);
  EXPECT_EQ(lifetimes.getPeakBytes(), 8);
  EXPECT_EQ(lifetimes.argumentBytes, 24);
  EXPECT_EQ(lifetimes.constantBytes, 0);
  EXPECT_TRUE(lifetimes.areSizesKnown);
}

TEST_F(BufferLifetimesTest, FreesBeforeItAllocatesAtOnePosition) {
  BufferLifetimes lifetimes;
  lifetimes.ranges.resize(2);
  lifetimes.ranges[0].live = {0, 5};
  lifetimes.ranges[0].bytes = 100;
  lifetimes.ranges[1].live = {5, 9};
  lifetimes.ranges[1].bytes = 60;
  EXPECT_EQ(lifetimes.getPeakBytes(), 100);
  EXPECT_EQ(BufferLifetimes().getPeakBytes(), 0);
}

TEST_F(BufferLifetimesTest, SeesUsesOfViews) {
  BufferLifetimes lifetimes = analyse(R"(
    func.func @f(%in: memref<2x!mli.fx8<3>>) {
      %a = memref.alloc() : memref<4x!mli.fx8<3>>
      %row = mli.reshape %a : memref<4x!mli.fx8<3>> to memref<2x2x!mli.fx8<3>>
      %c0 = arith.constant 0 : index
      %part = memref.subview %row[0, 0] [1, 2] [1, 1]
        : memref<2x2x!mli.fx8<3>> to memref<2x!mli.fx8<3>, strided<[1]>>
      mli.relu ins(%in : memref<2x!mli.fx8<3>>)
        outs(%part : memref<2x!mli.fx8<3>, strided<[1]>>)
        {relu = #mli.relu<gen>}
      mli.mov ins(%part : memref<2x!mli.fx8<3>, strided<[1]>>)
        outs(%in : memref<2x!mli.fx8<3>>)
      return
    })");
  EXPECT_THAT(list(lifetimes), ElementsAre(ElementsAre(4, 6, 4)));
}

TEST_F(BufferLifetimesTest, ArgumentsBeginWhereAllOfThemIsWritten) {
  // The first two as a whole, of which one in another shape; the third in part,
  // and the fourth is read.
  BufferLifetimes lifetimes = analyse(R"(
    !map = memref<8x!mli.fx8<3>>
    !square = memref<2x4x!mli.fx8<3>>
    !row = memref<4x!mli.fx8<3>>
    !part = memref<4x!mli.fx8<3>, strided<[1], offset: 4>>
    func.func @f(%whole: !map, %shape: !square, %piece: !square, %in: !map,
                 %row: !row) {
      %line = mli.reshape %shape : !square to !map
      %part = mli.subtensor %piece[1, 0] [1, 4] : !square to !part
      mli.relu ins(%in : !map) outs(%whole : !map) {relu = #mli.relu<gen>}
      mli.relu ins(%in : !map) outs(%line : !map) {relu = #mli.relu<gen>}
      mli.relu ins(%row : !row) outs(%part : !part) {relu = #mli.relu<gen>}
      return
    })");
  std::vector<std::pair<int64_t, int64_t>> ranges;
  for (const LiveRange &range : lifetimes.arguments)
    ranges.emplace_back(range.live.lower, range.live.upper);
  EXPECT_THAT(ranges, ElementsAre(Pair(2, 6), Pair(3, 6), Pair(0, 6),
                                  Pair(0, 4), Pair(0, 5)));
}

// An input that is the result in another shape is what it begins with.
TEST_F(BufferLifetimesTest, ArgumentsThatAreReadInAnotherShapeAreThereBefore) {
  BufferLifetimes lifetimes = analyse(R"(
    !map = memref<8x!mli.fx8<3>>
    !square = memref<2x4x!mli.fx8<3>>
    func.func @f(%both: !square, %in: !map) {
      %read = mli.reshape %both : !square to !map
      %written = mli.reshape %both : !square to !map
      mli.relu ins(%in : !map) outs(%in : !map) {relu = #mli.relu<gen>}
      mli.relu ins(%read : !map) outs(%written : !map) {relu = #mli.relu<gen>}
      return
    })");
  ASSERT_EQ(lifetimes.arguments.size(), 2u);
  EXPECT_EQ(lifetimes.arguments[0].live.lower, 0);
}

TEST_F(BufferLifetimesTest, LivesThroughLoopsFromOutside) {
  // Positions 2 to 6 are the loop, 3 and 4 its body's.
  BufferLifetimes lifetimes = analyse(R"(
    !map = memref<4x!mli.fx8<3>>
    func.func @f(%in: !map, %zero: index, %one: index, %n: index) {
      %outside = memref.alloc() : !map
      mli.relu ins(%in : !map) outs(%outside : !map) {relu = #mli.relu<gen>}
      scf.for %i = %zero to %n step %one {
        %inside = memref.alloc() : !map
        mli.relu ins(%outside : !map) outs(%inside : !map)
          {relu = #mli.relu<gen>}
        mli.mov ins(%inside : !map) outs(%in : !map)
      }
      return
    })");
  EXPECT_THAT(list(lifetimes),
              ElementsAre(ElementsAre(1, 7, 4), ElementsAre(4, 6, 4)));
  EXPECT_EQ(lifetimes.ranges[0].obstacle, "");
  EXPECT_EQ(lifetimes.ranges[1].obstacle, "");
}

TEST_F(BufferLifetimesTest, BranchesDoNotOverlap) {
  BufferLifetimes lifetimes = analyse(R"(
    !map = memref<4x!mli.fx8<3>>
    func.func @f(%in: !map, %condition: i1) {
      %result = scf.if %condition -> !map {
        %a = memref.alloc() : !map
        mli.relu ins(%in : !map) outs(%a : !map) {relu = #mli.relu<gen>}
        scf.yield %a : !map
      } else {
        scf.yield %in : !map
      }
      mli.relu ins(%result : !map) outs(%in : !map) {relu = #mli.relu<gen>}
      return
    })");
  EXPECT_THAT(list(lifetimes), ElementsAre(ElementsAre(2, 6, 4)));
  EXPECT_EQ(lifetimes.ranges[0].obstacle, "");
}

TEST_F(BufferLifetimesTest, KnowsWhatCanNotStayInOnePlace) {
  BufferLifetimes lifetimes = analyse(R"(
    !map = memref<4x!mli.fx8<3>>
    func.func @f(%in: !map, %zero: index, %one: index, %n: index) -> !map {
      %last = scf.for %i = %zero to %n step %one iter_args(%carried = %in)
          -> !map {
        %next = memref.alloc() : !map
        mli.relu ins(%carried : !map) outs(%next : !map)
          {relu = #mli.relu<gen>}
        scf.yield %next : !map
      }
      %returned = memref.alloc() : !map
      %dynamic = memref.alloc(%n) : memref<?xi8>
      %local = memref.alloc() : !map
      cf.br ^bb(%local : !map)
    ^bb(%argument: !map):
      return %returned : !map
    })");
  ASSERT_EQ(lifetimes.ranges.size(), 4U);
  EXPECT_EQ(lifetimes.ranges[0].obstacle,
            "to end with each round of its loop, but got one that is carried "
            "on");
  EXPECT_EQ(lifetimes.ranges[1].obstacle,
            "to stay in its function, but got a result");
  EXPECT_EQ(lifetimes.ranges[2].obstacle,
            "to have a static shape, but got dynamic dimensions");
  EXPECT_EQ(lifetimes.ranges[3].obstacle,
            "to stay in its block, but got a branch");
  EXPECT_FALSE(lifetimes.areSizesKnown);
}

TEST_F(BufferLifetimesTest, LivesThroughAllBlocksThatShareIt) {
  BufferLifetimes lifetimes = analyse(R"(
    !map = memref<4x!mli.fx8<3>>
    func.func @f(%in: !map, %condition: i1) {
      %own = memref.alloc() : !map
      mli.relu ins(%in : !map) outs(%own : !map) {relu = #mli.relu<gen>}
      %shared = memref.alloc() : !map
      mli.relu ins(%own : !map) outs(%shared : !map) {relu = #mli.relu<gen>}
      cf.br ^bb
    ^bb:
      mli.relu ins(%shared : !map) outs(%in : !map) {relu = #mli.relu<gen>}
      cf.cond_br %condition, ^bb, ^end
    ^end:
      return
    })");
  EXPECT_THAT(list(lifetimes),
              ElementsAre(ElementsAre(1, 4, 4), ElementsAre(0, 8, 4)));
}

TEST_F(BufferLifetimesTest, PartsOfTheArenaAreBuffers) {
  BufferLifetimes lifetimes = analyse(R"(
    !map = memref<4x!mli.fx8<3>>
    func.func @f(%in: !map, %arena: memref<16xi8> {mli.arena}) {
      %c8 = arith.constant 8 : index
      %a = memref.view %arena[%c8][] : memref<16xi8> to !map
      mli.relu ins(%in : !map) outs(%a : !map) {relu = #mli.relu<gen>}
      mli.relu ins(%a : !map) outs(%in : !map) {relu = #mli.relu<gen>}
      return
    })");
  EXPECT_THAT(list(lifetimes), ElementsAre(ElementsAre(2, 4, 4)));
  EXPECT_EQ(getArenaOffset(lifetimes.ranges[0].buffer), 8);
  EXPECT_EQ(lifetimes.argumentBytes, 4);
}

TEST_F(BufferLifetimesTest, CountsEqualConstantsOnce) {
  BufferLifetimes lifetimes = analyse(R"(
    memref.global "private" constant @g : memref<3xi16> = dense<[1, 2, 3]>
    func.func @f() {
      %a = mli.constant dense<[1, 2]> : tensor<2xi32>
             to memref<2x!mli.sa32<1:0:0>>
      %b = mli.constant dense<[1, 2]> : tensor<2xi32>
             to memref<2x!mli.sa32<3:1:0>>
      %c = mli.constant dense<[1, 3]> : tensor<2xi32>
             to memref<2x!mli.sa32<1:0:0>>
      %g = memref.get_global @g : memref<3xi16>
      return
    })");
  EXPECT_EQ(lifetimes.constantBytes, 8 + 8 + 6);
}
