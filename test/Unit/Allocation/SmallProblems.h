// SPDX-License-Identifier: Apache-2.0
//
// Random problems of a few buffers, and their lowest peak by trying everything.
// Shares no code with the planner.

#ifndef MLI_TEST_UNIT_ALLOCATION_SMALLPROBLEMS_H
#define MLI_TEST_UNIT_ALLOCATION_SMALLPROBLEMS_H

#include "mli/Allocation/Problem.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

namespace mli::allocation::test {

/// The full count if MLI_TEST_FULL is set, else a part of it.
inline int manyOf(int full, int bounded) {
  const char *wanted = std::getenv("MLI_TEST_FULL");
  return wanted && *wanted == '1' ? full : bounded;
}

/// A buffer with nothing but a size and a life.
inline Buffer box(int64_t size, int64_t lower, int64_t upper) {
  Buffer buffer;
  buffer.size = size;
  buffer.live = {lower, upper};
  return buffer;
}

/// Which constraints random buffers may have.
struct Features {
  bool alignment = false, pinned = false, gaps = false, guard = false;
  bool alias = false, banks = false, npus = false;
};

class RandomProblems {
public:
  explicit RandomProblems(uint64_t seed) : engine(seed) {}

  int64_t between(int64_t least, int64_t most) {
    return least + int64_t(engine() % uint64_t(most - least + 1));
  }
  bool oneIn(int64_t n) { return between(1, n) == 1; }

  Features features() {
    return {oneIn(3), oneIn(4), oneIn(4), oneIn(5),
            oneIn(4), oneIn(5), oneIn(4)};
  }

  Problem make(size_t mostBuffers, Features features) {
    Problem problem;
    if (features.npus)
      problem.memory.npus = int32_t(between(2, 4));
    if (features.banks)
      problem.memory.bankBytes = between(3, 8);
    auto count = size_t(between(1, int64_t(mostBuffers)));
    for (size_t i = 0; i < count; ++i)
      problem.buffers.push_back(buffer(features, problem.memory, int64_t(i)));
    return problem;
  }

private:
  Buffer buffer(Features features, const Memory &memory, int64_t tag) {
    Buffer result;
    result.size = between(oneIn(10) ? 0 : 1, 9);
    result.live.lower = between(0, 7);
    result.live.upper = result.live.lower + between(oneIn(15) ? 0 : 1, 5);
    result.tag = tag;
    if (features.alignment)
      result.alignment = between(1, 4);
    if (features.guard && oneIn(3))
      result.guard = between(1, 3);
    if (features.pinned && oneIn(4))
      result.pinned = between(0, 12);
    if (features.alias && oneIn(3)) {
      result.aliasSet = int32_t(between(0, 1));
      result.aliasOffset = between(0, 3);
    }
    if (features.banks && oneIn(3))
      result.avoidBanks = uint64_t(between(1, 7));
    int64_t life = result.live.upper - result.live.lower;
    if (features.gaps && life >= 3 && oneIn(2)) {
      int64_t from = result.live.lower + between(1, life - 2);
      result.gaps.push_back({from, from + 1});
    }
    if (!features.npus)
      return result;
    result.npuSpan = int32_t(between(1, memory.npus));
    if (oneIn(2))
      result.startNpus = uint64_t(between(1, (1 << memory.npus) - 1));
    if (oneIn(3))
      result.startNpus = ~uint64_t(0);
    if (oneIn(4))
      result.startGroup = 0;
    return result;
  }

  std::mt19937_64 engine;
};

/// Cuts a rectangle of time and bytes into pieces that fill it; some are pinned
/// where they are cut.
inline Problem cut(RandomProblems &random, size_t pieces, int64_t bytes,
                   bool pin) {
  struct Piece {
    int64_t lower, upper, begin, end;
  };
  std::vector<Piece> done = {{0, 64, 0, bytes}};
  while (done.size() < pieces) {
    auto i = size_t(random.between(0, int64_t(done.size()) - 1));
    Piece &piece = done[i];
    Piece other = piece;
    if (random.oneIn(2) && piece.upper - piece.lower > 1)
      piece.upper = other.lower =
          random.between(piece.lower + 1, piece.upper - 1);
    else if (piece.end - piece.begin > 1)
      piece.end = other.begin = random.between(piece.begin + 1, piece.end - 1);
    else
      continue;
    done.push_back(other);
  }
  Problem problem;
  problem.memory.capacity = bytes;
  for (const Piece &piece : done) {
    Buffer buffer;
    buffer.size = piece.end - piece.begin;
    buffer.live = {piece.lower, piece.upper};
    buffer.tag = int64_t(problem.buffers.size());
    if (pin && random.oneIn(10))
      buffer.pinned = piece.begin;
    problem.buffers.push_back(buffer);
  }
  return problem;
}

/// Tries every order of blocks and every choice of start NPUs.
class Exhaustive {
public:
  explicit Exhaustive(const Problem &whole) : problem(whole) {
    std::map<int32_t, size_t> sets;
    for (size_t i = 0; i < problem.buffers.size(); ++i) {
      int32_t set = problem.buffers[i].aliasSet;
      size_t block = blocks.size();
      if (set >= 0)
        block = sets.try_emplace(set, block).first->second;
      if (block == blocks.size())
        blocks.emplace_back();
      blocks[block].members.push_back(i);
    }
  }

  /// The least peak, or -1 if there is no plan.
  int64_t lowestPeak() {
    best = -1;
    assignStartNpus(0);
    return best;
  }

private:
  struct Block {
    std::vector<size_t> members;
    int32_t start = 0;
    int64_t offset = -1;
  };

  int64_t delta(size_t i) const {
    return problem.buffers[i].aliasSet < 0 ? 0 : problem.buffers[i].aliasOffset;
  }
  int64_t sizeOf(const Block &block) const {
    int64_t size = 0;
    for (size_t i : block.members)
      if (everLive({{i}}))
        size = std::max(size, delta(i) + problem.buffers[i].size +
                                  problem.buffers[i].guard);
    return size;
  }
  bool liveAt(const Block &block, int64_t time) const {
    return std::any_of(block.members.begin(), block.members.end(),
                       [&](size_t i) {
                         const Buffer &buffer = problem.buffers[i];
                         for (mli::Interval gap : buffer.gaps)
                           if (gap.lower <= time && time < gap.upper)
                             return false;
                         return buffer.size > 0 && buffer.live.lower <= time &&
                                time < buffer.live.upper;
                       });
  }
  bool on(const Block &block, int32_t npu) const {
    int32_t span = 1;
    for (size_t i : block.members)
      span = std::max(span, problem.buffers[i].npuSpan);
    int32_t npus = problem.memory.npus;
    return (npu - block.start + npus) % npus < span;
  }
  bool conflict(const Block &a, const Block &b) const {
    for (int32_t npu = 0; npu < problem.memory.npus; ++npu)
      for (int64_t time = 0; time < 16 && on(a, npu) && on(b, npu); ++time)
        if (liveAt(a, time) && liveAt(b, time))
          return true;
    return false;
  }
  bool everLive(const Block &block) const {
    for (int64_t time = 0; time < 16; ++time)
      if (liveAt(block, time))
        return true;
    return false;
  }
  bool legal(const Block &block, int64_t offset) const {
    for (size_t i : block.members) {
      const Buffer &buffer = problem.buffers[i];
      int64_t at = offset + delta(i);
      if (at % buffer.alignment != 0 || (buffer.pinned && at != *buffer.pinned))
        return false;
      for (int64_t byte = at; byte < at + buffer.size; ++byte)
        if (problem.memory.bankBytes > 0 &&
            byte / problem.memory.bankBytes < 64 &&
            buffer.avoidBanks >> (byte / problem.memory.bankBytes) & 1)
          return false;
    }
    return true;
  }
  void assignStartNpus(size_t block) {
    if (block == blocks.size()) {
      if (groupsAgree())
        placeRest();
      return;
    }
    for (int32_t start = 0; start < problem.memory.npus; ++start) {
      bool allowed = std::all_of(
          blocks[block].members.begin(), blocks[block].members.end(),
          [&](size_t i) { return problem.buffers[i].startNpus >> start & 1; });
      if (!allowed)
        continue;
      blocks[block].start = start;
      assignStartNpus(block + 1);
    }
  }
  bool groupsAgree() const {
    std::map<int32_t, std::set<int32_t>> starts;
    for (const Block &block : blocks)
      for (size_t i : block.members)
        if (problem.buffers[i].startGroup >= 0)
          starts[problem.buffers[i].startGroup].insert(block.start);
    return std::all_of(starts.begin(), starts.end(), [](const auto &entry) {
      return entry.second.size() == 1;
    });
  }
  /// Places each of the rest next, on top of what it conflicts with.
  void placeRest(int64_t peak = 0) {
    if (best >= 0 && peak >= best)
      return;
    bool done = true;
    for (Block &block : blocks) {
      if (block.offset >= 0)
        continue;
      done = false;
      int64_t offset = 0;
      for (const Block &other : blocks)
        if (other.offset >= 0 && conflict(block, other))
          offset = std::max(offset, other.offset + sizeOf(other));
      int64_t least = offset;
      while (!legal(block, offset) && offset < least + 600)
        ++offset;
      if (!legal(block, offset))
        continue;
      block.offset = offset;
      placeRest(everLive(block) ? std::max(peak, offset + sizeOf(block))
                                : peak);
      block.offset = -1;
      if (!everLive(block))
        return;
    }
    if (done)
      best = peak;
  }

  const Problem &problem;
  std::vector<Block> blocks;
  int64_t best = -1;
};

} // namespace mli::allocation::test

#endif // MLI_TEST_UNIT_ALLOCATION_SMALLPROBLEMS_H
