// SPDX-License-Identifier: Apache-2.0

#include "Allocation/Instance.h"

#include "Allocation/RangeMax.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace mli::allocation {

/// NPUs that hold the same items as the one before them need no look.
static uint64_t distinctNpus(const std::vector<Item> &items, int32_t npus) {
  uint64_t distinct = 1;
  for (const Item &item : items)
    distinct |= item.npus ^ item.npus << 1;
  return distinct & npuMask(0, npus, npus);
}

Instance makeInstance(const Blocks &blocks, const std::vector<int32_t> &starts,
                      std::vector<uint32_t> &order) {
  order.clear();
  for (uint32_t i = 0; i < blocks.blocks.size(); ++i)
    if (blocks.live.count(i) > 0)
      order.push_back(i);
  Instance instance;
  instance.items.reserve(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) {
    for (const Interval *live = blocks.live.begin(order[i]);
         live != blocks.live.end(order[i]); ++live)
      instance.live.values.push_back(
          {int32_t(live->lower), int32_t(live->upper - 1)});
    instance.live.endRow();
    const Block &block = blocks.blocks[order[i]];
    StepRange hull = {instance.live.begin(i)->first,
                      (instance.live.end(i) - 1)->last};
    instance.items.push_back(
        {block.size, hull,
         npuMask(starts[block.choice], block.npuSpan, blocks.npus)});
    instance.steps = std::max(instance.steps, hull.last + 1);
    if (blocks.legal.empty())
      continue;
    instance.legal.push_back(blocks.legal[order[i]]);
    instance.pinned |= instance.legal.back().isPinned();
  }
  instance.npus = distinctNpus(instance.items, blocks.npus);
  return instance;
}

bool Instance::conflict(uint32_t a, uint32_t b) const {
  if ((items[a].npus & items[b].npus) == 0)
    return false;
  const StepRange *i = live.begin(a), *j = live.begin(b);
  while (i != live.end(a) && j != live.end(b)) {
    if (i->first <= j->last && j->first <= i->last)
      return true;
    ++(i->last < j->last ? i : j);
  }
  return false;
}

std::vector<int64_t> Instance::overlaps() const {
  // An item overlaps those that begin before it ends, less those that end
  // before it begins.
  std::vector<int64_t> begun(steps + 1, 0), ended(steps + 1, 0);
  for (const Item &item : items) {
    ++begun[item.hull.first + 1];
    ++ended[item.hull.last + 1];
  }
  std::partial_sum(begun.begin(), begun.end(), begun.begin());
  std::partial_sum(ended.begin(), ended.end(), ended.begin());
  std::vector<int64_t> result;
  result.reserve(items.size());
  for (const Item &item : items)
    result.push_back(begun[item.hull.last + 1] - ended[item.hull.first] - 1);
  return result;
}

int64_t Instance::overlappingPairs() const {
  std::vector<int64_t> others = overlaps();
  return std::accumulate(others.begin(), others.end(), int64_t(0)) / 2;
}

Rows<uint32_t> Instance::neighbours() const {
  std::vector<uint32_t> byBegin(items.size());
  std::iota(byBegin.begin(), byBegin.end(), 0);
  std::sort(byBegin.begin(), byBegin.end(), [&](uint32_t a, uint32_t b) {
    return std::tie(items[a].hull.first, a) < std::tie(items[b].hull.first, b);
  });
  bool plain = live.values.size() == items.size() && npus == 1;
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  std::vector<uint32_t> active;
  for (uint32_t i : byBegin) {
    size_t kept = 0;
    for (uint32_t j : active) {
      if (items[j].hull.last < items[i].hull.first)
        continue;
      active[kept++] = j;
      if (plain || conflict(i, j))
        pairs.emplace_back(std::min(i, j), std::max(i, j));
    }
    active.resize(kept);
    active.push_back(i);
  }
  Rows<uint32_t> rows;
  rows.begins.assign(items.size() + 1, 0);
  for (auto [a, b] : pairs)
    ++rows.begins[a + 1], ++rows.begins[b + 1];
  std::partial_sum(rows.begins.begin(), rows.begins.end(), rows.begins.begin());
  rows.values.resize(2 * pairs.size());
  std::vector<uint32_t> next(rows.begins.begin(), rows.begins.end() - 1);
  for (auto [a, b] : pairs) {
    rows.values[next[a]++] = b;
    rows.values[next[b]++] = a;
  }
  for (size_t i = 0; i < items.size(); ++i)
    std::sort(rows.values.begin() + rows.begins[i],
              rows.values.begin() + rows.begins[i + 1]);
  return rows;
}

std::vector<int64_t> Instance::loads() const {
  std::vector<int64_t> result(items.size(), 0);
  std::vector<int64_t> sums(steps + 1);
  for (int32_t npu = 0; npu < 64; ++npu) {
    if (!(npus >> npu & 1))
      continue;
    std::fill(sums.begin(), sums.end(), 0);
    for (uint32_t i = 0; i < items.size(); ++i)
      if (items[i].npus >> npu & 1)
        for (const StepRange *r = live.begin(i); r != live.end(i); ++r) {
          sums[r->first] += items[i].size;
          sums[r->last + 1] -= items[i].size;
        }
    std::partial_sum(sums.begin(), sums.end(), sums.begin());
    RangeMax greatest(sums);
    for (uint32_t i = 0; i < items.size(); ++i)
      if (items[i].npus >> npu & 1)
        for (const StepRange *r = live.begin(i); r != live.end(i); ++r)
          result[i] = std::max(result[i], greatest.max(r->first, r->last));
  }
  return result;
}

} // namespace mli::allocation
