// SPDX-License-Identifier: Apache-2.0
//
// Each way to break a plan, and random plans against every pair of bytes.

#include "mli/Allocation/Validator.h"
#include "SmallProblems.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mli::allocation;
using namespace mli::allocation::test;
using testing::ElementsAre;
using testing::IsEmpty;

/// The messages of all breaches.
static std::vector<std::string> check(const Problem &problem,
                                      const std::vector<Placement> &plan) {
  std::vector<std::string> messages;
  for (const Violation &violation : validate(problem, plan))
    messages.push_back(violation.message);
  return messages;
}

// A1
TEST(Validator, BuffersThatAreLiveTogetherShareNoByte) {
  Problem problem;
  problem.buffers = {box(4, 0, 3), box(4, 2, 5)};
  EXPECT_THAT(check(problem, {{0}, {4}}), IsEmpty());
  EXPECT_THAT(check(problem, {{0}, {3}}),
              ElementsAre("#0 [0,4) and #1 [3,7) overlap on NPU 0 at time 2"));
  problem.buffers[1].live = {3, 5};
  EXPECT_THAT(check(problem, {{0}, {0}}), IsEmpty());
}

// A2
TEST(Validator, EachBufferHasOneOffset) {
  Problem problem;
  problem.buffers = {box(4, 0, 3)};
  EXPECT_THAT(check(problem, {}),
              ElementsAre("expected one placement for each of 1 buffers, but "
                          "got 0"));
  EXPECT_THAT(check(problem, {{-4}}),
              ElementsAre("#0: offset -4 is not in [0, 1152921504606846976]"));
}

// A3, A4, A5
TEST(Validator, OffsetsAreAlignedPinnedAndInside) {
  Problem problem;
  problem.memory.capacity = 16;
  problem.buffers = {box(4, 0, 3)};
  problem.buffers[0].alignment = 8;
  EXPECT_THAT(check(problem, {{8}}), IsEmpty());
  EXPECT_THAT(check(problem, {{4}}),
              ElementsAre("#0: offset 4 is not a multiple of alignment 8"));
  EXPECT_THAT(check(problem, {{16}}),
              ElementsAre("#0: end 20 is above capacity 16"));
  problem.buffers[0].pinned = 8;
  EXPECT_THAT(check(problem, {{0}}),
              ElementsAre("#0: offset 0 where it is pinned at 8"));
}

// A6, A7, A8
TEST(Validator, ViewsGapsAndGuards) {
  Problem problem;
  problem.buffers = {box(4, 0, 3), box(8, 0, 3)};
  problem.buffers[0].aliasSet = problem.buffers[1].aliasSet = 0;
  problem.buffers[0].aliasOffset = 2;
  EXPECT_THAT(check(problem, {{6}, {4}}), IsEmpty());
  EXPECT_THAT(check(problem, {{7}, {4}}),
              ElementsAre("#0 and #1: views of one block do not have one "
                          "base"));
  // A third buffer may not use what lies between two views.
  problem.buffers[1] = box(2, 2, 3);
  problem.buffers[1].aliasSet = 0;
  problem.buffers[1].aliasOffset = 20;
  problem.buffers.push_back(box(4, 1, 2));
  EXPECT_THAT(check(problem, {{2}, {20}, {8}}),
              ElementsAre("#0 [0,22) and #2 [8,12) overlap on NPU 0 at time "
                          "1"));

  problem.buffers = {box(4, 0, 9), box(4, 3, 5)};
  problem.buffers[0].gaps = {{3, 5}};
  EXPECT_THAT(check(problem, {{0}, {0}}), IsEmpty());
  problem.buffers[1].live.upper = 6;
  EXPECT_THAT(check(problem, {{0}, {0}}),
              ElementsAre("#1 [0,4) and #0 [0,4) overlap on NPU 0 at time 5"));

  problem.buffers = {box(4, 0, 9), box(4, 3, 5)};
  problem.buffers[0].guard = 2;
  EXPECT_THAT(check(problem, {{0}, {6}}), IsEmpty());
  EXPECT_THAT(check(problem, {{0}, {5}}),
              ElementsAre("#0 [0,6) and #1 [5,9) overlap on NPU 0 at time 3"));
  EXPECT_EQ(getPeak(problem, {{6}, {0}}), 12);
}

// A9, A10
TEST(Validator, NpusThatDoNotMeetShareAddresses) {
  Problem problem;
  problem.memory.npus = 4;
  problem.buffers = {box(4, 0, 3), box(4, 0, 3)};
  for (Buffer &buffer : problem.buffers) {
    buffer.npuSpan = 2;
    buffer.startNpus = 0b1101;
  }
  EXPECT_THAT(check(problem, {{0, 0}, {0, 2}}), IsEmpty());
  EXPECT_THAT(check(problem, {{0, 0}, {0, 1}}),
              ElementsAre("#1: start NPU 1 is not allowed",
                          "#0 [0,4) and #1 [0,4) overlap on NPU 1 at time 0"));
  // From NPU 3 it goes on to NPU 0.
  EXPECT_THAT(check(problem, {{0, 0}, {0, 3}}),
              ElementsAre("#0 [0,4) and #1 [0,4) overlap on NPU 0 at time 0"));
  EXPECT_THAT(check(problem, {{0, 0}, {0, 9}}),
              ElementsAre("#1: start NPU 9 is not allowed"));
  problem.buffers[0].startGroup = problem.buffers[1].startGroup = 3;
  EXPECT_THAT(check(problem, {{0, 0}, {0, 2}}),
              ElementsAre("#0 and #1: start NPUs 0 and 2 differ within a "
                          "group"));
}

// A11
TEST(Validator, KeepsOutOfAvoidedBanks) {
  Problem problem;
  problem.memory.bankBytes = 16;
  problem.buffers = {box(8, 0, 3)};
  problem.buffers[0].avoidBanks = 0b10;
  EXPECT_THAT(check(problem, {{8}}), IsEmpty());
  EXPECT_THAT(check(problem, {{32}}), IsEmpty());
  EXPECT_THAT(check(problem, {{9}}),
              ElementsAre("#0: bytes [9,17) lie in bank 1, which it avoids"));
}

/// Whether two buffers of a plan meet, byte by byte.
static bool meet(const Problem &problem, const std::vector<Placement> &plan) {
  std::set<std::tuple<int64_t, int64_t, int32_t>> used;
  for (size_t i = 0; i < plan.size(); ++i) {
    const Buffer &buffer = problem.buffers[i];
    for (int64_t time = buffer.live.lower; time < buffer.live.upper; ++time) {
      bool inGap = false;
      for (mli::Interval gap : buffer.gaps)
        inGap |= gap.lower <= time && time < gap.upper;
      for (int64_t byte = 0;
           byte < buffer.size + buffer.guard && buffer.size > 0 && !inGap;
           ++byte)
        for (int32_t k = 0; k < buffer.npuSpan; ++k)
          if (!used.insert({time, plan[i].offset + byte,
                            (plan[i].startNpu + k) % problem.memory.npus})
                   .second)
            return true;
    }
  }
  return false;
}

// A1
TEST(Validator, FindsAnOverlapWhereThereIsOne) {
  RandomProblems random(7);
  int found = 0;
  for (int i = 0, count = manyOf(200000, 20000); i < count; ++i) {
    Features features = random.features();
    features.alias = false;
    Problem problem = random.make(4, features);
    std::vector<Placement> plan;
    plan.reserve(problem.buffers.size());
    for (size_t k = 0; k < problem.buffers.size(); ++k)
      plan.push_back({random.between(0, 30),
                      int32_t(random.between(0, problem.memory.npus - 1))});
    bool overlaps = false;
    for (const Violation &violation : validate(problem, plan))
      overlaps |= violation.breach == Breach::Overlap;
    ASSERT_EQ(overlaps, meet(problem, plan));
    found += overlaps;
  }
  EXPECT_GT(found, 100);
}
