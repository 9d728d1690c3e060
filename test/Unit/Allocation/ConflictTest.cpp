// SPDX-License-Identifier: Apache-2.0
//
// Explanations of small problems that do not fit.

#include "mli/Allocation/Conflict.h"
#include "SmallProblems.h"
#include "mli/Allocation/Validator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mli::allocation;
using namespace mli::allocation::test;
using testing::ElementsAre;
using testing::IsEmpty;

static Conflict explain(const Problem &problem) {
  return explain(problem, plan(problem));
}

static bool has(const Conflict &conflict, Fix::Kind kind, int64_t buffer,
                int64_t bytes) {
  return std::any_of(
      conflict.fixes.begin(), conflict.fixes.end(), [&](const Fix &fix) {
        return fix.kind == kind && fix.buffer == buffer && fix.bytes == bytes;
      });
}

// A20, A21, A22
TEST(Conflict, NamesThoseThatAreTooManyAtATime) {
  Problem problem;
  problem.memory.capacity = 10;
  problem.buffers = {box(1, 0, 9), box(6, 2, 4), box(5, 3, 6), box(3, 7, 9)};
  Conflict conflict = explain(problem);
  EXPECT_EQ(conflict.required, 12);
  EXPECT_EQ(conflict.atLeast, 12);
  EXPECT_EQ(conflict.available, 10);
  EXPECT_EQ(conflict.excess, 2);
  EXPECT_EQ(conflict.peakTime, 3);
  EXPECT_THAT(conflict.liveAtPeak, ElementsAre(0, 1, 2));
  EXPECT_THAT(conflict.core, ElementsAre(1, 2));
  EXPECT_TRUE(conflict.proven);
  EXPECT_TRUE(conflict.minimal);
  EXPECT_THAT(conflict.constraints, IsEmpty());
  EXPECT_TRUE(has(conflict, Fix::Kind::GrowCapacity, -1, 12));
  EXPECT_TRUE(has(conflict, Fix::Kind::Evict, 1, 0));
  EXPECT_TRUE(has(conflict, Fix::Kind::Shrink, 2, 3));
}

// A21, A22
TEST(Conflict, NamesTheConstraintsThatArePartOfIt) {
  Problem problem;
  problem.memory.capacity = 12;
  problem.buffers = {box(4, 0, 3), box(8, 0, 3), box(2, 5, 6)};
  problem.buffers[0].pinned = 4;
  Conflict conflict = explain(problem);
  EXPECT_THAT(conflict.core, ElementsAre(0, 1));
  ASSERT_EQ(conflict.constraints.size(), 1U);
  EXPECT_EQ(conflict.constraints[0].buffer, 0);
  EXPECT_EQ(conflict.constraints[0].constraint, Constraint::Pinned);
  ASSERT_TRUE(has(conflict, Fix::Kind::Drop, 0, 0));
  EXPECT_TRUE(has(conflict, Fix::Kind::GrowCapacity, -1, 16));
}

// A20
TEST(Conflict, SaysThatNoMemoryIsLargeEnough) {
  Problem problem;
  problem.memory.capacity = 100;
  problem.buffers = {box(4, 0, 3), box(8, 0, 3)};
  problem.buffers[0].pinned = problem.buffers[1].pinned = 8;
  Conflict conflict = explain(problem);
  EXPECT_EQ(conflict.required, 0);
  EXPECT_EQ(conflict.excess, 0);
  EXPECT_THAT(conflict.core, ElementsAre(0, 1));
  EXPECT_EQ(conflict.constraints.size(), 2U);
}

// A10, A21, A22
TEST(Conflict, TellsAStartGroupFromStartNpus) {
  Problem problem;
  problem.memory = {80, 4};
  problem.buffers = {box(40, 0, 2), box(40, 0, 2), box(40, 0, 2)};
  problem.buffers[0].startGroup = problem.buffers[1].startGroup = 1;
  problem.buffers[0].npuSpan = 2;
  problem.buffers[2].npuSpan = 4;
  problem.buffers[0].startNpus = 5;
  problem.buffers[1].startNpus = problem.buffers[2].startNpus = 15;
  Conflict conflict = explain(problem);
  EXPECT_THAT(conflict.core, ElementsAre(0, 1, 2));
  ASSERT_EQ(conflict.constraints.size(), 2U);
  for (int64_t i : {0, 1}) {
    EXPECT_EQ(conflict.constraints[i].buffer, i);
    EXPECT_EQ(conflict.constraints[i].constraint, Constraint::StartGroup);
    EXPECT_TRUE(has(conflict, Fix::Kind::Drop, i, 0));
  }
  // Of two that may start on NPU 0 alone, no group is to blame.
  problem.memory.npus = 2;
  problem.memory.capacity = 40;
  problem.buffers.pop_back();
  problem.buffers[0].npuSpan = 1;
  problem.buffers[0].startNpus = 1;
  problem.buffers[1].startNpus = 1;
  problem.buffers[0].startGroup = -1;
  conflict = explain(problem);
  ASSERT_EQ(conflict.constraints.size(), 2U);
  for (ConstraintOf part : conflict.constraints)
    EXPECT_EQ(part.constraint, Constraint::StartNpu);
}

// A20, A21
TEST(Conflict, FindsWhatContradictsItselfAmongMany) {
  Problem problem;
  for (int64_t i = 0; i < 5000; ++i)
    problem.buffers.push_back(box(4, i, i + 3));
  problem.buffers[7].pinned = 6;
  problem.buffers[7].alignment = 4;
  Conflict conflict = explain(problem);
  EXPECT_FALSE(conflict.available);
  EXPECT_EQ(conflict.lowest.status, PlanStatus::Infeasible);
  EXPECT_THAT(conflict.core, ElementsAre(7));
  EXPECT_TRUE(conflict.proven);
  EXPECT_TRUE(conflict.minimal);
  EXPECT_EQ(conflict.constraints.size(), 2U);
  EXPECT_TRUE(has(conflict, Fix::Kind::Drop, 7, 0));
  // A group whose members have no start NPU in common.
  problem.memory.npus = 2;
  problem.buffers[7].pinned.reset();
  problem.buffers[9].startGroup = problem.buffers[4000].startGroup = 3;
  problem.buffers[9].startNpus = 2;
  conflict = explain(problem);
  EXPECT_THAT(conflict.core, ElementsAre(9, 4000));
  EXPECT_TRUE(conflict.minimal);
}

/// The problem without some buffers, and one changed by a fix.
static Problem with(Problem problem, const Fix &fix) {
  switch (fix.kind) {
  case Fix::Kind::GrowCapacity:
    problem.memory.capacity = fix.bytes;
    break;
  case Fix::Kind::Shrink:
    problem.buffers[fix.buffer].size = fix.bytes;
    break;
  case Fix::Kind::Evict:
    problem.buffers[fix.buffer].size = 0;
    break;
  case Fix::Kind::Drop:
    if (fix.constraint == Constraint::Pinned)
      problem.buffers[fix.buffer].pinned.reset();
    else
      problem.buffers[fix.buffer].alignment = 1;
    break;
  }
  return problem;
}

// A21, A22
TEST(Conflict, CoresAreMinimalAndFixesHold) {
  RandomProblems random(11);
  int explained = 0;
  for (int i = 0, count = manyOf(5000, 400); i < count; ++i) {
    Features features;
    features.alignment = random.oneIn(2);
    features.pinned = random.oneIn(2);
    Problem problem = random.make(6, features);
    int64_t best = Exhaustive(problem).lowestPeak();
    if (best < 2)
      continue;
    problem.memory.capacity = random.between(best / 2, best - 1);
    Conflict conflict = explain(problem);
    ++explained;
    ASSERT_EQ(conflict.required, best);
    ASSERT_TRUE(conflict.proven);
    ASSERT_TRUE(conflict.minimal);
    for (size_t left = 0; left <= conflict.core.size(); ++left) {
      Problem part;
      part.memory = problem.memory;
      for (size_t k = 0; k < conflict.core.size(); ++k)
        if (k != left)
          part.buffers.push_back(problem.buffers[conflict.core[k]]);
      int64_t peak = Exhaustive(part).lowestPeak();
      bool fits = peak >= 0 && peak <= *problem.memory.capacity;
      ASSERT_EQ(fits, left < conflict.core.size());
    }
    ASSERT_FALSE(conflict.fixes.empty());
    for (const Fix &fix : conflict.fixes) {
      Problem fixed = with(problem, fix);
      int64_t peak = Exhaustive(fixed).lowestPeak();
      ASSERT_GE(peak, 0);
      ASSERT_LE(peak, fix.peak);
      ASSERT_LE(fix.peak, *fixed.memory.capacity);
    }
  }
  EXPECT_GT(explained, 100);
}
