// SPDX-License-Identifier: Apache-2.0
//
// Skyline plans against their definition, carried out step by step.

#include "Allocation/Blocks.h"
#include "Allocation/Greedy.h"
#include "SmallProblems.h"

#include <gtest/gtest.h>

using namespace mli::allocation;
using namespace mli::allocation::test;

/// Each item in turn, the one of least support, looking at all of them again.
static std::vector<int64_t> byDefinition(const Instance &instance,
                                         const std::vector<uint32_t> &order) {
  std::vector<int64_t> offsets(order.size(), -1);
  for (size_t placed = 0; placed < order.size(); ++placed) {
    int64_t least = noOffset;
    uint32_t best = 0;
    for (uint32_t item : order) {
      if (offsets[item] >= 0)
        continue;
      int64_t support = 0;
      for (uint32_t below = 0; below < offsets.size(); ++below)
        if (offsets[below] >= 0 && instance.conflict(item, below))
          support =
              std::max(support, offsets[below] + instance.items[below].size);
      support = instance.up(item, support);
      if (support >= least)
        continue;
      least = support;
      best = item;
    }
    if (least >= noOffset)
      return {};
    offsets[best] = least;
  }
  return offsets;
}

// A2
TEST(Skyline, AlwaysPlacesTheItemOfLeastSupport) {
  RandomProblems random(41);
  int spread = 0, none = 0, piles = 0;
  for (int i = 0, count = manyOf(20000, 1000); i < count; ++i) {
    Features features = random.features();
    features.pinned = false;
    Problem problem = random.make(40, features);
    // All of them live together, in some.
    bool isPile = random.oneIn(5);
    for (Buffer &buffer : problem.buffers)
      if (isPile && buffer.gaps.empty()) {
        buffer.live.lower = std::min<int64_t>(buffer.live.lower, 4);
        buffer.live.upper = std::max<int64_t>(buffer.live.upper, 6);
      }
    Blocks blocks = normalForm(problem);
    std::vector<int32_t> starts(blocks.choices.size());
    for (int32_t &start : starts)
      start = int32_t(random.between(0, problem.memory.npus - 1));
    std::vector<uint32_t> items;
    Instance instance = makeInstance(blocks, starts, items);
    auto by = random.oneIn(2) ? GreedyOrder::TZ : GreedyOrder::TWA;
    std::vector<uint32_t> order = sortItems(instance, instance.loads(), by);
    std::vector<int64_t> expected = byDefinition(instance, order);
    spread += instance.npus > 1;
    piles += isPile && instance.npus == 1 && instance.legal.empty();
    none += expected.empty() && !order.empty();
    for (int64_t end : {int64_t(1), int64_t(50), maxBytes})
      ASSERT_EQ(skyline(instance, order, end), expected);
  }
  EXPECT_GT(spread, 10);
  EXPECT_GT(none, 0);
  EXPECT_GT(piles, 10);
}
