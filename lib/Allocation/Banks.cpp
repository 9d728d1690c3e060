// SPDX-License-Identifier: Apache-2.0

#include "mli/Allocation/Banks.h"

#include "Allocation/BankRanges.h"
#include "Allocation/Blocks.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace mli::allocation {

/// The banks that ranges share with others before them, on the NPUs of `npu`;
/// `ranges` are sorted.
static int64_t sharedOn(const std::vector<BankRange> &ranges, uint64_t npu) {
  int64_t shared = 0, end = -1;
  for (const BankRange &range : ranges) {
    if ((range.npus & npu) == 0)
      continue;
    shared += std::max<int64_t>(0, std::min(end, range.last) - range.first + 1);
    end = std::max(end, range.last);
  }
  return shared;
}

// A32
int64_t countShared(std::vector<BankRange> &ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const BankRange &a, const BankRange &b) {
              return std::tie(a.first, a.last, a.npus) <
                     std::tie(b.first, b.last, b.npus);
            });
  uint64_t any = 0, all = ~uint64_t(0);
  for (const BankRange &range : ranges) {
    any |= range.npus;
    all &= range.npus;
  }
  if (any == all)
    return sharedOn(ranges, any);
  int64_t most = 0;
  for (int npu = 0; npu < 64; ++npu)
    most = std::max(most, sharedOn(ranges, any & uint64_t(1) << npu));
  return most;
}

static int64_t saturate(ConflictCount count) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  return count > most ? most : int64_t(count);
}

static ConflictCount getConflicts(const Problem &problem,
                                  const std::vector<Placement> &placements,
                                  const UsedTogether &together) {
  const Memory &memory = problem.memory;
  if (memory.bankBytes == 0)
    return 0;
  // Buffers of one block next to each other.
  std::vector<int64_t> order;
  for (int64_t i : together.buffers)
    if (problem.buffers[i].size > 0 && !problem.buffers[i].live.isEmpty())
      order.push_back(i);
  auto key = [&](int64_t i) {
    int32_t set = problem.buffers[i].aliasSet;
    return std::make_pair(set, set < 0 ? i : 0);
  };
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return std::make_pair(key(a), a) < std::make_pair(key(b), b);
  });
  std::vector<BankRange> ranges;
  for (size_t k = 0; k < order.size(); ++k) {
    const Buffer &buffer = problem.buffers[order[k]];
    int64_t begin = placements[order[k]].offset;
    BankRange range{
        begin / memory.bankBytes, (begin + buffer.size - 1) / memory.bankBytes,
        npuMask(placements[order[k]].startNpu, buffer.npuSpan, memory.npus)};
    if (k == 0 || key(order[k]) != key(order[k - 1])) {
      ranges.push_back(range);
      continue;
    }
    BankRange &block = ranges.back();
    block = {std::min(block.first, range.first),
             std::max(block.last, range.last), block.npus | range.npus};
  }
  return ConflictCount(together.times) * countShared(ranges);
}

int64_t countBankConflicts(const Problem &problem,
                           const std::vector<Placement> &placements,
                           const UsedTogether &together) {
  return saturate(getConflicts(problem, placements, together));
}

int64_t countBankConflicts(const Problem &problem,
                           const std::vector<Placement> &placements,
                           const std::vector<UsedTogether> &together) {
  ConflictCount sum = 0;
  for (const UsedTogether &use : together)
    sum += getConflicts(problem, placements, use);
  return saturate(sum);
}

} // namespace mli::allocation
