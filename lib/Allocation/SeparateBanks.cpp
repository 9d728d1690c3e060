// SPDX-License-Identifier: Apache-2.0

#include "mli/Allocation/Banks.h"

#include "Allocation/BankRanges.h"
#include "Allocation/Blocks.h"
#include "Allocation/Instance.h"
#include "mli/Allocation/Validator.h"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace mli::allocation {

/// Pairs of blocks that are live together above which nothing moves.
static constexpr int64_t maxPairs = 4000000;
/// The iterations over the blocks, and the offsets that each tries for a block.
static constexpr int maxRounds = 8;
static constexpr size_t maxTrials = 64;

namespace {

/// A byte range of an item, from its begin on.
struct Part {
  uint32_t item = 0;
  int64_t begin = 0;
  int64_t end = 0;
};

/// Moves one block after the other to where it has the fewest conflicts.
class Separator {
public:
  Separator(const Problem &problem, const std::vector<Placement> &placements,
            int64_t limit)
      : problem(problem), blocks(normalForm(problem)), limit(limit) {
    std::vector<int32_t> starts(blocks.choices.size(), 0);
    for (size_t i = 0; i < placements.size(); ++i)
      starts[blocks.blocks[blocks.blockOf[i]].choice] = placements[i].startNpu;
    instance = makeInstance(blocks, starts, order);
    itemOf.assign(blocks.blocks.size(), noItem);
    for (uint32_t item = 0; item < order.size(); ++item)
      itemOf[order[item]] = item;
    offsets.resize(order.size());
    for (size_t i = 0; i < placements.size(); ++i)
      if (uint32_t item = itemOf[blocks.blockOf[i]]; item != noItem)
        offsets[item] = placements[i].offset - delta(i);
  }

  bool isSmall() const { return instance.overlappingPairs() <= maxPairs; }

  void run(const std::vector<UsedTogether> &together) {
    addUses(together);
    neighbours = instance.neighbours();
    for (int round = 0; round < maxRounds; ++round) {
      bool moves = false;
      for (uint32_t item = 0; item < offsets.size(); ++item)
        moves |= improve(item);
      if (!moves)
        return;
    }
  }

  void write(std::vector<Placement> &placements) const {
    for (size_t i = 0; i < placements.size(); ++i)
      if (uint32_t item = itemOf[blocks.blockOf[i]]; item != noItem)
        placements[i].offset = offsets[item] + delta(i);
  }

private:
  static constexpr uint32_t noItem = ~0U;

  int64_t delta(size_t i) const {
    const Buffer &buffer = problem.buffers[i];
    return buffer.aliasSet < 0 ? 0 : buffer.aliasOffset;
  }

  /// Adds the uses of several blocks, of which at least two ever hold a byte.
  void addUses(const std::vector<UsedTogether> &together) {
    std::vector<std::vector<uint32_t>> usesOfItem(offsets.size());
    std::vector<Part> parts;
    for (const UsedTogether &use : together) {
      parts.clear();
      for (int64_t i : use.buffers)
        if (uint32_t item = itemOf[blocks.blockOf[i]];
            item != noItem && problem.buffers[i].size > 0)
          parts.push_back({item, delta(i), delta(i) + problem.buffers[i].size});
      unite(parts);
      if (parts.size() < 2 || use.times == 0)
        continue;
      for (const Part &part : parts)
        usesOfItem[part.item].push_back(uint32_t(times.size()));
      uses.values.insert(uses.values.end(), parts.begin(), parts.end());
      uses.endRow();
      times.push_back(use.times);
    }
    for (const std::vector<uint32_t> &row : usesOfItem) {
      usesOf.values.insert(usesOf.values.end(), row.begin(), row.end());
      usesOf.endRow();
    }
  }

  /// Joins the parts of each item into one.
  static void unite(std::vector<Part> &parts) {
    std::sort(parts.begin(), parts.end(), [](const Part &a, const Part &b) {
      return std::tie(a.item, a.begin, a.end) <
             std::tie(b.item, b.begin, b.end);
    });
    size_t kept = 0;
    for (const Part &part : parts) {
      if (kept > 0 && parts[kept - 1].item == part.item)
        parts[kept - 1].end = std::max(parts[kept - 1].end, part.end);
      else
        parts[kept++] = part;
    }
    parts.resize(kept);
  }

  BankRange getBanks(const Part &part) const {
    int64_t bytes = problem.memory.bankBytes, offset = offsets[part.item];
    return {(offset + part.begin) / bytes, (offset + part.end - 1) / bytes,
            instance.items[part.item].npus};
  }

  /// The conflicts of all uses of `item`.
  ConflictCount conflicts(uint32_t item) {
    ConflictCount sum = 0;
    for (const uint32_t *use = usesOf.begin(item); use != usesOf.end(item);
         ++use) {
      ranges.clear();
      for (const Part *p = uses.begin(*use); p != uses.end(*use); ++p)
        ranges.push_back(getBanks(*p));
      sum += ConflictCount(times[*use]) * countShared(ranges);
    }
    return sum;
  }

  /// Collects the bytes that are taken around `item`, ascending, without
  /// overlaps.
  void findOccupied(uint32_t item) {
    occupied.clear();
    for (const uint32_t *n = neighbours.begin(item); n != neighbours.end(item);
         ++n)
      occupied.push_back({offsets[*n], offsets[*n] + instance.items[*n].size});
    joinTouching(occupied);
  }

  bool isFree(int64_t offset, int64_t size) const {
    if (offset < 0 || offset > limit - size)
      return false;
    auto next = std::upper_bound(
        occupied.begin(), occupied.end(), offset,
        [](int64_t x, const Interval &taken) { return x < taken.upper; });
    return next == occupied.end() || offset + size <= next->lower;
  }

  /// Legal offsets before and after the banks of what is used with
  /// `item`, and at the start of free ranges; the lowest first.
  void findTrials(uint32_t item) {
    trials.clear();
    auto add = [&](int64_t offset) { trials.push_back(offset); };
    auto up = [&](int64_t x) { add(instance.up(item, x)); };
    auto down = [&](int64_t x) {
      add(instance.legal.empty() || x < 0 ? x : instance.legal[item].down(x));
    };
    up(0);
    for (const Interval &taken : occupied)
      up(taken.upper);
    int64_t bytes = problem.memory.bankBytes;
    for (const uint32_t *use = usesOf.begin(item); use != usesOf.end(item);
         ++use) {
      const Part *own =
          std::find_if(uses.begin(*use), uses.end(*use),
                       [&](const Part &part) { return part.item == item; });
      for (const Part *p = uses.begin(*use); p != uses.end(*use); ++p) {
        if (p == own)
          continue;
        BankRange banks = getBanks(*p);
        up((banks.last + 1) * bytes - own->begin);
        down(banks.first * bytes - own->end);
      }
    }
    int64_t size = instance.items[item].size;
    std::sort(trials.begin(), trials.end());
    trials.erase(std::unique(trials.begin(), trials.end()), trials.end());
    trials.erase(
        std::remove_if(trials.begin(), trials.end(),
                       [&](int64_t offset) { return !isFree(offset, size); }),
        trials.end());
    if (trials.size() > maxTrials)
      trials.resize(maxTrials);
  }

  bool improve(uint32_t item) {
    bool isFixed = !instance.legal.empty() && instance.legal[item].isPinned();
    ConflictCount fewest = isFixed ? 0 : conflicts(item);
    if (fewest == 0)
      return false;
    findOccupied(item);
    findTrials(item);
    int64_t before = offsets[item], best = before;
    for (int64_t offset : trials) {
      offsets[item] = offset;
      ConflictCount count = conflicts(item);
      if (count >= fewest)
        continue;
      fewest = count;
      best = offset;
      if (fewest == 0)
        break;
    }
    offsets[item] = best;
    return best != before;
  }

  const Problem &problem;
  const Blocks blocks;
  const int64_t limit;
  Instance instance;
  /// The block of each item, and the item of each block.
  std::vector<uint32_t> order, itemOf;
  std::vector<int64_t> offsets;
  Rows<uint32_t> neighbours;
  Rows<Part> uses;
  std::vector<int64_t> times;
  Rows<uint32_t> usesOf;
  // Scratch data of the item that is looked at.
  std::vector<BankRange> ranges;
  std::vector<Interval> occupied;
  std::vector<int64_t> trials;
};

} // namespace

// A33
std::vector<Placement> separateBanks(const Problem &problem,
                                     std::vector<Placement> placements,
                                     const std::vector<UsedTogether> &together,
                                     int64_t limit) {
  if (countBankConflicts(problem, placements, together) == 0)
    return placements;
  Problem checked = problem;
  checked.memory.capacity = std::max(limit, getPeak(problem, placements));
  Separator separator(problem, placements, *checked.memory.capacity);
  if (!separator.isSmall())
    return placements;
  separator.run(together);
  std::vector<Placement> result = placements;
  separator.write(result);
  // A2
  if (validate(checked, result, 1).empty())
    return result;
  assert(false && "separating banks made a wrong plan");
  return placements;
}

} // namespace mli::allocation
