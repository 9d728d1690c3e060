// SPDX-License-Identifier: Apache-2.0

#include "Allocation/Greedy.h"

#include "Allocation/RangeMax.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace mli::allocation {

std::vector<uint32_t> sortItems(const Instance &instance,
                                const std::vector<int64_t> &loads,
                                GreedyOrder order) {
  using Key = std::tuple<double, double, double, uint32_t>;
  std::vector<Key> keys;
  for (uint32_t i = 0; i < instance.items.size(); ++i) {
    const Item &item = instance.items[i];
    double z = -double(item.size), t = -double(loads[i]);
    double w = -double(item.life), a = -z * w;
    switch (order) {
    case GreedyOrder::Size:
      keys.emplace_back(z, w, 0, i);
      break;
    case GreedyOrder::Area:
      keys.emplace_back(a, z, 0, i);
      break;
    case GreedyOrder::Reach:
      keys.emplace_back(w, z, 0, i);
      break;
    case GreedyOrder::TWA:
      keys.emplace_back(t, w, a, i);
      break;
    case GreedyOrder::TAW:
      keys.emplace_back(t, a, w, i);
      break;
    case GreedyOrder::TZ:
      keys.emplace_back(t, z, 0, i);
      break;
    }
  }
  std::sort(keys.begin(), keys.end());
  std::vector<uint32_t> result;
  result.reserve(keys.size());
  for (const Key &key : keys)
    result.push_back(std::get<3>(key));
  return result;
}

std::vector<int64_t> firstFit(const Instance &instance,
                              const Rows<uint32_t> &neighbours,
                              std::vector<uint32_t> order) {
  if (instance.pinned) {
    std::vector<uint32_t> sorted;
    for (bool pinned : {true, false})
      for (uint32_t i : order)
        if (instance.legal[i].isPinned() == pinned)
          sorted.push_back(i);
    order = std::move(sorted);
  }
  std::vector<int64_t> offsets(order.size(), -1);
  std::vector<std::pair<int64_t, int64_t>> taken;
  for (uint32_t i : order) {
    taken.clear();
    for (const uint32_t *k = neighbours.begin(i); k != neighbours.end(i); ++k)
      if (offsets[*k] >= 0)
        taken.emplace_back(offsets[*k], offsets[*k] + instance.items[*k].size);
    std::sort(taken.begin(), taken.end());
    int64_t offset = instance.up(i, 0);
    for (auto [begin, end] : taken) {
      if (offset + instance.items[i].size <= begin)
        break;
      if (end > offset)
        offset = instance.up(i, end);
    }
    if (offset >= noOffset)
      return {};
    offsets[i] = offset;
  }
  return offsets;
}

namespace {

/// The tops of what is placed, for each NPU and step.
class Tops {
public:
  explicit Tops(const Instance &whole) : instance(whole) {
    for (int32_t npu = 0; npu < 64; ++npu)
      if (instance.npus >> npu & 1) {
        npus.push_back(npu);
        tops.emplace_back(instance.steps);
      }
  }

  int64_t below(uint32_t item) const {
    int64_t result = 0;
    forEach(item, [&](size_t n, StepRange range) {
      result = std::max(result, tops[n].max(range.first, range.last));
    });
    return result;
  }
  void place(uint32_t item, int64_t top) {
    forEach(item, [&](size_t n, StepRange range) {
      tops[n].raise(range.first, range.last, top);
    });
  }

private:
  template <typename Function>
  void forEach(uint32_t item, Function function) const {
    for (size_t n = 0; n < npus.size(); ++n)
      if (instance.items[item].npus >> npus[n] & 1)
        for (const StepRange *r = instance.live.begin(item);
             r != instance.live.end(item); ++r)
          function(n, *r);
  }

  const Instance &instance;
  std::vector<int32_t> npus;
  std::vector<RangeMax> tops;
};

} // namespace

std::vector<int64_t> skyline(const Instance &instance,
                             const std::vector<uint32_t> &order) {
  // Entries may be out of date: an item's support only rises, so one that is
  // found to be higher than its entry goes back into the queue.
  using Entry = std::pair<int64_t, uint32_t>;
  std::vector<Entry> entries;
  entries.reserve(order.size());
  for (uint32_t rank = 0; rank < order.size(); ++rank)
    entries.emplace_back(instance.up(order[rank], 0), rank);
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue(
      std::greater<>(), std::move(entries));
  Tops tops(instance);
  std::vector<int64_t> offsets(order.size(), -1);
  while (!queue.empty()) {
    auto [offset, rank] = queue.top();
    queue.pop();
    uint32_t item = order[rank];
    int64_t support = instance.up(item, tops.below(item));
    if (support >= noOffset)
      return {};
    if (support > offset) {
      queue.emplace(support, rank);
      continue;
    }
    offsets[item] = offset;
    tops.place(item, offset + instance.items[item].size);
  }
  return offsets;
}

} // namespace mli::allocation
