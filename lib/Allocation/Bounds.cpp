// SPDX-License-Identifier: Apache-2.0

#include "Allocation/Bounds.h"

#include "Allocation/RangeMax.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace mli::allocation {

/// The greatest sum over the steps of `npu` of sizes rounded up to `unit`, the
/// waste of the topmost item not counted, of the items at multiples of it; at
/// most noOffset. `Sum` holds the sums.
template <typename Sum>
static int64_t boundAt(const Instance &instance, int32_t npu, int64_t unit) {
  std::vector<Sum> sums(instance.steps + 1, 0);
  std::vector<std::pair<int64_t, uint32_t>> wastes;
  for (uint32_t i = 0; i < instance.items.size(); ++i) {
    if (!(instance.items[i].npus >> npu & 1) ||
        (unit > 1 && !instance.legal[i].areMultiplesOf(unit)))
      continue;
    int64_t size = instance.items[i].size;
    int64_t rounded = (size + unit - 1) / unit * unit;
    if (rounded > size)
      wastes.emplace_back(rounded - size, i);
    for (const StepRange *r = instance.live.begin(i); r != instance.live.end(i);
         ++r) {
      sums[r->first] += rounded;
      sums[r->last + 1] -= rounded;
    }
  }
  std::partial_sum(sums.begin(), sums.end(), sums.begin());
  auto bytes = [](Sum sum) { return int64_t(std::min<Sum>(sum, noOffset)); };
  if (wastes.empty())
    return bytes(*std::max_element(sums.begin(), sums.end()));
  std::sort(wastes.begin(), wastes.end());
  RangeMax saved(instance.steps);
  for (auto [waste, i] : wastes)
    for (const StepRange *r = instance.live.begin(i); r != instance.live.end(i);
         ++r)
      saved.raise(r->first, r->last, waste);
  int64_t bound = 0;
  for (int32_t step = 0; step < instance.steps; ++step)
    bound = std::max(bound, bytes(sums[step] - saved.max(step, step)));
  return bound;
}

template <typename Sum>
static int64_t boundAt(const Instance &instance, int64_t unit) {
  int64_t bound = 0;
  for (int32_t npu = 0; npu < 64; ++npu)
    if (instance.npus >> npu & 1)
      bound = std::max(bound, boundAt<Sum>(instance, npu, unit));
  return bound;
}

// A14
int64_t liveBound(const Instance &instance) {
  return boundAt<int64_t>(instance, 1);
}

// A15
int64_t alignedBound(const Instance &instance) {
  int64_t bound = liveBound(instance);
  std::set<int64_t> units;
  for (uint32_t i = 0; i < instance.legal.size(); ++i) {
    const LegalOffsets &legal = instance.legal[i];
    if (legal.step() > 1 && units.size() < 16)
      units.insert(legal.step());
    if (legal.isPinned())
      bound = std::max(bound, legal.pinnedOffset() + instance.items[i].size);
  }
  for (int64_t unit : units)
    bound = std::max(bound, boundAt<__int128>(instance, unit));
  return bound;
}

// A16
int64_t freeStartBound(const Blocks &blocks) {
  std::vector<int32_t> starts(blocks.choices.size(), 0);
  std::vector<uint32_t> order;
  Instance instance = makeInstance(blocks, starts, order);
  std::vector<__int128> sums(instance.steps + 1, 0);
  int64_t bound = 0;
  for (uint32_t i = 0; i < order.size(); ++i) {
    const Block &block = blocks.blocks[order[i]];
    bound = std::max(bound, block.size);
    if (!instance.legal.empty() && instance.legal[i].isPinned())
      bound = std::max(bound, instance.legal[i].pinnedOffset() + block.size);
    for (const StepRange *r = instance.live.begin(i); r != instance.live.end(i);
         ++r) {
      sums[r->first] += __int128(block.size) * block.npuSpan;
      sums[r->last + 1] -= __int128(block.size) * block.npuSpan;
    }
  }
  std::partial_sum(sums.begin(), sums.end(), sums.begin());
  for (__int128 sum : sums)
    bound = std::max(bound, int64_t((sum + blocks.npus - 1) / blocks.npus));
  return bound;
}

} // namespace mli::allocation
