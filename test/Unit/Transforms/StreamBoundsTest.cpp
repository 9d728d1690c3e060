// SPDX-License-Identifier: Apache-2.0
//
// No stream costs less than its bound, whatever room there is and whatever is
// in local memory; one that computes all rows at once costs no more, where the
// bound knows all that moves. None takes less than its bound, whatever reads
// early.

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

class StreamBoundsTest : public testing::Test {
protected:
  StreamBoundsTest() : context(mli::test::allDialects()) {}

  /// Three kernels in a row, of which the last one reads `filters` and has
  /// windows of `kernel` columns.
  PartGraph getGraph(StringRef filters, StringRef kernel) {
    std::string text =
        ("!q = !mli.sa8<1:4:-128>\n"
         "!w = tensor<3x3x4x4x!mli.sa8<5:10:0>>\n"
         "!b = tensor<4x!mli.sa32<5:14:0>>\n"
         "!map = tensor<16x16x4x!q>\n"
         "!out = tensor<16x8x4x!q>\n"
         "module attributes {mli.target = #mli.target<vpx>} {\n"
         "  func.func @main(%a: !map, %w: !w, %v: !w, %b: !b, %c: !b)\n"
         "      -> !out {\n"
         "    %e0 = tensor.empty() : !map\n"
         "    %x = mli.conv2d ins(%a, %w, %b : !map, !w, !b)\n"
         "      outs(%e0 : !map) pad [1, 1, 1, 1] -> !map\n"
         "    %e1 = tensor.empty() : !map\n"
         "    %y = mli.conv2d ins(%x, " +
         filters +
         " : !map, !w, !b)\n"
         "      outs(%e1 : !map) pad [1, 1, 1, 1] -> !map\n"
         "    %e2 = tensor.empty() : !out\n"
         "    %z = mli.maxpool ins(%y : !map) outs(%e2 : !out)\n"
         "      kernel [1, " +
         kernel +
         "] pad [0, 0, 0, 0] {strides = array<i64: 1, 2>} -> !out\n"
         "    return %z : !out\n"
         "  }\n"
         "}\n")
            .str();
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    if (!module) {
      ADD_FAILURE() << text;
      return {};
    }
    auto function = *module->getOps<func::FuncOp>().begin();
    return PartGraph::get(function.front(), findTarget(function));
  }

  static PartRules getRules(double overlap) {
    PartRules rules;
    rules.cost.overlap = overlap;
    return rules;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(StreamBoundsTest, IsNeverAboveTheCost) {
  struct Case {
    StringRef filters, kernel;
    double overlap;
  };
  for (auto [filters, kernel, overlap] :
       {Case{"%v, %c", "2", 0}, Case{"%v, %c", "2", 0.75},
        Case{"%w, %b", "2", 0.75}, Case{"%v, %c", "1", 0.75}}) {
    PartGraph all = getGraph(filters, kernel);
    PartRules rules = getRules(overlap);
    PartChoices choices(all, rules);
    unsigned streams = 0;
    mli::test::forEachRange(
        all, 2, all.kernels.size(), [&](const PartRange &range) {
          double bound = choices.getStreamCostBound(range);
          EXPECT_GT(bound, 0);
          for (int64_t room = 1 << 18; room > 64; room -= room / 4)
            if (std::optional<Part> part = choices.computeStream(range, room)) {
              EXPECT_LE(bound, part->cost)
                  << range.begin << " to " << range.end << " in " << room;
              ++streams;
            }
        });
    EXPECT_GT(streams, 20u);
  }
}

// Without an overlap a stream of one step moves and computes everything once.
TEST_F(StreamBoundsTest, IsTheCostOfOneStep) {
  PartGraph all = getGraph("%v, %c", "2");
  PartRules rules = getRules(/*overlap=*/0);
  PartChoices choices(all, rules);
  mli::test::forEachRange(
      all, 2, all.kernels.size(), [&](const PartRange &range) {
        std::optional<Part> part = choices.computeStream(range, 1 << 18);
        ASSERT_TRUE(part);
        double bound = choices.getStreamCostBound(range);
        EXPECT_NEAR(bound, part->cost, part->cost * 1e-8);
      });
}

// Weights that two kernels read, of which only one may be in the part, and
// columns between windows may not move.
TEST_F(StreamBoundsTest, CountsNothingThatMayNotMove) {
  auto getBound = [&](StringRef filters, StringRef kernel) {
    PartGraph all = getGraph(filters, kernel);
    PartRules rules = getRules(/*overlap=*/0.75);
    return PartChoices(all, rules).getStreamCostBound({0, 3, {}, {}});
  };
  double full = getBound("%v, %c", "2");
  EXPECT_LT(getBound("%w, %b", "2"), full);
  EXPECT_LT(getBound("%v, %c", "1"), full);
}

TEST_F(StreamBoundsTest, IsNeverAboveThePeak) {
  PartGraph all = getGraph("%v, %c", "2");
  unsigned schedules = 0, equal = 0;
  auto check = [&](const streams::StreamGraph &graph, int64_t rows,
                   bool isBeside) {
    streams::StreamShape shape;
    shape.rows = rows;
    shape.isBeside = isBeside;
    std::optional<streams::StreamSchedule> schedule =
        streams::StreamSchedule::makeInOrder(graph, 0, graph.vertices.size(),
                                             shape);
    ASSERT_TRUE(schedule);
    schedule->readEarly();
    for (int64_t stripes : {1, 2, 4}) {
      ASSERT_TRUE(schedule->cut(stripes));
      int64_t bound = schedule->getLeastPeak(), peak = schedule->getPeak(1);
      EXPECT_GT(bound, 0);
      EXPECT_LE(bound, peak) << rows << " rows, " << stripes << " stripes";
      ++schedules;
      equal += bound == peak;
    }
  };
  mli::test::forEachRange(
      all, 2, all.kernels.size(), [&](const PartRange &range) {
        std::unique_ptr<PartStreamGraph> made = makeStreamGraph(all, range);
        ASSERT_TRUE(made);
        for (int64_t rows : {1, 2, 3, 4, 8, 16})
          for (bool isBeside : {false, true})
            check(made->graph, rows, isBeside);
      });
  EXPECT_GT(schedules, 100u);
  EXPECT_GT(equal, 10u);
}

} // namespace
