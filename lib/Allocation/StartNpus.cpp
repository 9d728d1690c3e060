// SPDX-License-Identifier: Apache-2.0
//
// Chooses the start NPU of each block among those it may have.

#include "Allocation/Bounds.h"

#include <algorithm>
#include <bitset>
#include <numeric>
#include <tuple>

namespace mli::allocation {

/// All assignments are tried up to this number of them, and up to this number
/// of blocks planned for them.
static constexpr size_t maxAssignments = 256;
static constexpr size_t maxPlannedBlocks = 1 << 16;
/// Steps x NPUs looked at before the choice is no longer worth its time.
static constexpr int64_t manyLooks = int64_t(1) << 30;

static std::vector<int32_t> getBits(uint64_t mask) {
  std::vector<int32_t> bits;
  for (int32_t bit = 0; mask != 0; mask >>= 1, ++bit)
    if (mask & 1)
      bits.push_back(bit);
  return bits;
}

namespace {

/// Spreads the load over the NPUs, choice after choice.
class Spreader {
public:
  explicit Spreader(const Blocks &all) : blocks(all) {
    std::vector<int32_t> starts(blocks.choices.size(), 0);
    instance = makeInstance(blocks, starts, order);
    loads.assign(blocks.npus, std::vector<int64_t>(instance.steps, 0));
    membersOf.resize(blocks.choices.size());
    for (uint32_t i = 0; i < order.size(); ++i)
      membersOf[blocks.blocks[order[i]].choice].push_back(i);
  }

  int64_t work() const {
    int64_t result = 0;
    for (uint32_t i = 0; i < order.size(); ++i)
      result += steps(i) * blocks.blocks[order[i]].npuSpan * blocks.npus;
    return result;
  }

  /// `byArea`: the largest area first, else the largest size.
  std::vector<int32_t> spread(bool byArea) {
    for (std::vector<int64_t> &row : loads)
      std::fill(row.begin(), row.end(), 0);
    std::vector<std::tuple<bool, double, uint32_t>> keys;
    for (uint32_t c = 0; c < blocks.choices.size(); ++c) {
      double key = 0;
      for (uint32_t i : membersOf[c])
        key += double(instance.items[i].size) * (byArea ? double(steps(i)) : 1);
      bool free = (blocks.choices[c] & (blocks.choices[c] - 1)) != 0;
      keys.emplace_back(free, -key,
                        membersOf[c].empty() ? ~0U : membersOf[c].front());
    }
    std::vector<uint32_t> sequence(keys.size());
    std::iota(sequence.begin(), sequence.end(), 0);
    std::sort(sequence.begin(), sequence.end(),
              [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
    std::vector<int32_t> starts(blocks.choices.size(), 0);
    for (uint32_t c : sequence)
      starts[c] = best(c);
    // Early choices may find a better place now that all others have one.
    for (int round = 0; round < 3; ++round)
      for (uint32_t c : sequence) {
        add(c, starts[c], -1);
        starts[c] = best(c);
      }
    lowerPeaks(starts);
    return starts;
  }

private:
  /// Moves what lies at the fullest step of the fullest NPU elsewhere, as long
  /// as that makes it less full and nothing else as full.
  void lowerPeaks(std::vector<int32_t> &starts) {
    int64_t cells = int64_t(instance.steps) * blocks.npus;
    int64_t tries =
        std::min<int64_t>(2 * int64_t(starts.size()),
                          manyLooks / 4 / std::max<int64_t>(cells, 1));
    for (bool moved = true; moved && tries > 0; --tries) {
      int64_t peak = 0;
      int32_t npu = 0, step = 0;
      for (int32_t n = 0; n < blocks.npus; ++n)
        for (int32_t s = 0; s < instance.steps; ++s)
          if (loads[n][s] > peak) {
            peak = loads[n][s];
            npu = n;
            step = s;
          }
      moved = false;
      for (uint32_t i = 0; i < order.size() && !moved; ++i) {
        const Block &block = blocks.blocks[order[i]];
        uint64_t mask = blocks.choices[block.choice];
        int32_t &start = starts[block.choice];
        StepRange hull = instance.items[i].hull;
        if ((mask & (mask - 1)) == 0 || hull.first > step || hull.last < step ||
            !(npuMask(start, block.npuSpan, blocks.npus) >> npu & 1))
          continue;
        int32_t old = start;
        add(block.choice, old, -1);
        start = best(block.choice);
        int64_t highest = 0;
        forEachLoad(block.choice, start, [&](int64_t load, int64_t) {
          highest = std::max(highest, load);
        });
        moved = highest < peak;
        if (moved)
          continue;
        add(block.choice, start, -1);
        start = old;
        add(block.choice, old, 1);
      }
    }
  }

  int64_t steps(uint32_t i) const {
    return instance.items[i].hull.last - instance.items[i].hull.first + 1;
  }

  template <typename Function>
  void forEachLoad(uint32_t choice, int32_t start, Function function) {
    for (uint32_t i : membersOf[choice]) {
      const Block &block = blocks.blocks[order[i]];
      for (int32_t k = 0; k < block.npuSpan; ++k)
        for (const StepRange *r = instance.live.begin(i);
             r != instance.live.end(i); ++r)
          for (int32_t step = r->first; step <= r->last; ++step)
            function(loads[(start + k) % blocks.npus][step], block.size);
    }
  }

  void add(uint32_t choice, int32_t start, int64_t sign) {
    forEachLoad(choice, start,
                [sign](int64_t &load, int64_t size) { load += sign * size; });
  }

  /// Adds the choice's load where it makes the least difference.
  int32_t best(uint32_t choice) {
    std::tuple<int64_t, double, int32_t> least{INT64_MAX, 0, 0};
    std::vector<int32_t> allowed = getBits(blocks.choices[choice]);
    for (int32_t start : allowed) {
      int64_t highest = 0;
      double sum = 0;
      forEachLoad(choice, start, [&](int64_t load, int64_t size) {
        highest = std::max(highest, load + size);
        sum += double(load);
      });
      least = std::min(least, {highest, sum, start});
    }
    int32_t start = std::get<2>(least);
    add(choice, start, 1);
    return start;
  }

  const Blocks &blocks;
  Instance instance;
  std::vector<uint32_t> order;
  std::vector<std::vector<int64_t>> loads;
  std::vector<std::vector<uint32_t>> membersOf;
};

} // namespace

// A9
StartAssignments assignStarts(const Blocks &blocks) {
  StartAssignments result;
  std::vector<int32_t> lowest;
  lowest.reserve(blocks.choices.size());
  size_t assignments = 1;
  for (uint64_t mask : blocks.choices) {
    int32_t bit = 0;
    while (!(mask >> bit & 1))
      ++bit;
    lowest.push_back(bit);
    assignments = std::min(assignments * std::bitset<64>(mask).count(),
                           maxAssignments + 1);
  }
  result.complete = assignments == 1 ||
                    (assignments <= maxAssignments &&
                     assignments * blocks.blocks.size() <= maxPlannedBlocks);
  if (assignments == 1) {
    result.assignments.push_back(lowest);
    return result;
  }
  if (result.complete) {
    std::vector<std::vector<int32_t>> allowed;
    allowed.reserve(blocks.choices.size());
    for (uint64_t mask : blocks.choices)
      allowed.push_back(getBits(mask));
    for (size_t number = 0; number < assignments; ++number) {
      size_t rest = number;
      for (size_t c = 0; c < allowed.size(); ++c) {
        lowest[c] = allowed[c][rest % allowed[c].size()];
        rest /= allowed[c].size();
      }
      result.assignments.push_back(lowest);
    }
    return result;
  }
  Spreader spreader(blocks);
  if (spreader.work() <= manyLooks)
    for (bool byArea : {true, false})
      result.assignments.push_back(spreader.spread(byArea));
  result.assignments.push_back(lowest);
  return result;
}

} // namespace mli::allocation
