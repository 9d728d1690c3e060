// SPDX-License-Identifier: Apache-2.0
//
// Parts of the same numbers have the same plan: what is known of one of them is
// what a search of its own finds for the other.

#include "../AllDialects.h"
#include "PartRanges.h"

#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mli;
using namespace mli::parts;

namespace {

// Three times two convolutions and an addition, alike but for one thing each:
// which weights they read, whether they share them, how far the addition reads
// back, and what a caller sees.
constexpr StringLiteral network = R"(
!q = !mli.sa8<1:4:-128>
!w = tensor<3x3x4x4x!mli.sa8<5:10:0>>
!b = tensor<4x!mli.sa32<5:14:0>>
!map = tensor<16x16x4x!q>
!out = tensor<16x8x4x!q>
module attributes {mli.target = #mli.target<vpx>} {
  func.func @main(%a: !map, %w: !w, %v: !w, %b: !b, %c: !b) -> (!map, !out) {
    %e = tensor.empty() : !map
    %c0 = mli.conv2d ins(%a, %w, %b : !map, !w, !b) outs(%e : !map) pad [1, 1, 1, 1] -> !map
    %c1 = mli.conv2d ins(%c0, %v, %c : !map, !w, !b) outs(%e : !map) pad [1, 1, 1, 1] -> !map
    %s1 = mli.eltwise_add ins(%c1, %c0 : !map, !map) outs(%e : !map) -> !map
    %c2 = mli.conv2d ins(%s1, %w, %b : !map, !w, !b) outs(%e : !map) pad [1, 1, 1, 1] -> !map
    %c3 = mli.conv2d ins(%c2, %w, %b : !map, !w, !b) outs(%e : !map) pad [1, 1, 1, 1] -> !map
    %s2 = mli.eltwise_add ins(%c3, %c2 : !map, !map) outs(%e : !map) -> !map
    %c4 = mli.conv2d ins(%s2, %v, %c : !map, !w, !b) outs(%e : !map) pad [1, 1, 1, 1] -> !map
    %c5 = mli.conv2d ins(%c4, %w, %b : !map, !w, !b) outs(%e : !map) pad [1, 1, 1, 1] -> !map
    %s3 = mli.eltwise_add ins(%c5, %s1 : !map, !map) outs(%e : !map) -> !map
    %o = tensor.empty() : !out
    %m = mli.maxpool ins(%s3 : !map) outs(%o : !out) kernel [1, 2] pad [0, 0, 0, 0]
      {strides = array<i64: 1, 2>} -> !out
    return %c3, %m : !map, !out
  }
}
)";

class PartNumbersTest : public testing::Test {
protected:
  PartNumbersTest()
      : context(mli::test::allDialects()),
        module(parseSourceString<ModuleOp>(network, ParserConfig(&context))) {}

  PartGraph getGraph() {
    auto function = *module->getOps<func::FuncOp>().begin();
    return PartGraph::get(function.front(), findTarget(function));
  }

  static void expectSame(const std::optional<Part> &known,
                         const std::optional<Part> &own) {
    ASSERT_EQ(known.has_value(), own.has_value());
    if (!known)
      return;
    EXPECT_EQ(known->bytes, own->bytes);
    EXPECT_EQ(known->again, own->again);
    EXPECT_EQ(known->cost, own->cost);
    ASSERT_EQ(known->tiles.has_value(), own->tiles.has_value());
    if (!known->tiles)
      return;
    EXPECT_EQ(known->tiles->tiles.sizes, own->tiles->tiles.sizes);
    EXPECT_EQ(known->tiles->tiles.order, own->tiles->tiles.order);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(PartNumbersTest, AreThoseOfOnePlan) {
  ASSERT_TRUE(module);
  PartGraph all = getGraph();
  PartRules rules;
  rules.cost.overlap = 0.75;
  PartChoices known(all, rules);
  unsigned tiled = 0, streamed = 0;
  mli::test::forEachRange(all, 1, 4, [&](const PartRange &range) {
    for (int64_t room : {1 << 18, 12000, 6000, 3000, 1500, 700}) {
      SCOPED_TRACE(std::to_string(range.begin) + " to " +
                   std::to_string(range.end) + ", " +
                   std::to_string(range.inside.size()) + " inside, " +
                   std::to_string(range.kept.size()) + " kept, in " +
                   std::to_string(room));
      PartChoices own(all, rules);
      std::optional<Part> inTiles = known.computeTiled(range, room);
      expectSame(inTiles, own.computeTiled(range, room));
      std::optional<Part> inRows = known.computeStream(range, room);
      expectSame(inRows, own.computeStream(range, room));
      tiled += inTiles ? 1 : 0;
      streamed += inRows ? 1 : 0;
    }
  });
  EXPECT_GT(tiled, 50u);
  EXPECT_GT(streamed, 50u);
}

// Layers that repeat are numbered alike, and each difference is a number.
TEST_F(PartNumbersTest, TellPartsApart) {
  ASSERT_TRUE(module);
  PartGraph all = getGraph();
  PartNumbers numbers(all, /*maxGroup=*/4);
  auto get = [&](const PartRange &range) {
    return llvm::to_vector(numbers.get(range));
  };
  // One convolution and another of other weights of the same kind.
  EXPECT_EQ(get({3, 4, {}, {}}), get({6, 7, {}, {}}));
  // Its result is kept, or it is returned as well.
  size_t result = all.graph.vertices[3].results[0];
  EXPECT_NE(get({3, 4, {}, {}}), get({3, 4, {}, {result}}));
  EXPECT_NE(get({4, 5, {}, {}}), get({7, 8, {}, {}}));
  // Its input is in local memory.
  size_t input = all.graph.vertices[3].rowReads.front().value;
  EXPECT_NE(get({3, 4, {}, {}}), get({3, 4, {input}, {}}));
  // Two convolutions share their weights.
  EXPECT_NE(get({3, 5, {}, {}}), get({6, 8, {}, {}}));
  // The addition reads what the part does not compute.
  EXPECT_NE(get({3, 6, {}, {}}), get({6, 9, {}, {}}));
}

} // namespace
