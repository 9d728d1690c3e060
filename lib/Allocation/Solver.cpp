// SPDX-License-Identifier: Apache-2.0

#include "Allocation/Solver.h"

#include "Allocation/Bounds.h"
#include "Allocation/Greedy.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace mli::allocation {

/// Table entries above which the search of a whole instance, and above which
/// the list of neighbours, takes too much memory.
static constexpr int64_t maxSearchCost = 4000000;
static constexpr int64_t maxPairs = 24000000;
/// Pairs above which one greedy plan of a kind has to do.
static constexpr int64_t manyPairs = 1000000, manySkylinePairs = 16000000;
/// Items from which on a search of some of them may do, and above which it is
/// better than another greedy plan.
static constexpr size_t manyItems = 1500, veryManyItems = 300000;
/// Items above the target that a search of this many nodes is tried for before
/// any other greedy plan.
static constexpr size_t fewItems = 8;
static constexpr int64_t briefBudget = 4000;

Solver::Solver(const Instance &whole, Algorithm wanted)
    : live(liveBound(whole)), aligned(alignedBound(whole)), instance(whole),
      algorithm(wanted) {
  bound = aligned;
  if (instance.items.empty()) {
    peak = 0;
    winner = "first-fit";
    return;
  }
  // Items rest on one another: offsets are sums of sizes, rounded to what is
  // legal.
  unit = 0;
  for (const Item &item : instance.items)
    unit = std::gcd(unit, item.size);
  for (const LegalOffsets &legal : instance.legal)
    unit = std::gcd(unit, legal.unit());
  bound = (bound + unit - 1) / unit * unit;
}

int64_t Solver::getEnd(const std::vector<int64_t> &candidate) const {
  int64_t end = 0;
  for (size_t i = 0; i < candidate.size(); ++i)
    end = std::max(end, candidate[i] + instance.items[i].size);
  return end;
}

void Solver::offer(std::vector<int64_t> candidate, const char *name) {
  if (candidate.empty())
    return;
  int64_t end = getEnd(candidate);
  if (end >= peak)
    return;
  peak = end;
  offsets = std::move(candidate);
  winner = name;
}

/// Searches anew where the best plan is too high, if it has many items.
void Solver::lowerWindows(int64_t target, int64_t budget) {
  if (offsets.empty() || instance.items.size() <= manyItems)
    return;
  std::vector<int64_t> lowered = offsets;
  nodes += lowerByWindows(instance, target, budget, lowered);
  offer(std::move(lowered), "windows");
}

/// A handful of items may be all that is too high.
bool Solver::nearlyAt(int64_t target) const {
  size_t above = 0;
  for (size_t i = 0; i < offsets.size(); ++i)
    above += offsets[i] + instance.items[i].size > target;
  return above <= fewItems;
}

void Solver::greedy(int64_t target, int64_t budget) {
  std::vector<int64_t> loads = instance.loads();
  int64_t pairs = instance.overlappingPairs();
  bool skylines = algorithm != Algorithm::FirstFit && !instance.pinned;
  bool firstFits = algorithm != Algorithm::Skyline || instance.pinned;
  auto trySkyline = [&](GreedyOrder order) {
    if (peak > target && skylines)
      offer(skyline(instance, sortItems(instance, loads, order), bound),
            "skyline");
  };
  Rows<uint32_t> neighbours;
  auto tryFirstFit = [&](GreedyOrder order) {
    if (peak <= target || !firstFits || (pairs > maxPairs && skylines))
      return;
    if (neighbours.begins.size() == 1)
      neighbours = instance.neighbours();
    offer(firstFit(instance, neighbours, sortItems(instance, loads, order)),
          "first-fit");
  };
  trySkyline(GreedyOrder::TZ);
  if (peak > target && budget > 0 && nearlyAt(target))
    lowerWindows(target, std::min(budget, briefBudget));
  if (pairs <= manySkylinePairs && instance.items.size() <= veryManyItems)
    for (GreedyOrder order : {GreedyOrder::TWA, GreedyOrder::TAW,
                              GreedyOrder::Size, GreedyOrder::TN})
      trySkyline(order);
  else if (pairs <= manyPairs)
    trySkyline(GreedyOrder::TN);
  tryFirstFit(GreedyOrder::Size);
  if (pairs <= manyPairs)
    for (GreedyOrder order : {GreedyOrder::Area, GreedyOrder::Reach})
      tryFirstFit(order);
}

/// Makes one skyline after the other: items that end high in one come earlier
/// in the next.
void Solver::repeatSkyline(int64_t target, int64_t budget) {
  if (algorithm != Algorithm::Portfolio || instance.pinned ||
      instance.items.size() > veryManyItems ||
      instance.overlappingPairs() > manySkylinePairs)
    return;
  // A plan takes about as long as this many nodes; a few plans change little.
  int64_t cost = int64_t(instance.items.size()) / 32 + 1;
  if (budget < 8 * cost)
    return;
  std::vector<int64_t> loads = instance.loads();
  const std::vector<uint32_t> first =
      sortItems(instance, loads, GreedyOrder::TWA);
  std::vector<uint32_t> order = first;
  std::vector<double> weights(order.size(), 1);
  for (; peak > target && budget >= cost; budget -= cost) {
    nodes += cost;
    std::vector<int64_t> plan = skyline(instance, order, bound);
    if (plan.empty())
      return;
    int64_t end = getEnd(plan), high = end - (end - target) / 8;
    std::vector<std::pair<double, uint32_t>> keys;
    keys.reserve(order.size());
    for (uint32_t i = 0; i < order.size(); ++i) {
      uint32_t item = first[i];
      if (plan[item] + instance.items[item].size > high)
        weights[item] *= 1.1;
      keys.emplace_back(-double(loads[item]) * weights[item], i);
    }
    std::sort(keys.begin(), keys.end());
    for (uint32_t i = 0; i < order.size(); ++i)
      order[i] = first[keys[i].second];
    offer(std::move(plan), "skyline");
  }
}

bool Solver::searchable() {
  if (Search::cost(instance) > maxSearchCost)
    return false;
  if (!search)
    search = std::make_unique<Search>(instance);
  return true;
}

// A19
/// Run times have a long tail, so runs are short: each kind of rank and of next
/// item once as it is, then again and again with those in front that failed
/// most.
Search::Result Solver::advance(SearchSession &session, int64_t nodesLeft) {
  static constexpr Rank ranks[] = {Rank::TWA, Rank::WAT, Rank::TAW};
  constexpr int kinds = int(std::size(ranks));
  int run = session.run++;
  int round = run / (session.anyNext ? 2 * kinds : kinds);
  Next next = session.anyNext && run % 2 ? Next::Lowest : Next::Important;
  // Iteration r is as long as the greatest power of two that divides it.
  int64_t limit =
      (2 * int64_t(instance.items.size()) + 64) * std::max(round & -round, 1);
  if (run == 0)
    session.failures = {std::vector<int64_t>(search->failures.sections.size()),
                        std::vector<int64_t>(search->failures.items.size())};
  std::swap(search->failures, session.failures);
  int64_t before = search->nodes();
  Search::Result result = search->run(session.target, ranks[run % kinds], next,
                                      round > 0, std::min(limit, nodesLeft));
  nodes += search->nodes() - before;
  std::swap(search->failures, session.failures);
  if (result == Search::Result::Found)
    offer(search->offsets(), "exact");
  // A17
  if (result == Search::Result::Exhausted) {
    int64_t next = (session.target / unit + 1) * unit;
    bound = std::max(bound, next > noOffset - unit ? noOffset : next);
  }
  return result;
}

void Solver::attempt(SearchSession &session, int64_t budget) {
  for (int64_t end = nodes + budget; nodes < end;)
    if (advance(session, end - nodes) != Search::Result::Limit)
      return;
}

void Solver::fit(int64_t target, int64_t budget) {
  if (peak <= target || bound > target)
    return;
  bool searches = searchable();
  int64_t before = nodes;
  if (algorithm != Algorithm::Exact)
    lowerWindows(target, searches ? budget / 4 : budget);
  budget -= nodes - before;
  if (!searches || peak <= target)
    return;
  SearchSession session;
  session.target = target;
  session.anyNext = true;
  attempt(session, budget);
}

void Solver::minimise(int64_t budget) {
  int64_t end = nodes + budget, lowest = bound;
  fit(bound, std::min(budget / 2, std::max<int64_t>(20000, budget / 8)));
  std::vector<SearchSession> sessions;
  // A search that proved one target out of reach is likely to meet the next.
  if (bound > lowest)
    lower(sessions, nodes + (end - nodes) / 8);
  repeatSkyline(bound, (end - nodes) / 8);
  lower(sessions, end);
}

/// Which target is hard is not known: those between the bound and the best plan
/// take turns, a run each.
void Solver::lower(std::vector<SearchSession> &sessions, int64_t end) {
  while (search && peak > bound && nodes < end) {
    refill(sessions);
    for (SearchSession &session : sessions)
      if (nodes < end && session.target < peak && session.target >= bound)
        advance(session, end - nodes);
  }
}

/// Drops targets that are met or proven out of reach, and adds others where the
/// distance between two is greatest, nearer to the upper of them.
void Solver::refill(std::vector<SearchSession> &sessions) const {
  constexpr size_t wanted = 4;
  sessions.erase(std::remove_if(sessions.begin(), sessions.end(),
                                [&](const SearchSession &session) {
                                  return session.target >= peak ||
                                         session.target < bound;
                                }),
                 sessions.end());
  while (sessions.size() < wanted) {
    int64_t below = bound - unit, from = below, to = below;
    for (size_t i = 0; i <= sessions.size(); ++i) {
      int64_t next =
          i < sessions.size() ? sessions[i].target : peak / unit * unit;
      if (next - below > to - from) {
        from = below;
        to = next;
      }
      below = next;
    }
    int64_t fresh = to - std::max((to - from) / 4 / unit, int64_t(1)) * unit;
    if (fresh <= from)
      return;
    SearchSession added;
    added.target = fresh;
    sessions.insert(std::find_if(sessions.begin(), sessions.end(),
                                 [&](const SearchSession &session) {
                                   return session.target > fresh;
                                 }),
                    std::move(added));
  }
}

} // namespace mli::allocation
