// SPDX-License-Identifier: Apache-2.0
//
// Problems that are the same but for how they are written down: the plans have
// one peak, and the search takes the same nodes.

#include "SmallProblems.h"
#include "mli/Allocation/Planner.h"
#include "mli/Allocation/Validator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

using namespace mli::allocation;
using namespace mli::allocation::test;
using testing::IsEmpty;

namespace {

/// Changes what does not matter of a problem.
class Disguises {
public:
  Disguises(RandomProblems &theRandom, Problem original)
      : random(theRandom), problem(std::move(original)) {}

  Problem make(int kind) {
    if (kind == 0 || kind == 1)
      mirror();
    if (kind == 0 || kind == 2)
      warp();
    if (kind == 0 || kind == 3)
      shuffle();
    if (kind == 0 || kind == 4)
      rename();
    if (kind == 5)
      scale();
    return std::move(problem);
  }
  static constexpr int kinds = 6;

private:
  template <typename Function>
  void forEachTime(Function function) {
    for (Buffer &buffer : problem.buffers) {
      function(buffer.live.lower);
      function(buffer.live.upper);
      for (mli::Interval &gap : buffer.gaps) {
        function(gap.lower);
        function(gap.upper);
      }
    }
  }
  void mirror() {
    forEachTime([](int64_t &time) { time = -time; });
    for (Buffer &buffer : problem.buffers) {
      std::swap(buffer.live.lower, buffer.live.upper);
      std::reverse(buffer.gaps.begin(), buffer.gaps.end());
      for (mli::Interval &gap : buffer.gaps)
        std::swap(gap.lower, gap.upper);
    }
  }
  /// The k-th time becomes a running sum of random steps.
  void warp() {
    std::map<int64_t, int64_t> times;
    forEachTime([&](int64_t &time) { times[time] = 0; });
    int64_t sum = random.between(-5000, 5000);
    for (auto &entry : times)
      entry.second = sum += random.between(1, 1000);
    forEachTime([&](int64_t &time) { time = times[time]; });
  }
  void scale() {
    int64_t shift = random.between(-999, 999), factor = random.between(2, 99);
    forEachTime([&](int64_t &time) { time = time * factor + shift; });
  }
  void shuffle() {
    for (size_t i = problem.buffers.size(); i-- > 1;)
      std::swap(problem.buffers[i],
                problem.buffers[random.between(0, int64_t(i))]);
  }
  /// Other ids, and other numbers for sets and groups.
  void rename() {
    int32_t set = int32_t(random.between(10, 99));
    for (Buffer &buffer : problem.buffers) {
      buffer.tag = random.between(0, 1000);
      if (buffer.aliasSet >= 0)
        buffer.aliasSet = set - buffer.aliasSet;
      if (buffer.startGroup >= 0)
        buffer.startGroup = set - buffer.startGroup;
    }
  }

  RandomProblems &random;
  Problem problem;
};

} // namespace

/// Plans the problem and each kind of disguise of it; returns the nodes.
static int64_t expectSamePlans(RandomProblems &random, const Problem &problem,
                               const PlannerOptions &options) {
  Plan plain = plan(problem, options);
  for (int kind = 0; kind < Disguises::kinds; ++kind) {
    SCOPED_TRACE(kind);
    Problem disguised = Disguises(random, problem).make(kind);
    Plan other = plan(disguised, options);
    EXPECT_EQ(other.status, plain.status);
    EXPECT_EQ(other.peak, plain.peak);
    EXPECT_EQ(other.nodes, plain.nodes);
    EXPECT_EQ(other.provenBound, plain.provenBound);
    EXPECT_STREQ(other.algorithm, plain.algorithm);
    EXPECT_EQ(other.placements.empty(), plain.placements.empty());
    if (other.status == PlanStatus::Placed) {
      EXPECT_THAT(validate(disguised, other.placements), IsEmpty());
    }
  }
  return plain.nodes;
}

// A13
TEST(Disguise, OfConstraintsTakesTheSameNodes) {
  RandomProblems random(51);
  PlannerOptions options;
  options.budget = 500;
  int searched = 0;
  for (int i = 0, count = manyOf(20000, 1000); i < count; ++i) {
    Problem problem = random.make(i % 2 ? 14 : 40, random.features());
    if (random.oneIn(2))
      problem.memory.capacity = random.between(10, 60);
    searched += expectSamePlans(random, problem, options) > 0;
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(searched, 50);
}

// A13
TEST(Disguise, OfTightRectanglesTakesTheSameNodes) {
  RandomProblems random(52);
  PlannerOptions options;
  options.budget = 4000;
  int searched = 0;
  for (int i = 0, count = manyOf(300, 40); i < count; ++i) {
    Problem problem = cut(random, 60, 1000, i % 3 == 0);
    for (Buffer &buffer : problem.buffers)
      if (i % 4 == 0 && random.oneIn(4) && !buffer.pinned)
        buffer.alignment = random.between(1, 3);
    if (i % 2)
      problem.memory.capacity.reset();
    searched += expectSamePlans(random, problem, options) > 0;
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(searched, 20);
}

/// Steps and loads are the same from both ends: rules tell them apart.
// A13
TEST(Disguise, OfMirrorImagesTakesTheSameNodes) {
  RandomProblems random(53);
  for (int i = 0, count = manyOf(1000, 50); i < count; ++i) {
    Problem problem;
    problem.memory.npus = 4;
    problem.memory.bankBytes = 16;
    for (int64_t k = 0; k < 12; ++k) {
      Buffer buffer = box(random.between(1, 4), k, k + random.between(1, 3));
      buffer.npuSpan = int32_t(random.between(1, 4));
      Buffer image = buffer;
      image.live = {24 - buffer.live.upper, 24 - buffer.live.lower};
      for (Buffer *each : {&buffer, &image}) {
        if (random.oneIn(4))
          each->alignment = 4;
        if (random.oneIn(4))
          each->startNpus = uint64_t(random.between(1, 15));
        if (random.oneIn(4))
          each->startGroup = int32_t(random.between(0, 2));
        if (random.oneIn(5))
          each->avoidBanks = uint64_t(random.between(1, 3));
        problem.buffers.push_back(*each);
      }
    }
    PlannerOptions options;
    options.budget = 200;
    expectSamePlans(random, problem, options);
    ASSERT_FALSE(HasFailure());
  }
}
