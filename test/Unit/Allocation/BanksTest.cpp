// SPDX-License-Identifier: Apache-2.0
//
// Banks that buffers share, byte by byte, and plans that share fewer.

#include "mli/Allocation/Banks.h"
#include "SmallProblems.h"
#include "mli/Allocation/Planner.h"
#include "mli/Allocation/Validator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mli::allocation;
using namespace mli::allocation::test;
using testing::IsEmpty;

/// The same by looking at each byte on each NPU.
static int64_t countSlowly(const Problem &problem,
                           const std::vector<Placement> &placements,
                           const UsedTogether &together) {
  int64_t most = 0;
  for (int32_t npu = 0; npu < problem.memory.npus; ++npu) {
    // The blocks that have a byte in each bank.
    std::map<int64_t, std::set<std::pair<int32_t, int64_t>>> users;
    for (int64_t i : together.buffers) {
      const Buffer &buffer = problem.buffers[i];
      const Placement &place = placements[i];
      int32_t distance =
          (npu - place.startNpu + problem.memory.npus) % problem.memory.npus;
      if (distance >= buffer.npuSpan || buffer.live.lower == buffer.live.upper)
        continue;
      for (int64_t byte = 0; byte < buffer.size; ++byte)
        users[(place.offset + byte) / problem.memory.bankBytes].insert(
            {buffer.aliasSet, buffer.aliasSet < 0 ? i : 0});
    }
    int64_t shared = 0;
    for (const auto &[bank, blocks] : users)
      shared += int64_t(blocks.size()) - 1;
    most = std::max(most, shared);
  }
  return most * together.times;
}

static int64_t countSlowly(const Problem &problem,
                           const std::vector<Placement> &placements,
                           const std::vector<UsedTogether> &together) {
  int64_t sum = 0;
  for (const UsedTogether &use : together)
    sum += countSlowly(problem, placements, use);
  return sum;
}

/// A few random buffers that are used together, several times.
static std::vector<UsedTogether> makeUses(RandomProblems &random,
                                          size_t buffers) {
  std::vector<UsedTogether> uses(size_t(random.between(1, 5)));
  for (UsedTogether &use : uses) {
    use.times = random.between(0, 3);
    for (size_t i = 0; i < buffers; ++i)
      if (random.oneIn(2))
        use.buffers.push_back(int64_t(i));
  }
  return uses;
}

// A32, A33
TEST(Banks, PlansStayRightAndShareNoMore) {
  RandomProblems random(5);
  int64_t before = 0, after = 0;
  for (int i = 0; i < manyOf(50000, 3000); ++i) {
    Features features = random.features();
    // Views of one block on other NPUs are one range of banks.
    features.npus &= !features.alias;
    Problem problem = random.make(8, features);
    problem.memory.bankBytes = random.between(1, 9);
    Plan lowest = plan(problem);
    if (lowest.status != PlanStatus::Placed)
      continue;
    std::vector<UsedTogether> uses = makeUses(random, problem.buffers.size());
    int64_t limit = random.between(0, 60);
    std::vector<Placement> apart =
        separateBanks(problem, lowest.placements, uses, limit);
    ASSERT_THAT(validate(problem, apart), IsEmpty());
    ASSERT_LE(getPeak(problem, apart), std::max(lowest.peak, limit));
    int64_t shared = countBankConflicts(problem, apart, uses);
    if (!features.alias) {
      ASSERT_EQ(shared, countSlowly(problem, apart, uses));
      ASSERT_EQ(countBankConflicts(problem, lowest.placements, uses),
                countSlowly(problem, lowest.placements, uses));
    }
    before += countBankConflicts(problem, lowest.placements, uses);
    after += shared;
    ASSERT_LE(shared, countBankConflicts(problem, lowest.placements, uses));
    for (size_t k = 0; k < apart.size(); ++k)
      ASSERT_EQ(apart[k].startNpu, lowest.placements[k].startNpu);
  }
  EXPECT_LT(after, before / 2);
}

// A33
TEST(Banks, WhatIsUsedTogetherGoesApartWhereThereIsRoom) {
  Problem problem;
  problem.memory.bankBytes = 16;
  for (int64_t i = 0; i < 4; ++i)
    problem.buffers.push_back(box(4, i, i + 2));
  std::vector<UsedTogether> uses = {{{0, 1}, 1}, {{1, 2}, 7}, {{2, 3}, 1}};
  std::vector<Placement> lowest = plan(problem).placements;
  EXPECT_EQ(countBankConflicts(problem, lowest, uses), 9);
  EXPECT_EQ(countBankConflicts(problem, lowest, uses[1]), 7);
  std::vector<Placement> apart = separateBanks(problem, lowest, uses, 64);
  EXPECT_EQ(countBankConflicts(problem, apart, uses), 0);
  // No room: nothing moves.
  std::vector<Placement> same = separateBanks(problem, lowest, uses, 8);
  EXPECT_EQ(countBankConflicts(problem, same, uses), 9);
  EXPECT_EQ(getPeak(problem, same), 8);
}

// A33
TEST(Banks, RulesOfBuffersComeFirst) {
  Problem problem;
  problem.memory.bankBytes = 16;
  problem.memory.capacity = 64;
  problem.buffers = {box(8, 0, 4), box(8, 0, 4), box(8, 0, 4)};
  problem.buffers[0].pinned = 0;
  problem.buffers[1].avoidBanks = 0b0110;
  problem.buffers[2].alignment = 24;
  std::vector<UsedTogether> uses = {{{0, 1, 2}, 1}};
  std::vector<Placement> apart =
      separateBanks(problem, plan(problem).placements, uses, 64);
  ASSERT_EQ(apart.size(), 3U);
  EXPECT_EQ(apart[0].offset, 0);
  EXPECT_EQ(apart[1].offset, 48);
  EXPECT_EQ(apart[2].offset, 24);
  EXPECT_EQ(countBankConflicts(problem, apart, uses), 0);
}

// A32
TEST(Banks, SumsEndAtTheGreatestNumber) {
  Problem problem;
  problem.memory.bankBytes = 1;
  problem.buffers = {box(maxBytes / 4, 0, 1), box(maxBytes / 4, 0, 2)};
  std::vector<Placement> same = {{0, 0}, {0, 0}};
  std::vector<UsedTogether> uses(3, {{0, 1}, int64_t(1) << 32});
  EXPECT_EQ(countBankConflicts(problem, same, uses),
            std::numeric_limits<int64_t>::max());
  problem.memory.bankBytes = 0;
  EXPECT_EQ(countBankConflicts(problem, same, uses), 0);
}
