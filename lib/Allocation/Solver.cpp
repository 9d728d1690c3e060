// SPDX-License-Identifier: Apache-2.0

#include "Allocation/Solver.h"

#include "Allocation/Bounds.h"
#include "Allocation/Greedy.h"
#include "Allocation/Windows.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace mli::allocation {

/// Table entries above which the search of a whole instance, and above which
/// the list of neighbours, takes too much memory.
static constexpr int64_t mostSearchCost = 4000000;
static constexpr int64_t mostPairs = 24000000;
/// Pairs above which one greedy plan of a kind has to do.
static constexpr int64_t manyPairs = 1000000, manySkylinePairs = 16000000;
/// Items from which on a search of some of them may do, and above which it is
/// better than another greedy plan.
static constexpr size_t manyItems = 1500, veryManyItems = 300000;

Solver::Solver(const Instance &whole, Algorithm wanted)
    : live(liveBound(whole)), aligned(alignedBound(whole)), instance(whole),
      algorithm(wanted) {
  bound = aligned;
  if (instance.items.empty()) {
    peak = 0;
    winner = "first-fit";
    return;
  }
  // Items rest on one another: sums of sizes, if any offset is legal.
  if (!instance.legal.empty())
    return;
  unit = 0;
  for (const Item &item : instance.items)
    unit = std::gcd(unit, item.size);
}

void Solver::offer(std::vector<int64_t> candidate, const char *name) {
  if (candidate.empty())
    return;
  int64_t end = 0;
  for (size_t i = 0; i < candidate.size(); ++i)
    end = std::max(end, candidate[i] + instance.items[i].size);
  if (end >= peak)
    return;
  peak = end;
  offsets = std::move(candidate);
  winner = name;
}

void Solver::greedy(int64_t target) {
  std::vector<int64_t> loads = instance.loads();
  int64_t pairs = instance.overlappingPairs();
  bool skylines = algorithm != Algorithm::FirstFit && !instance.pinned;
  bool firstFits = algorithm != Algorithm::Skyline || instance.pinned;
  auto trySkyline = [&](GreedyOrder order) {
    if (peak > target && skylines)
      offer(skyline(instance, sortItems(instance, loads, order)), "skyline");
  };
  Rows<uint32_t> neighbours;
  auto tryFirstFit = [&](GreedyOrder order) {
    if (peak <= target || !firstFits || (pairs > mostPairs && skylines))
      return;
    if (neighbours.begins.size() == 1)
      neighbours = instance.neighbours();
    offer(firstFit(instance, neighbours, sortItems(instance, loads, order)),
          "first-fit");
  };
  trySkyline(GreedyOrder::TZ);
  if (pairs <= manySkylinePairs && instance.items.size() <= veryManyItems)
    for (GreedyOrder order :
         {GreedyOrder::TWA, GreedyOrder::TAW, GreedyOrder::Size})
      trySkyline(order);
  tryFirstFit(GreedyOrder::Size);
  if (pairs <= manyPairs)
    for (GreedyOrder order : {GreedyOrder::Area, GreedyOrder::Reach})
      tryFirstFit(order);
}

bool Solver::searchable() {
  if (Search::cost(instance) > mostSearchCost)
    return false;
  if (!search)
    search = std::make_unique<Search>(instance);
  return true;
}

// A19
/// Run times have a long tail, so short runs come first: each kind of rank once
/// as it is, then again and again with the sections in front that failed most.
/// In between a single long run, for the few problems that want one.
Search::Result Solver::attempt(int64_t target, int64_t budget) {
  int64_t end = search->nodes() + budget;
  int64_t brief = 2 * int64_t(instance.items.size()) + 64;
  for (int round = 0; search->nodes() < end; ++round) {
    int64_t limit = brief << std::max(round - 1, 0);
    for (size_t i = 0; i <= std::size(allRanks); ++i) {
      bool lengthy = i == std::size(allRanks);
      int64_t left = end - search->nodes();
      if (left <= 0)
        break;
      Search::Result result = search->run(
          target, lengthy ? Rank::TWA : allRanks[i], round > 0 && !lengthy,
          std::min(lengthy ? brief << (2 + round) : limit, left));
      if (result == Search::Result::Found)
        offer(search->offsets(), "exact");
      // A17
      if (result == Search::Result::Exhausted)
        bound = std::max(bound, (target / unit + 1) * unit);
      if (result != Search::Result::Limit)
        return result;
    }
  }
  return Search::Result::Limit;
}

void Solver::fit(int64_t target, int64_t budget) {
  if (peak <= target || bound > target)
    return;
  bool searches = searchable();
  if (!offsets.empty() && instance.items.size() > manyItems &&
      algorithm != Algorithm::Exact) {
    std::vector<int64_t> lowered = offsets;
    int64_t used = lowerByWindows(instance, target,
                                  searches ? budget / 4 : budget, lowered);
    offer(std::move(lowered), "windows");
    nodes += used;
    budget -= used;
  }
  if (!searches || peak <= target)
    return;
  int64_t before = search->nodes();
  attempt(target, budget);
  nodes += search->nodes() - before;
}

void Solver::minimise(int64_t budget) {
  int64_t end = nodes + budget;
  fit(bound, budget / 3);
  int64_t share = 16 * int64_t(instance.items.size());
  for (; search && peak > bound && nodes < end; share *= 2) {
    descend(end, share);
    // What was too much for a short search may not be for a longer one.
    fit(bound, std::min(2 * share, end - nodes));
  }
}

/// Goes down from the best plan in steps that double while they succeed and
/// halve while they fail.
void Solver::descend(int64_t end, int64_t share) {
  int64_t step = std::max((peak - bound) / 8 / unit, int64_t(1)) * unit;
  while (peak > bound && nodes < end) {
    int64_t before = peak;
    fit(std::max(peak - step, bound), std::min(share, end - nodes));
    if (peak == before && step == unit)
      return;
    step =
        peak < before ? 2 * step : std::max(step / 2 / unit, int64_t(1)) * unit;
  }
}

} // namespace mli::allocation
