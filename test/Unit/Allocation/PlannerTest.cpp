// SPDX-License-Identifier: Apache-2.0
//
// Plans of random small problems against trying everything.

#include "mli/Allocation/Planner.h"
#include "SmallProblems.h"
#include "mli/Allocation/Validator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

using namespace mli::allocation;
using namespace mli::allocation::test;
using testing::IsEmpty;

static std::string text(const Problem &problem) {
  std::string result = "npus " + std::to_string(problem.memory.npus) +
                       " bank " + std::to_string(problem.memory.bankBytes);
  for (const Buffer &b : problem.buffers)
    result +=
        "\nsize " + std::to_string(b.size) + " live " +
        std::to_string(b.live.lower) + ".." + std::to_string(b.live.upper) +
        " align " + std::to_string(b.alignment) + " pin " +
        std::to_string(b.pinned.value_or(-1)) + " guard " +
        std::to_string(b.guard) + " set " + std::to_string(b.aliasSet) + "+" +
        std::to_string(b.aliasOffset) + " avoid " +
        std::to_string(b.avoidBanks) + " span " + std::to_string(b.npuSpan) +
        " starts " + std::to_string(b.startNpus) + " group " +
        std::to_string(b.startGroup) + " gaps " + std::to_string(b.gaps.size());
  return result;
}

// A1, A2, A17
TEST(Planner, IsAsLowAsTryingEverything) {
  RandomProblems random(1);
  int count = manyOf(100000, 4000);
  for (int i = 0; i < count; ++i) {
    Features features = random.features();
    Problem problem = random.make(features.npus ? 4 : 7, features);
    SCOPED_TRACE(text(problem));
    int64_t best = Exhaustive(problem).lowestPeak();
    Plan result = plan(problem);
    if (best < 0) {
      ASSERT_EQ(result.status, PlanStatus::Infeasible);
      continue;
    }
    ASSERT_EQ(result.status, PlanStatus::Placed);
    ASSERT_THAT(validate(problem, result.placements), IsEmpty());
    ASSERT_EQ(getPeak(problem, result.placements), result.peak);
    ASSERT_EQ(result.peak, best);
    ASSERT_LE(result.liveBound, result.alignedBound);
    ASSERT_LE(result.alignedBound, result.provenBound);
    ASSERT_LE(result.provenBound, best);
  }
}

// A5, A17
TEST(Planner, FitsOrProvesThatNothingDoes) {
  RandomProblems random(2);
  int count = manyOf(50000, 2000);
  for (int i = 0; i < count; ++i) {
    Features features = random.features();
    Problem problem = random.make(features.npus ? 4 : 6, features);
    int64_t best = Exhaustive(problem).lowestPeak();
    problem.memory.capacity = random.between(0, 30);
    SCOPED_TRACE(text(problem));
    Plan result = plan(problem);
    bool fits = best >= 0 && best <= *problem.memory.capacity;
    ASSERT_EQ(result.status,
              fits ? PlanStatus::Placed : PlanStatus::Infeasible);
    if (fits) {
      ASSERT_THAT(validate(problem, result.placements), IsEmpty());
    }
  }
}

/// Buffers of equal content keep their tag: it is all that tells them apart.
// A13
TEST(Planner, OrderOfTheInputChangesOnlyTheOrderOfTheOutput) {
  RandomProblems random(3);
  int count = manyOf(20000, 1000);
  for (int i = 0; i < count; ++i) {
    Problem problem = random.make(12, random.features());
    Plan straight = plan(problem);
    std::vector<size_t> order(problem.buffers.size());
    std::iota(order.begin(), order.end(), 0);
    for (size_t k = order.size(); k-- > 1;)
      std::swap(order[k], order[random.between(0, int64_t(k))]);
    Problem shuffled;
    shuffled.memory = problem.memory;
    for (size_t k : order)
      shuffled.buffers.push_back(problem.buffers[k]);
    Plan other = plan(shuffled);
    SCOPED_TRACE(text(problem));
    ASSERT_EQ(straight.peak, other.peak);
    ASSERT_EQ(straight.nodes, other.nodes);
    for (size_t k = 0; k < order.size() && !other.placements.empty(); ++k) {
      ASSERT_EQ(other.placements[k].offset,
                straight.placements[order[k]].offset);
      ASSERT_EQ(other.placements[k].startNpu,
                straight.placements[order[k]].startNpu);
    }
  }
}

// A18
TEST(Planner, EqualInputGivesEqualPlans) {
  RandomProblems random(4);
  for (int i = 0; i < 50; ++i) {
    Problem problem = random.make(60, random.features());
    Plan first = plan(problem), second = plan(problem);
    ASSERT_EQ(first.nodes, second.nodes);
    ASSERT_EQ(first.placements.size(), second.placements.size());
    for (size_t k = 0; k < first.placements.size(); ++k)
      ASSERT_EQ(first.placements[k].offset, second.placements[k].offset);
  }
}

// A18, A19
TEST(Planner, NodesStayWithinTheBudget) {
  RandomProblems random(5);
  for (int64_t budget : {0, 1, 10, 100, 1000}) {
    Problem problem;
    for (int i = 0; i < 80; ++i)
      problem.buffers.push_back(box(random.between(1, 40),
                                    random.between(0, 50),
                                    random.between(51, 100)));
    PlannerOptions options;
    options.budget = budget;
    Plan result = plan(problem, options);
    EXPECT_LE(result.nodes, budget);
    EXPECT_EQ(result.status, PlanStatus::Placed);
  }
}

/// Five pieces around a middle one: no greedy order finds it.
// A17
TEST(Planner, SolvesAPinwheel) {
  Problem problem;
  problem.memory.capacity = 3;
  problem.buffers = {box(1, 0, 2), box(2, 2, 3), box(1, 1, 3), box(2, 0, 1),
                     box(1, 1, 2)};
  Plan result = plan(problem);
  EXPECT_EQ(result.status, PlanStatus::Placed);
  EXPECT_EQ(result.peak, 3);
  EXPECT_TRUE(result.optimal);
}

// A14, A15
TEST(Planner, BoundsCountAlignmentAndPins) {
  Problem problem;
  problem.buffers = {box(5, 0, 2), box(5, 0, 2)};
  problem.buffers[0].alignment = problem.buffers[1].alignment = 8;
  Plan result = plan(problem);
  EXPECT_EQ(result.liveBound, 10);
  EXPECT_EQ(result.alignedBound, 13);
  EXPECT_EQ(result.peak, 13);
  EXPECT_NEAR(result.fragmentation, 3.0 / 13, 1e-12);
  problem.buffers[0].pinned = 64;
  EXPECT_EQ(plan(problem).alignedBound, 69);
}

// A9, A16
TEST(Planner, SpreadsSmallTensorsOverTheNpus) {
  Problem problem;
  problem.memory.npus = 64;
  for (int i = 0; i < 64; ++i) {
    problem.buffers.push_back(box(100, 0, 5));
    problem.buffers.back().npuSpan = 16;
    problem.buffers.back().startNpus = 0x0001000100010001;
    problem.buffers.back().tag = i;
  }
  Plan result = plan(problem);
  EXPECT_EQ(result.peak, 1600);
  EXPECT_TRUE(result.optimal);
}

/// Ends of plans are multiples of three here; that there is none has no end.
// A4, A17
TEST(Planner, PinsInEachOthersWayLeaveNoPlan) {
  Problem problem;
  problem.buffers = {box(6, 3, 6), box(9, 4, 7)};
  problem.buffers[0].pinned = 9;
  problem.buffers[1].pinned = 12;
  Plan result = plan(problem);
  EXPECT_EQ(result.status, PlanStatus::Infeasible);
  EXPECT_THAT(result.placements, IsEmpty());
}

// A2
TEST(Planner, NothingIsAPlanToo) {
  Problem problem;
  Plan result = plan(problem);
  EXPECT_EQ(result.status, PlanStatus::Placed);
  EXPECT_EQ(result.peak, 0);
  EXPECT_TRUE(result.optimal);
  problem.buffers = {box(0, 0, 5), box(7, 3, 3)};
  result = plan(problem);
  EXPECT_EQ(result.status, PlanStatus::Placed);
  EXPECT_EQ(result.peak, 0);
}

// A12
TEST(Planner, RefusesABadProblem) {
  Problem problem;
  problem.buffers = {box(4, 0, 2), box(-1, 0, 2)};
  Plan result = plan(problem);
  EXPECT_EQ(result.status, PlanStatus::BadProblem);
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->buffer, 1);
  EXPECT_EQ(result.error->message,
            "expected 'size' to be in [0, 1152921504606846976], but got -1");
}

// A2, A17
TEST(Planner, HasNoOffsetBehindTheLast) {
  // The hole below each pinned buffer is too small.
  Problem holes;
  holes.buffers = {box(1, 0, 1), box(1, 0, 1), box(maxBytes / 2 + 8, 0, 1)};
  holes.buffers[0].pinned = maxBytes / 2;
  holes.buffers[1].pinned = maxBytes;
  EXPECT_NE(plan(holes).status, PlanStatus::Placed);
  EXPECT_THAT(plan(holes).placements, IsEmpty());
  // Behind the last bank there is room for one.
  Problem banks;
  banks.memory.bankBytes = maxBytes / 64;
  banks.buffers = {box(4, 0, 1), box(4, 0, 1)};
  banks.buffers[0].avoidBanks = ~uint64_t(0);
  Plan one = plan(banks);
  EXPECT_EQ(one.status, PlanStatus::Placed);
  EXPECT_EQ(one.placements[0].offset, maxBytes);
  banks.buffers[1].avoidBanks = ~uint64_t(0);
  EXPECT_NE(plan(banks).status, PlanStatus::Placed);
  // A view lies behind the start of its block.
  Problem views;
  views.buffers = {box(4, 0, 1), box(4, 0, 1)};
  views.buffers[0].aliasSet = views.buffers[1].aliasSet = 0;
  views.buffers[0].pinned = maxBytes;
  EXPECT_EQ(plan(views).status, PlanStatus::Placed);
  views.buffers[1].aliasOffset = 1;
  EXPECT_EQ(plan(views).status, PlanStatus::Infeasible);
  // Five blocks at multiples of more than there are bytes, each at 0.
  Problem sets;
  for (int32_t set = 0; set < 5; ++set)
    for (int64_t less : {0, 1, 3}) {
      sets.buffers.push_back(box(4, 0, 1));
      sets.buffers.back().aliasSet = set;
      sets.buffers.back().alignment = (int64_t(1) << 40) - less;
    }
  EXPECT_EQ(plan(sets).status, PlanStatus::Infeasible);
}

// A16
TEST(Planner, BoundsAreNotTooHighForTheirNumbers) {
  Problem problem;
  problem.memory.npus = 64;
  for (int i = 0; i < 11; ++i) {
    problem.buffers.push_back(box(int64_t(1) << 56, 0, 1));
    problem.buffers.back().npuSpan = 33;
    problem.buffers.back().startNpus = ~uint64_t(0);
  }
  Plan result = plan(problem);
  EXPECT_EQ(result.status, PlanStatus::Placed);
  EXPECT_EQ(result.liveBound, (11 * int64_t(33) << 50));
}
