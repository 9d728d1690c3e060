// SPDX-License-Identifier: Apache-2.0
//
// Problems that are larger than what can be tried exhaustively, with an optimum
// that is known because they were cut out of a whole.

#include "Allocation/Search.h"
#include "Allocation/Blocks.h"
#include "Allocation/Solver.h"
#include "SmallProblems.h"
#include "mli/Allocation/Planner.h"
#include "mli/Allocation/Validator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mli::allocation;
using namespace mli::allocation::test;
using testing::IsEmpty;

// A17, A19
TEST(Search, FillsRectanglesToTheLastByte) {
  RandomProblems random(31);
  for (int i = 0, count = manyOf(300, 60); i < count; ++i) {
    Problem problem = cut(random, 40, 1000, i % 3 == 0);
    Plan result = plan(problem);
    ASSERT_EQ(result.status, PlanStatus::Placed);
    ASSERT_EQ(result.peak, 1000);
    ASSERT_TRUE(result.optimal);
    ASSERT_THAT(validate(problem, result.placements), IsEmpty());
  }
}

// A18
TEST(Search, StopsAtItsLimit) {
  RandomProblems random(32);
  Problem problem = cut(random, 200, 1000, false);
  *problem.memory.capacity = 999;
  PlannerOptions options;
  options.budget = 500;
  Plan result = plan(problem, options);
  // One byte less than what is live can not do: this needs no search.
  EXPECT_EQ(result.status, PlanStatus::Infeasible);
  EXPECT_EQ(result.nodes, 0);
  problem.memory.capacity.reset();
  result = plan(problem, options);
  EXPECT_EQ(result.status, PlanStatus::Placed);
  EXPECT_LE(result.nodes, 500);
}

// A2
TEST(Windows, BringDownWhatLiesTooHigh) {
  RandomProblems random(33);
  Problem problem;
  for (int64_t part = 0; part < 60; ++part) {
    Problem piece = cut(random, 40, 1000, false);
    for (Buffer &buffer : piece.buffers) {
      buffer.live.lower += 64 * part;
      buffer.live.upper += 64 * part;
      buffer.tag += 40 * part;
      problem.buffers.push_back(buffer);
    }
  }
  std::vector<uint32_t> order;
  Blocks blocks = normalForm(problem);
  std::vector<int32_t> starts(blocks.choices.size(), 0);
  Instance instance = makeInstance(blocks, starts, order);
  Search search(instance);
  ASSERT_EQ(search.run(1000, Rank::TWA, Next::Important, false, 100000),
            Search::Result::Found);
  std::vector<int64_t> offsets = search.offsets();
  for (size_t i = 0; i < offsets.size(); i += 400)
    offsets[i] = 1000;
  EXPECT_GT(lowerByWindows(instance, 1000, 100000, offsets), 0);
  std::vector<Placement> placements(problem.buffers.size());
  for (size_t i = 0; i < order.size(); ++i) {
    EXPECT_LE(offsets[i] + instance.items[i].size, 1000);
    for (size_t k = 0; k < blocks.blockOf.size(); ++k)
      if (blocks.blockOf[k] == order[i])
        placements[k].offset = offsets[i];
  }
  EXPECT_THAT(validate(problem, placements), IsEmpty());
}

// A14
TEST(Bounds, AreReachedByChains) {
  Problem problem;
  for (int64_t i = 0; i < 1000; ++i) {
    Buffer buffer;
    buffer.size = 100 + i % 7;
    buffer.live = {i, i + 2};
    buffer.tag = i;
    problem.buffers.push_back(buffer);
  }
  Plan result = plan(problem);
  EXPECT_EQ(result.peak, result.liveBound);
  EXPECT_EQ(result.liveBound, 211);
}
