// SPDX-License-Identifier: Apache-2.0
//
// Which kernels compute in place, against trying every choice.

#include "mli/Analysis/InPlaceChoice.h"

#include "mli/Allocation/Validator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

using namespace mli;
using namespace mli::allocation;
using testing::IsEmpty;

namespace {

/// Two chains, of kernels that each may compute in place, and other buffers.
class RandomChains {
public:
  explicit RandomChains(uint64_t seed) : engine(seed) {}

  int64_t between(int64_t least, int64_t most) {
    return least + int64_t(engine() % uint64_t(most - least + 1));
  }

  MemoryProblem make(int64_t mostInChain) {
    MemoryProblem made;
    Problem &problem = made.problem;
    problem.memory.bankBytes = between(4, 8);
    for (int32_t chain = 0; chain < 2; ++chain) {
      int64_t length = between(1, mostInChain), size = between(1, 6);
      int64_t time = between(0, 3);
      for (int64_t i = 0; i < length; ++i) {
        // A kernel reads one and writes the next.
        int64_t end = time + between(2, 3);
        add(problem, size, {time, end}).aliasSet = length > 1 ? chain : -1;
        time = end - 1;
      }
    }
    for (int64_t i = between(0, 2); i > 0; --i) {
      int64_t time = between(0, 6);
      add(problem, between(1, 6), {time, time + between(1, 4)});
    }
    if (between(0, 2) == 0)
      problem.memory.capacity = between(4, 20);
    return made;
  }

private:
  Buffer &add(Problem &problem, int64_t size, Interval live) {
    Buffer buffer;
    buffer.size = size;
    buffer.live = live;
    buffer.tag = int64_t(problem.buffers.size());
    if (between(0, 3) == 0)
      buffer.avoidBanks = uint64_t(between(1, 7));
    if (between(0, 7) == 0)
      buffer.pinned = between(0, 8);
    problem.buffers.push_back(buffer);
    return problem.buffers.back();
  }

  std::mt19937_64 engine;
};

} // namespace

static PlannerOptions minimise() {
  PlannerOptions options;
  options.minimise = true;
  return options;
}

/// The lowest plan of all choices; nothing if none is placed.
static std::optional<int64_t> findLowest(const Problem &problem) {
  // A buffer and the one before it in its chain.
  std::vector<size_t> results;
  for (size_t i = 1; i < problem.buffers.size(); ++i)
    if (problem.buffers[i].aliasSet >= 0 &&
        problem.buffers[i].aliasSet == problem.buffers[i - 1].aliasSet)
      results.push_back(i);
  std::optional<int64_t> lowest;
  for (size_t choice = 0; choice < size_t(1) << results.size(); ++choice) {
    Problem chosen = problem;
    for (size_t i = 0; i < chosen.buffers.size(); ++i)
      chosen.buffers[i].aliasSet = int32_t(i);
    for (size_t k = 0; k < results.size(); ++k)
      if (choice >> k & 1)
        chosen.buffers[results[k]].aliasSet =
            chosen.buffers[results[k] - 1].aliasSet;
    Plan made = plan(chosen, minimise());
    if (made.status == PlanStatus::Placed)
      lowest = std::min(lowest.value_or(made.peak), made.peak);
  }
  return lowest;
}

// A17
TEST(InPlaceChoice, OfFewKernelsIsTheLowestOfAll) {
  RandomChains random(1);
  for (int i = 0; i < 3000; ++i) {
    MemoryProblem problem = random.make(2);
    std::optional<int64_t> lowest = findLowest(problem.problem);
    InPlacePlan found = planInPlace(problem, minimise());
    ASSERT_EQ(found.plan.status == PlanStatus::Placed, lowest.has_value());
    if (!lowest) {
      ASSERT_TRUE(found.isProven);
      continue;
    }
    ASSERT_EQ(found.plan.peak, *lowest);
    ASSERT_THAT(validate(found.problem, found.plan.placements), IsEmpty());
  }
}

// A17
TEST(InPlaceChoice, OfManyKernelsIsRightAndSeldomMisses) {
  RandomChains random(2);
  int placed = 0, missed = 0, higher = 0;
  for (int i = 0; i < 1500; ++i) {
    MemoryProblem problem = random.make(5);
    std::optional<int64_t> lowest = findLowest(problem.problem);
    InPlacePlan found = planInPlace(problem, minimise());
    if (found.isProven) {
      ASSERT_FALSE(lowest.has_value());
    }
    if (!lowest)
      continue;
    ++placed;
    if (found.plan.status != PlanStatus::Placed) {
      ++missed;
      continue;
    }
    ASSERT_THAT(validate(found.problem, found.plan.placements), IsEmpty());
    ASSERT_GE(found.plan.peak, *lowest);
    higher += found.plan.peak > *lowest;
  }
  EXPECT_GT(placed, 500);
  EXPECT_EQ(missed, 0);
  EXPECT_LT(higher, placed / 20);
}
