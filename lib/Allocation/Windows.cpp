// SPDX-License-Identifier: Apache-2.0
//
// Lowers a plan that is too high here and there: searches the items above the
// target anew with their surroundings, the rest of the plan standing.

#include "Allocation/Solver.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace mli::allocation {

namespace {

/// Finds the items of a range of steps without looking at all of them.
class ByTime {
public:
  explicit ByTime(const Instance &whole) : instance(whole) {
    byFirst.resize(instance.items.size());
    std::iota(byFirst.begin(), byFirst.end(), 0);
    std::sort(byFirst.begin(), byFirst.end(), [&](uint32_t a, uint32_t b) {
      return std::tie(first(a), a) < std::tie(first(b), b);
    });
    crossing.resize(instance.steps / stride + 1);
    for (uint32_t i : byFirst)
      for (int32_t k = (first(i) + stride - 1) / stride; k * stride <= last(i);
           ++k)
        crossing[k].push_back(i);
  }

  /// Returns the items that are live at some step of `range`, in a fixed order.
  std::vector<uint32_t> at(StepRange range) const {
    int32_t mark = range.first / stride;
    std::vector<uint32_t> found;
    for (uint32_t i : crossing[mark])
      if (first(i) < mark * stride && last(i) >= range.first)
        found.push_back(i);
    auto from = std::lower_bound(
        byFirst.begin(), byFirst.end(), mark * stride,
        [&](uint32_t i, int32_t step) { return first(i) < step; });
    for (; from != byFirst.end() && first(*from) <= range.last; ++from)
      if (last(*from) >= range.first)
        found.push_back(*from);
    return found;
  }

private:
  static constexpr int32_t stride = 256;
  const int32_t &first(uint32_t i) const {
    return instance.items[i].hull.first;
  }
  int32_t last(uint32_t i) const { return instance.items[i].hull.last; }

  const Instance &instance;
  std::vector<uint32_t> byFirst;
  std::vector<std::vector<uint32_t>> crossing;
};

/// A range of steps, the items inside, and those that stick out.
struct Window {
  StepRange range;
  std::vector<uint32_t> inside, across;
};

} // namespace

static Window windowAt(const Instance &instance, const ByTime &byTime,
                       StepRange range) {
  Window window;
  window.range = range;
  for (uint32_t i : byTime.at(range)) {
    StepRange hull = instance.items[i].hull;
    bool inside = hull.first >= range.first && hull.last <= range.last;
    (inside ? window.inside : window.across).push_back(i);
  }
  return window;
}

/// The least window around `item`, by doubling, with `wanted` items inside.
static Window windowAround(const Instance &instance, const ByTime &byTime,
                           uint32_t item, size_t wanted) {
  StepRange hull = instance.items[item].hull;
  for (int32_t reach = 1;; reach *= 2) {
    StepRange range = {std::max(hull.first - reach, 0),
                       std::min(hull.last + reach, instance.steps - 1)};
    Window window = windowAt(instance, byTime, range);
    bool whole = range.first == 0 && range.last == instance.steps - 1;
    if (window.inside.size() >= wanted || whole)
      return window;
  }
}

/// The window as an instance of its own: items inside first, then those that
/// stick out, cut to the window and the target and pinned where they lie.
static Instance cutOut(const Instance &instance, const Window &window,
                       int64_t target, const std::vector<int64_t> &offsets) {
  Instance part;
  part.npus = instance.npus;
  part.steps = window.range.last - window.range.first + 1;
  part.pinned = true;
  auto add = [&](uint32_t i, bool inside) {
    int64_t size = inside
                       ? instance.items[i].size
                       : std::min(instance.items[i].size, target - offsets[i]);
    if (size <= 0)
      return;
    for (const StepRange *r = instance.live.begin(i); r != instance.live.end(i);
         ++r)
      if (r->last >= window.range.first && r->first <= window.range.last)
        part.live.values.push_back(
            {std::max(r->first, window.range.first) - window.range.first,
             std::min(r->last, window.range.last) - window.range.first});
    if (part.live.values.size() == part.live.begins.back())
      return;
    part.live.endRow();
    size_t row = part.items.size();
    part.items.push_back(
        {size,
         {part.live.begin(row)->first, (part.live.end(row) - 1)->last},
         instance.items[i].npus});
    part.legal.push_back(instance.legal.empty() ? LegalOffsets()
                                                : instance.legal[i]);
    if (!inside) {
      part.legal.back() = LegalOffsets();
      part.legal.back().pin(offsets[i]);
    }
  };
  for (uint32_t i : window.inside)
    add(i, true);
  for (uint32_t i : window.across)
    add(i, false);
  return part;
}

int64_t lowerByWindows(const Instance &instance, int64_t target, int64_t budget,
                       std::vector<int64_t> &offsets) {
  static constexpr size_t sizes[] = {60, 180, 540, 1500};
  static constexpr int64_t maxCost = 4000000;
  ByTime byTime(instance);
  auto top = [&](uint32_t i) { return offsets[i] + instance.items[i].size; };
  std::vector<uint32_t> above;
  for (uint32_t i = 0; i < offsets.size(); ++i)
    if (top(i) > target)
      above.push_back(i);
  std::sort(above.begin(), above.end(), [&](uint32_t a, uint32_t b) {
    return std::tie(instance.items[a].hull.first, a) <
           std::tie(instance.items[b].hull.first, b);
  });
  int64_t used = 0;
  for (uint32_t item : above)
    for (size_t wanted : sizes) {
      if (top(item) <= target || used >= budget)
        break;
      Window window = windowAround(instance, byTime, item, wanted);
      if (window.inside.size() > 4 * wanted)
        continue;
      Instance part = cutOut(instance, window, target, offsets);
      if (Search::cost(part) > maxCost)
        break;
      Search search(part);
      auto limit =
          std::min(3 * int64_t(part.items.size()) + 2000, budget - used);
      Search::Result result =
          search.run(target, Rank::TWA, Next::Important, false, limit);
      used += search.nodes();
      if (result != Search::Result::Found)
        continue;
      for (size_t i = 0; i < window.inside.size(); ++i)
        offsets[window.inside[i]] = search.offsets()[i];
      break;
    }
  return used;
}

} // namespace mli::allocation
