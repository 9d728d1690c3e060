// SPDX-License-Identifier: Apache-2.0

#include "Allocation/Blocks.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace mli::allocation {

uint64_t npuMask(int32_t start, int32_t span, int32_t npus) {
  uint64_t all = npus == 64 ? ~uint64_t(0) : (uint64_t(1) << npus) - 1;
  uint64_t low = span >= 64 ? ~uint64_t(0) : (uint64_t(1) << span) - 1;
  uint64_t wrapped = start == 0 ? 0 : low >> (npus - start);
  return (low << start | (span > npus - start ? wrapped : 0)) & all;
}

// A7
/// Appends the intervals of the buffer's life in which it holds bytes.
static void addLive(const Buffer &buffer, std::vector<Interval> &out) {
  if (buffer.size == 0)
    return;
  int64_t from = buffer.live.lower;
  for (const Interval &gap : buffer.gaps) {
    if (from < gap.lower)
      out.push_back({from, gap.lower});
    from = gap.upper;
  }
  if (from < buffer.live.upper)
    out.push_back({from, buffer.live.upper});
}

namespace {

/// Gives equal numbers to equal keys, in order of first appearance.
class Numbering {
public:
  uint32_t of(int32_t key, uint32_t fresh) {
    return key < 0 ? fresh : numbers.try_emplace(key, fresh).first->second;
  }

private:
  std::unordered_map<int32_t, uint32_t> numbers;
};

/// Which choices of start NPU are the same one.
class Choices {
public:
  explicit Choices(size_t count) : parent(count) {
    std::iota(parent.begin(), parent.end(), 0);
  }
  uint32_t find(uint32_t choice) {
    while (parent[choice] != choice)
      choice = parent[choice] = parent[parent[choice]];
    return choice;
  }
  void join(uint32_t a, uint32_t b) { parent[find(a)] = find(b); }

private:
  std::vector<uint32_t> parent;
};

} // namespace

// A6
/// Writes `blockOf` and returns the members of each block.
static Rows<uint32_t> group(const Problem &problem, Blocks &result) {
  Numbering sets;
  uint32_t count = 0;
  result.blockOf.resize(problem.buffers.size());
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    uint32_t block = sets.of(problem.buffers[i].aliasSet, count);
    result.blockOf[i] = block;
    count += block == count;
  }
  Rows<uint32_t> members;
  members.begins.assign(count + 1, 0);
  for (uint32_t block : result.blockOf)
    ++members.begins[block + 1];
  std::partial_sum(members.begins.begin(), members.begins.end(),
                   members.begins.begin());
  members.values.resize(problem.buffers.size());
  std::vector<uint32_t> next(members.begins.begin(), members.begins.end() - 1);
  for (uint32_t i = 0; i < problem.buffers.size(); ++i)
    members.values[next[result.blockOf[i]]++] = i;
  return members;
}

static bool restricted(const Buffer &buffer) {
  return buffer.alignment > 1 || buffer.pinned || buffer.avoidBanks != 0;
}

static void mergeLegal(const Problem &problem, const Rows<uint32_t> &members,
                       Blocks &result) {
  if (std::none_of(problem.buffers.begin(), problem.buffers.end(), restricted))
    return;
  result.legal.resize(result.blocks.size());
  for (size_t i = 0; i < result.blocks.size(); ++i)
    for (const uint32_t *m = members.begin(i); m != members.end(i); ++m) {
      const Buffer &buffer = problem.buffers[*m];
      int64_t delta = buffer.aliasSet < 0 ? 0 : buffer.aliasOffset;
      result.legal[i].atMost(maxBytes - delta);
      if (buffer.alignment > 1)
        result.legal[i].align(delta, buffer.alignment);
      if (buffer.pinned)
        result.legal[i].pin(*buffer.pinned - delta);
      result.legal[i].avoid({delta, delta + buffer.size, buffer.avoidBanks},
                            problem.memory.bankBytes);
    }
}

// A9, A10
static void mergeChoices(const Problem &problem, Blocks &result) {
  Choices same(result.blocks.size());
  Numbering groups;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    uint32_t block = result.blockOf[i];
    if (problem.buffers[i].startGroup >= 0)
      same.join(block, groups.of(problem.buffers[i].startGroup, block));
  }
  std::vector<uint32_t> number(result.blocks.size(), ~0U);
  for (size_t i = 0; i < result.blocks.size(); ++i) {
    uint32_t root = same.find(uint32_t(i));
    if (number[root] == ~0U) {
      number[root] = uint32_t(result.choices.size());
      result.choices.push_back(npuMask(0, result.npus, result.npus));
    }
    result.blocks[i].choice = number[root];
  }
  for (size_t i = 0; i < problem.buffers.size(); ++i)
    result.choices[result.blocks[result.blockOf[i]].choice] &=
        problem.buffers[i].startNpus;
}

Blocks makeBlocks(const Problem &problem) {
  Blocks result;
  result.npus = problem.memory.npus;
  Rows<uint32_t> members = group(problem, result);
  result.blocks.resize(members.begins.size() - 1);
  std::vector<Interval> live;
  for (size_t i = 0; i < result.blocks.size(); ++i) {
    Block &block = result.blocks[i];
    live.clear();
    block.tag = problem.buffers[*members.begin(i)].tag;
    for (const uint32_t *m = members.begin(i); m != members.end(i); ++m) {
      const Buffer &buffer = problem.buffers[*m];
      int64_t delta = buffer.aliasSet < 0 ? 0 : buffer.aliasOffset;
      size_t before = live.size();
      block.tag = std::min(block.tag, buffer.tag);
      addLive(buffer, live);
      block.npuSpan = std::max(block.npuSpan, buffer.npuSpan);
      // A8
      if (live.size() > before)
        block.size = std::max(block.size, delta + buffer.size + buffer.guard);
    }
    joinTouching(live);
    result.live.values.insert(result.live.values.end(), live.begin(),
                              live.end());
    result.live.endRow();
  }
  mergeLegal(problem, members, result);
  mergeChoices(problem, result);
  return result;
}

} // namespace mli::allocation
