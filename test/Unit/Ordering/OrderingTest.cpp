// SPDX-License-Identifier: Apache-2.0

#include "RandomGraphs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

using namespace mli::ordering;
using namespace mli::ordering::test;
using testing::ElementsAre;

/// The default of the pass.
static constexpr int64_t enough = 100000;

static std::vector<int32_t> getFileOrder(const Problem &problem) {
  std::vector<int32_t> order(problem.steps.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// What holds of every order that is found.
static void check(const Problem &problem, const Order &order) {
  EXPECT_EQ(getBytes(problem, order.steps), order.bytes);
  EXPECT_EQ(getBytes(problem, getFileOrder(problem)), order.fileBytes);
  EXPECT_EQ(getFileBytes(problem), order.fileBytes);
  EXPECT_LE(order.bytes, order.fileBytes);
  EXPECT_LE(order.bound, order.bytes);
  if (order.bytes == order.fileBytes) {
    EXPECT_EQ(order.steps, getFileOrder(problem));
  }
}

static Problem makeRandom(int seed, int32_t kernels) {
  RandomGraphs random(seed);
  return seed % 2 ? random.makeSmallWorld(kernels)
                  : random.makeIndependent(kernels);
}

TEST(Ordering, empty) {
  Order order = findOrder({}, enough);
  EXPECT_TRUE(order.steps.empty());
  EXPECT_EQ(order.bytes, 0);
  EXPECT_TRUE(order.isLeast());
}

// The second branch leaves less, so it comes first.
TEST(Ordering, branches) {
  GraphWriter writer;
  int32_t input = writer.add({}, 1);
  int32_t large = writer.add({input}, 6);
  int32_t between = writer.add({input}, 8);
  int32_t small = writer.add({between}, 1);
  writer.add({large, small}, 1);
  Order order = findOrder(writer.problem, enough);
  check(writer.problem, order);
  EXPECT_THAT(order.steps, ElementsAre(0, 2, 3, 1, 4));
  EXPECT_EQ(order.fileBytes, 15);
  EXPECT_EQ(order.bytes, 10);
  EXPECT_TRUE(order.isLeast());
}

// A37
TEST(Ordering, fileWinsTies) {
  GraphWriter writer;
  int32_t input = writer.add({}, 1);
  int32_t first = writer.add({input}, 2);
  int32_t second = writer.add({input}, 2);
  writer.add({first, second}, 1);
  Order order = findOrder(writer.problem, enough);
  check(writer.problem, order);
  EXPECT_THAT(order.steps, ElementsAre(0, 1, 2, 3));
  EXPECT_TRUE(order.isLeast());
}

// Only one part has to change; the other has less in the order of the file than
// the first has in any.
TEST(Ordering, otherPartsStay) {
  GraphWriter writer;
  int32_t last = writer.add({}, 1);
  for (int64_t factor : {10, 1}) {
    int32_t large = writer.add({last}, 6 * factor);
    int32_t between = writer.add({last}, 8 * factor);
    int32_t small = writer.add({between}, factor);
    last = writer.add({large, small}, 1);
  }
  Order order = findOrder(writer.problem, enough);
  check(writer.problem, order);
  EXPECT_THAT(order.steps, ElementsAre(0, 2, 3, 1, 4, 5, 6, 7, 8));
}

TEST(Ordering, inPlace) {
  GraphWriter writer;
  int32_t input = writer.add({}, 4);
  int32_t over = writer.add({input}, 4, /*isInPlace=*/true);
  int32_t other = writer.add({input}, 1);
  writer.add({over, other}, 1);
  Order order = findOrder(writer.problem, enough);
  check(writer.problem, order);
  // Once nothing else reads the input it is overwritten.
  EXPECT_THAT(order.steps, ElementsAre(0, 2, 1, 3));
  EXPECT_EQ(order.fileBytes, 9);
  EXPECT_EQ(order.bytes, 6);
}

TEST(Ordering, scratch) {
  GraphWriter writer;
  int32_t input = writer.add({}, 1);
  int32_t large = writer.add({input}, 5);
  int32_t table = writer.add({input}, 1);
  writer.problem.steps[table].scratchBytes = 4;
  writer.add({large, table}, 1);
  Order order = findOrder(writer.problem, enough);
  check(writer.problem, order);
  EXPECT_THAT(order.steps, ElementsAre(0, 2, 1, 3));
  EXPECT_EQ(order.fileBytes, 11);
  EXPECT_EQ(order.bytes, 7);
}

// The parts of one buffer are written by several steps: it is live from the
// first of them on.
TEST(Ordering, concatenation) {
  GraphWriter writer;
  int32_t input = writer.add({}, 1);
  int32_t direct = writer.add({input}, 0);
  int32_t between = writer.add({input}, 7);
  int32_t narrow = writer.add({between}, 1);
  int32_t other = writer.add({narrow}, 0);
  int32_t reader = writer.add({direct, other}, 1);
  writer.problem.buffers.push_back({8, {direct, other, reader}});
  Order order = findOrder(writer.problem, enough);
  check(writer.problem, order);
  EXPECT_THAT(order.steps, ElementsAre(0, 2, 3, 1, 4, 5));
  EXPECT_EQ(order.fileBytes, 16);
  EXPECT_EQ(order.bytes, 10);
}

TEST(Ordering, equalToAllOrders) {
  for (int seed = 0; seed < manyOf(2000, 300); ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = makeRandom(seed, 1 + seed % 8);
    Order order = findOrder(problem, enough);
    check(problem, order);
    AllOrders all(problem);
    EXPECT_EQ(order.bytes, all.bytes);
    EXPECT_EQ(order.steps, all.best);
    EXPECT_TRUE(order.isLeast());
  }
}

// 28 kernels, the first and the last included.
TEST(Ordering, randomGraphs) {
  constexpr int seeds = 100;
  int compared = manyOf(seeds, 6);
  double logarithms = 0;
  int64_t most = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = makeRandom(seed, 26);
    Order order = findOrder(problem, enough);
    check(problem, order);
    EXPECT_TRUE(order.isLeast());
    most = std::max(most, order.nodes);
    if (seed < compared) {
      EXPECT_EQ(order.bytes, getLeastBytes(problem));
    }
    logarithms += std::log(double(order.bytes) / double(order.fileBytes));
  }
  EXPECT_LT(std::exp(logarithms / seeds), 0.9);
  EXPECT_LT(most, 20000);
  RecordProperty("geometric mean",
                 std::to_string(std::exp(logarithms / seeds)));
  RecordProperty("most nodes", std::to_string(most));
}

/// Appends an Inception module that reads `input`: four branches, of which
/// three have a kernel before the one that writes the concatenation. Kernels
/// are in the order of their distance from the input.
static int32_t addInceptionModule(GraphWriter &writer, int32_t input) {
  std::vector<int32_t> first, last;
  for (int64_t bytes : {12, 2, 8})
    first.push_back(writer.add({input}, bytes));
  last.push_back(writer.add({input}, 0));
  for (int32_t branch : first)
    last.push_back(writer.add({branch}, 0));
  int32_t end = writer.add(last, 0);
  std::vector<int32_t> users = last;
  users.push_back(end);
  // The end stands for the concatenated tensor, which its users read.
  writer.problem.buffers[end] = {10, users};
  return end;
}

TEST(Ordering, inception) {
  GraphWriter writer;
  int32_t last = writer.add({}, 10);
  for (int module = 0; module < 9; ++module)
    last = addInceptionModule(writer, last);
  writer.add({last}, 1);
  Order order = findOrder(writer.problem, enough);
  check(writer.problem, order);
  EXPECT_TRUE(order.isLeast());
  EXPECT_EQ(order.fileBytes, 42);
  EXPECT_EQ(order.bytes, 32);
  EXPECT_LE(order.nodes, 300);
}

// The input waits for its scale, which is small: nothing is gained.
TEST(Ordering, squeezeExcite) {
  GraphWriter writer;
  int32_t last = writer.add({}, 8);
  for (int block = 0; block < 16; ++block) {
    int32_t wide = writer.add({last}, 48);
    int32_t scale = writer.add({wide}, 2);
    for (int64_t bytes : {1, 2})
      scale = writer.add({scale}, bytes);
    int32_t scaled = writer.add({wide, scale}, 48, /*isInPlace=*/true);
    int32_t narrow = writer.add({scaled}, 8);
    last = writer.add({narrow, last}, 8, /*isInPlace=*/true);
  }
  Order order = findOrder(writer.problem, enough);
  check(writer.problem, order);
  EXPECT_TRUE(order.isLeast());
  EXPECT_EQ(order.steps, getFileOrder(writer.problem));
  EXPECT_LE(order.nodes, 300);
}

TEST(Ordering, deterministic) {
  Problem problem = makeRandom(1, 26);
  Order one = findOrder(problem, enough), other = findOrder(problem, enough);
  EXPECT_EQ(one.steps, other.steps);
  EXPECT_EQ(one.nodes, other.nodes);
}

// The sets of branches that have run are too many to try all of them.
TEST(Ordering, wide) {
  GraphWriter writer;
  int32_t input = writer.add({}, 1);
  std::vector<int32_t> branches, tips;
  for (int64_t i = 0; i < 64; ++i)
    branches.push_back(writer.add({input}, 2 + i % 7));
  for (int32_t branch : branches)
    tips.push_back(writer.add({branch}, 1 + branch % 2));
  writer.add(tips, 1);
  constexpr int64_t budget = 20000;
  Order order = findOrder(writer.problem, budget);
  check(writer.problem, order);
  EXPECT_LT(order.bytes, order.fileBytes);
  EXPECT_LE(order.nodes, budget + 64);
}

// A36
TEST(Ordering, budgetSpent) {
  RandomGraphs random(7);
  Problem problem = random.makeSmallWorld(300);
  Order none = findOrder(problem, 0);
  check(problem, none);
  EXPECT_EQ(none.nodes, 0);
  EXPECT_EQ(none.steps, getFileOrder(problem));
  EXPECT_FALSE(none.isLeast());
  int64_t bytes = none.bytes;
  for (int64_t budget : {100, 1000, 10000}) {
    Order order = findOrder(problem, budget);
    check(problem, order);
    EXPECT_LE(order.nodes, budget + budget / 10);
    EXPECT_FALSE(order.isLeast());
    bytes = std::min(bytes, order.bytes);
  }
  EXPECT_LT(bytes, none.bytes);
}

TEST(Ordering, chains) {
  for (int32_t kernels : {1000, 10000}) {
    GraphWriter writer;
    int32_t last = writer.add({}, 1);
    for (int32_t i = 1; i < kernels; ++i)
      last = writer.add({last}, 1 + i % 5, i % 3 == 0);
    Order order = findOrder(writer.problem, enough);
    EXPECT_EQ(order.steps, getFileOrder(writer.problem));
    EXPECT_EQ(order.bytes, 9);
    EXPECT_TRUE(order.isLeast());
    EXPECT_LE(order.nodes, 1);
  }
}
