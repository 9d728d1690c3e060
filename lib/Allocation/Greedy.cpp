// SPDX-License-Identifier: Apache-2.0

#include "Allocation/Greedy.h"

#include <algorithm>
#include <tuple>

namespace mli::allocation {

std::vector<uint32_t> sortItems(const Instance &instance,
                                const std::vector<int64_t> &loads,
                                GreedyOrder order) {
  using Key = std::tuple<double, double, double, uint32_t>;
  std::vector<Key> keys;
  std::vector<int64_t> overlaps;
  if (order == GreedyOrder::TN)
    overlaps = instance.overlaps();
  for (uint32_t i = 0; i < instance.items.size(); ++i) {
    const Item &item = instance.items[i];
    double z = -double(item.size), t = -double(loads[i]);
    double w = -double(item.width()), a = -z * w;
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
    case GreedyOrder::TN:
      keys.emplace_back(t, z * double(overlaps[i]), z, i);
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

} // namespace mli::allocation
