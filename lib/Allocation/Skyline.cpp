// SPDX-License-Identifier: Apache-2.0
//
// The skyline plan. Items wait for the level of their support on shelves, so
// that only those of the lowest shelf have to be kept in order.

#include "Allocation/Greedy.h"
#include "Allocation/RangeMax.h"

#include <algorithm>
#include <bitset>
#include <queue>
#include <utility>

namespace mli::allocation {

namespace {

/// The tops of what is placed: one row, the steps of one NPU after those of
/// another. Items are known by their ranks, and what is read of them lies
/// together: with many items, time is spent on waiting for memory.
class Tops {
public:
  Tops(const Instance &instance, const std::vector<uint32_t> &order)
      : tops(std::bitset<64>(instance.npus).count() * instance.steps) {
    for (uint32_t item : order) {
      add(instance, item);
      stretches.endRow();
    }
    single = stretches.values.size() == order.size();
  }

  /// The greatest top below the item of a rank.
  int64_t below(uint32_t rank) const {
    if (single)
      return below(stretches.values[rank]);
    int64_t result = 0;
    for (const Stretch *s = stretches.begin(rank); s != stretches.end(rank);
         ++s)
      result = std::max(result, below(*s));
    return result;
  }
  void place(uint32_t rank, int64_t top) {
    for (const Stretch *s = stretches.begin(rank); s != stretches.end(rank);
         ++s)
      tops.raise(s->first, s->last, top);
  }

private:
  /// Entries first..last of `tops`.
  struct Stretch {
    uint32_t first, last;
  };

  void add(const Instance &instance, uint32_t item) {
    uint32_t row = 0;
    for (int32_t npu = 0; npu < 64; ++npu) {
      if (!(instance.npus >> npu & 1))
        continue;
      if (instance.items[item].npus >> npu & 1)
        for (const StepRange *r = instance.live.begin(item);
             r != instance.live.end(item); ++r)
          stretches.values.push_back(
              {row + uint32_t(r->first), row + uint32_t(r->last)});
      row += uint32_t(instance.steps);
    }
  }
  int64_t below(Stretch stretch) const {
    return tops.max(stretch.first, stretch.last);
  }

  Rows<Stretch> stretches;
  /// Each rank has one stretch.
  bool single = false;
  RangeMax tops;
};

/// Ranks that wait for the level of their offset, in shelves of equal height;
/// the topmost has no upper end. A shelf is a list through the ranks.
class Shelves {
public:
  static constexpr size_t count = 4096;

  Shelves(size_t ranks, int64_t expectedEnd)
      : height(expectedEnd / int64_t(count) + 1), heads(count, none),
        next(ranks) {}

  size_t getShelf(int64_t offset) const {
    return std::min(size_t(offset / height), count - 1);
  }
  void add(uint32_t rank, int64_t offset) {
    next[rank] = std::exchange(heads[getShelf(offset)], rank);
  }
  /// Empties a shelf; `visit` may add ranks to others.
  template <typename Function>
  void take(size_t shelf, Function visit) {
    for (uint32_t rank = std::exchange(heads[shelf], none); rank != none;) {
      uint32_t after = next[rank];
      visit(rank);
      rank = after;
    }
  }

private:
  static constexpr uint32_t none = ~0U;
  int64_t height;
  std::vector<uint32_t> heads, next;
};

} // namespace

/// Whether each item conflicts with each other one, and may lie anywhere.
static bool isOnePile(const Instance &instance) {
  if (!instance.legal.empty() || instance.npus != 1 ||
      instance.live.values.size() != instance.items.size())
    return false;
  int32_t begin = 0, end = instance.steps;
  for (const Item &item : instance.items) {
    begin = std::max(begin, item.hull.first);
    end = std::min(end, item.hull.last);
  }
  return begin <= end;
}

std::vector<int64_t> skyline(const Instance &instance,
                             const std::vector<uint32_t> &order,
                             int64_t expectedEnd) {
  std::vector<int64_t> offsets(order.size(), -1);
  // All have one support: the general way would look at each of them each time.
  if (isOnePile(instance)) {
    int64_t top = 0;
    for (uint32_t item : order)
      offsets[item] = std::exchange(top, top + instance.items[item].size);
    return offsets;
  }
  Tops tops(instance, order);
  Shelves waiting(order.size(), expectedEnd);
  for (uint32_t rank = 0; rank < order.size(); ++rank)
    waiting.add(rank, instance.up(order[rank], 0));
  // Entries may be out of date: an item's support only rises, so an item that
  // is found to be higher than it was is entered again.
  using Entry = std::pair<int64_t, uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> lowest;
  for (size_t shelf = 0; shelf < Shelves::count; ++shelf) {
    auto wait = [&](uint32_t rank) {
      int64_t support = instance.up(order[rank], tops.below(rank));
      if (waiting.getShelf(support) == shelf)
        lowest.emplace(support, rank);
      else
        waiting.add(rank, support);
    };
    waiting.take(shelf, wait);
    while (!lowest.empty()) {
      auto [offset, rank] = lowest.top();
      lowest.pop();
      if (offset >= noOffset)
        return {};
      uint32_t item = order[rank];
      if (instance.up(item, tops.below(rank)) > offset) {
        wait(rank);
        continue;
      }
      offsets[item] = offset;
      tops.place(rank, offset + instance.items[item].size);
    }
  }
  return offsets;
}

} // namespace mli::allocation
