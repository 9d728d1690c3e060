// SPDX-License-Identifier: Apache-2.0

#include "Allocation/Search.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace mli::allocation {

Search::Search(const Instance &instance)
    : count(instance.items.size()),
      legal(instance.legal.empty() ? nullptr : instance.legal.data()),
      adjacent(instance.neighbours()) {
  for (const Item &item : instance.items) {
    size.push_back(item.size);
    width.push_back(item.width());
    hull.push_back(item.hull);
  }
  buildSections(instance);
  lo.resize(count);
  up.resize(count);
  support.resize(count);
  skipped.resize(count);
  placed.resize(count);
  watch.resize(count);
  order.resize(count);
  itemQueued.resize(count);
  crossing.resize(instance.steps);
  failures.sections.resize(alive.size());
  failures.items.resize(count);
  sectionQueued.resize(alive.size());
}

int64_t Search::cost(const Instance &instance) {
  int64_t entries = 2 * instance.overlappingPairs();
  for (uint32_t i = 0; i < instance.items.size(); ++i)
    for (const StepRange *r = instance.live.begin(i); r != instance.live.end(i);
         ++r)
      entries += r->last - r->first + 1;
  return entries;
}

/// A section is a set of items that are live together on one NPU; sets that lie
/// in the one before or after them are left out.
void Search::buildSections(const Instance &instance) {
  std::vector<std::vector<uint32_t>> sections(count);
  for (int32_t npu = 0; npu < 64; ++npu) {
    if (!(instance.npus >> npu & 1))
      continue;
    std::vector<std::vector<uint32_t>> at(instance.steps);
    for (uint32_t i = 0; i < count; ++i)
      if (instance.items[i].npus >> npu & 1)
        for (const StepRange *r = instance.live.begin(i);
             r != instance.live.end(i); ++r)
          for (int32_t step = r->first; step <= r->last; ++step)
            at[step].push_back(i);
    for (int32_t step = 0; step < instance.steps; ++step) {
      auto within = [&](int32_t other) {
        return other >= 0 && other < instance.steps &&
               std::includes(at[other].begin(), at[other].end(),
                             at[step].begin(), at[step].end());
      };
      if (at[step].empty() || within(step - 1) ||
          (within(step + 1) && at[step + 1].size() > at[step].size()))
        continue;
      for (uint32_t item : at[step])
        sections[item].push_back(uint32_t(alive.size()));
      alive.push_back(uint32_t(at[step].size()));
      members.values.insert(members.values.end(), at[step].begin(),
                            at[step].end());
      members.endRow();
    }
  }
  for (const std::vector<uint32_t> &row : sections) {
    sectionsOf.values.insert(sectionsOf.values.end(), row.begin(), row.end());
    sectionsOf.endRow();
  }
  total.resize(alive.size());
}

void Search::reset() {
  trail.clear();
  std::fill(crossing.begin(), crossing.end(), 0);
  std::fill(total.begin(), total.end(), 0);
  for (uint32_t i = 0; i < count; ++i) {
    skipped[i] = placed[i] = false;
    watch[i] = ~0U;
    lo[i] = support[i] = legalUp(i, 0);
    up[i] = legalDown(i, capacity - size[i]);
    for (int32_t step = hull[i].first; step < hull[i].last; ++step)
      ++crossing[step];
    for (const uint32_t *s = sectionsOf.begin(i); s != sectionsOf.end(i); ++s)
      total[*s] += size[i];
  }
  for (uint32_t s = 0; s < alive.size(); ++s) {
    alive[s] = uint32_t(members.count(s));
    std::sort(members.values.begin() + members.begins[s],
              members.values.begin() + members.begins[s + 1]);
  }
}

Search::Result Search::run(int64_t target, Rank by, Next which, bool useWeights,
                           int64_t limit) {
  capacity = target;
  rank = by;
  next = which;
  weighted = useWeights;
  nodesLeft = limit;
  visits = 0;
  stopped = false;
  reset();
  for (uint32_t i = 0; i < count; ++i) {
    if (lo[i] > up[i])
      return Result::Exhausted;
    touch(i);
    touchSections(i);
  }
  if (!propagate())
    return Result::Exhausted;
  Part all;
  all.items.resize(count);
  std::iota(all.items.begin(), all.items.end(), 0);
  all.steps = {0, int32_t(crossing.size()) - 1};
  rerank(all);
  std::vector<Part> parts = split(all, ~0U);
  for (Part &part : parts)
    if (!solve(part))
      return stopped ? Result::Limit : Result::Exhausted;
  return Result::Found;
}

/// The load at the fullest section of an item, more for what failed.
double Search::importance(uint32_t item) const {
  // An item that never failed counts as if it had failed this often.
  constexpr int64_t before = 64;
  double load = 0;
  for (const uint32_t *s = sectionsOf.begin(item); s != sectionsOf.end(item);
       ++s) {
    int64_t weight = before + (weighted ? failures.sections[*s] : 0);
    load = std::max(load, double(total[*s]) * double(weight));
  }
  return load * double(before + (weighted ? failures.items[item] : 0));
}

/// Ranks the items of a part by what is left to place of it.
void Search::rerank(Part &part) {
  enum Feature { T, W, A };
  static constexpr Feature features[][3] = {{T, W, A}, {W, A, T}, {T, A, W}};
  std::vector<std::pair<std::array<double, 3>, uint32_t>> keys;
  keys.reserve(part.items.size());
  for (uint32_t item : part.items) {
    double values[] = {importance(item), double(width[item]),
                       double(width[item]) * double(size[item])};
    const Feature(&order)[3] = features[int(rank)];
    keys.push_back(
        {{-values[order[0]], -values[order[1]], -values[order[2]]}, item});
  }
  std::sort(keys.begin(), keys.end());
  for (uint32_t i = 0; i < keys.size(); ++i)
    order[keys[i].second] = i;
}

/// The item to place next: nothing that is to be placed and conflicts with it
/// can lie lower, so what is placed is all that its offset depends on.
uint32_t Search::choose(const Part &part) const {
  auto isLower = [this](uint32_t a, uint32_t b) {
    return std::tie(lo[a], order[a]) < std::tie(lo[b], order[b]);
  };
  if (next == Next::Lowest)
    return *std::min_element(part.items.begin(), part.items.end(), isLower);
  // The one that ranks first, or the lowest of those that can get below it, and
  // so on down.
  uint32_t best = *std::min_element(
      part.items.begin(), part.items.end(),
      [this](uint32_t a, uint32_t b) { return order[a] < order[b]; });
  for (uint32_t from = ~0U; from != best;) {
    from = best;
    for (const uint32_t *k = adjacent.begin(from); k != adjacent.end(from); ++k)
      if (!placed[*k] && isLower(*k, best))
        best = *k;
  }
  return best;
}

uint64_t Search::getState(const Part &part) const {
  uint64_t state = mix(~uint64_t(0), uint64_t(capacity));
  for (uint32_t item : part.items)
    state ^= mix(item * 2 + skipped[item], uint64_t(support[item]));
  return state;
}

std::vector<Search::Part> Search::split(const Part &part, uint32_t placedItem) {
  std::vector<Part> parts;
  // Steps that nothing crosses any more split the part.
  std::vector<uint32_t> getPart(part.steps.last - part.steps.first + 1);
  uint32_t number = 0;
  for (int32_t step = part.steps.first; step <= part.steps.last; ++step) {
    getPart[step - part.steps.first] = number;
    if (step == part.steps.last || crossing[step] == 0) {
      parts.push_back({{}, {0, step}});
      ++number;
    }
  }
  for (uint32_t i = 0; i < parts.size(); ++i)
    parts[i].steps.first =
        i == 0 ? part.steps.first : parts[i - 1].steps.last + 1;
  for (uint32_t item : part.items)
    if (item != placedItem)
      parts[getPart[hull[item].first - part.steps.first]].items.push_back(item);
  parts.erase(std::remove_if(parts.begin(), parts.end(),
                             [](const Part &p) { return p.items.empty(); }),
              parts.end());
  if (parts.size() < 2)
    return parts;
  // The part with the least room comes first: it fails soonest.
  std::vector<std::pair<int64_t, uint32_t>> keys;
  keys.reserve(parts.size());
  for (uint32_t i = 0; i < parts.size(); ++i) {
    rerank(parts[i]);
    keys.emplace_back(slack(parts[i]), i);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<Part> sorted;
  sorted.reserve(parts.size());
  for (const auto &key : keys)
    sorted.push_back(std::move(parts[key.second]));
  return sorted;
}

int64_t Search::slack(const Part &part) const {
  int64_t least = noOffset;
  for (uint32_t item : part.items)
    for (const uint32_t *s = sectionsOf.begin(item); s != sectionsOf.end(item);
         ++s) {
      const uint32_t *row = members.values.data() + members.begins[*s];
      int64_t floor = noOffset;
      for (uint32_t i = 0; i < alive[*s]; ++i)
        floor = std::min(floor, lo[row[i]]);
      least = std::min(least, capacity - floor - total[*s]);
    }
  return least;
}

bool Search::solveRest(Part &part, uint32_t placedItem) {
  if (splits) {
    std::vector<Part> parts = split(part, placedItem);
    return std::all_of(parts.begin(), parts.end(),
                       [&](Part &rest) { return solve(rest); });
  }
  Part rest;
  rest.steps = part.steps;
  rest.items.reserve(part.items.size());
  for (uint32_t item : part.items)
    if (item != placedItem)
      rest.items.push_back(item);
  return solve(rest);
}

// A18
bool Search::solve(Part &part) {
  if (part.items.empty())
    return true;
  uint64_t state = getState(part);
  if (table.contains(state))
    return false;
  while (true) {
    uint32_t item = choose(part);
    if (nodesLeft-- <= 0) {
      stopped = true;
      return false;
    }
    ++allNodes;
    int64_t extra = std::min(visits / visitsPerNode, nodesLeft);
    nodesLeft -= extra;
    allNodes += extra;
    visits %= visitsPerNode;
    size_t mark = trail.size();
    if ((place(item) || fail()) && propagate() && solveRest(part, item))
      return true;
    if (stopped)
      return false;
    undoTo(mark);
    skip(item);
    if (!propagate())
      break;
  }
  table.insert(state);
  return false;
}

} // namespace mli::allocation
