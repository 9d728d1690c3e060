// SPDX-License-Identifier: Apache-2.0

#include "mli/Allocation/Validator.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace mli::allocation {

namespace {

/// Bytes of a block that no other block may use for a while.
struct Claim {
  int64_t lower, upper;
  int64_t begin, end;
  uint64_t npus;
  int64_t buffer;
};

class Check {
public:
  Check(const Problem &theProblem, const std::vector<Placement> &thePlacements,
        size_t theLimit)
      : problem(theProblem), placements(thePlacements), limit(theLimit) {}

  std::vector<Violation> run();

private:
  void report(Breach breach, int64_t buffer, int64_t other,
              std::string message) {
    if (found.size() < limit)
      found.push_back({breach, buffer, other, std::move(message)});
  }
  void checkAlone(int64_t i);
  void checkBanks(int64_t i);
  void checkGroups();
  std::vector<Claim> claims() const;
  void checkOverlaps(const std::vector<Claim> &all, int32_t npu);

  const Problem &problem;
  const std::vector<Placement> &placements;
  size_t limit;
  std::vector<Violation> found;
};

} // namespace

static bool inRange(int64_t offset) {
  return offset >= 0 && offset <= maxBytes;
}

static std::string name(int64_t buffer) { return "#" + std::to_string(buffer); }

static std::string range(int64_t from, int64_t to) {
  return "[" + std::to_string(from) + "," + std::to_string(to) + ")";
}

/// Whether it never holds a byte.
static bool empty(const Buffer &buffer) {
  int64_t from = buffer.live.lower;
  for (const Interval &gap : buffer.gaps) {
    if (from < gap.lower)
      return buffer.size == 0;
    from = gap.upper;
  }
  return buffer.size == 0 || from >= buffer.live.upper;
}

void Check::checkAlone(int64_t i) {
  const Buffer &buffer = problem.buffers[i];
  const Placement &place = placements[i];
  auto at = [&] {
    return name(i) + ": offset " + std::to_string(place.offset);
  };
  // A2
  if (!inRange(place.offset))
    return report(Breach::OutOfRange, i, -1,
                  at() + " is not in [0, " + std::to_string(maxBytes) + "]");
  // A3
  if (place.offset % buffer.alignment != 0)
    report(Breach::Misaligned, i, -1,
           at() + " is not a multiple of alignment " +
               std::to_string(buffer.alignment));
  // A4
  if (buffer.pinned && *buffer.pinned != place.offset)
    report(Breach::NotPinned, i, -1,
           at() + " where it is pinned at " + std::to_string(*buffer.pinned));
  // A5
  int64_t end = place.offset + buffer.size + buffer.guard;
  if (!empty(buffer) && end > problem.memory.capacity.value_or(end))
    report(Breach::AboveCapacity, i, -1,
           name(i) + ": end " + std::to_string(end) + " is above capacity " +
               std::to_string(*problem.memory.capacity));
  // A9
  if (place.startNpu < 0 || place.startNpu >= problem.memory.npus ||
      !(buffer.startNpus >> place.startNpu & 1))
    report(Breach::StartNpu, i, -1,
           name(i) + ": start NPU " + std::to_string(place.startNpu) +
               " is not allowed");
  checkBanks(i);
}

// A11
void Check::checkBanks(int64_t i) {
  const Buffer &buffer = problem.buffers[i];
  int64_t bytes = problem.memory.bankBytes;
  if (buffer.avoidBanks == 0 || bytes == 0 || buffer.size == 0)
    return;
  for (int64_t bank = 0; bank < 64; ++bank)
    if (buffer.avoidBanks >> bank & 1 &&
        placements[i].offset < (bank + 1) * bytes &&
        placements[i].offset + buffer.size > bank * bytes)
      return report(
          Breach::AvoidedBank, i, -1,
          name(i) + ": bytes " +
              range(placements[i].offset, placements[i].offset + buffer.size) +
              " lie in bank " + std::to_string(bank) + ", which it avoids");
}

// A6, A10
void Check::checkGroups() {
  std::map<int32_t, int64_t> firstOfSet, firstOfGroup;
  for (int64_t i = 0; i < int64_t(placements.size()); ++i) {
    const Buffer &buffer = problem.buffers[i];
    if (buffer.startGroup >= 0) {
      int64_t first =
          firstOfGroup.try_emplace(buffer.startGroup, i).first->second;
      if (placements[first].startNpu != placements[i].startNpu)
        report(Breach::StartGroup, first, i,
               name(first) + " and " + name(i) + ": start NPUs " +
                   std::to_string(placements[first].startNpu) + " and " +
                   std::to_string(placements[i].startNpu) +
                   " differ within a group");
    }
    if (buffer.aliasSet < 0)
      continue;
    int64_t first = firstOfSet.try_emplace(buffer.aliasSet, i).first->second;
    int64_t base =
        placements[first].offset - problem.buffers[first].aliasOffset;
    if (base < 0 || placements[i].offset - buffer.aliasOffset != base ||
        placements[first].startNpu != placements[i].startNpu)
      report(Breach::AliasOffset, first, i,
             name(first) + " and " + name(i) +
                 ": views of one block do not have one base");
  }
}

/// One claim for each stretch of a buffer's life; what is a view claims all
/// bytes of its block.
std::vector<Claim> Check::claims() const {
  struct Extent {
    int64_t end = 0;
    int32_t span = 1;
    std::vector<Claim> parts;
  };
  std::map<int32_t, Extent> sets;
  std::vector<Claim> result;
  auto npus = [&](int64_t i, int32_t span) {
    uint64_t mask = 0;
    for (int32_t k = 0; k < span; ++k)
      mask |= uint64_t(1) << (placements[i].startNpu + k) % problem.memory.npus;
    return mask;
  };
  for (int64_t i = 0; i < int64_t(placements.size()); ++i) {
    const Buffer &buffer = problem.buffers[i];
    Extent alone;
    Extent &extent = buffer.aliasSet < 0 ? alone : sets[buffer.aliasSet];
    // A8
    int64_t end = placements[i].offset + buffer.size + buffer.guard;
    if (!empty(buffer))
      extent.end = std::max(extent.end, end);
    extent.span = std::max(extent.span, buffer.npuSpan);
    // A7
    int64_t begin =
        placements[i].offset - (buffer.aliasSet < 0 ? 0 : buffer.aliasOffset);
    int64_t from = buffer.live.lower;
    for (size_t g = 0; g <= buffer.gaps.size() && buffer.size > 0; ++g) {
      bool last = g == buffer.gaps.size();
      int64_t to = last ? buffer.live.upper : buffer.gaps[g].lower;
      if (from < to)
        extent.parts.push_back(
            {from, to, begin, end, npus(i, buffer.npuSpan), i});
      if (!last)
        from = buffer.gaps[g].upper;
    }
    if (buffer.aliasSet < 0)
      result.insert(result.end(), alone.parts.begin(), alone.parts.end());
  }
  for (auto &[set, extent] : sets) {
    // Stretches of one block may overlap in time: join them.
    std::sort(extent.parts.begin(), extent.parts.end(),
              [](const Claim &a, const Claim &b) {
                return std::tie(a.lower, a.upper, a.buffer) <
                       std::tie(b.lower, b.upper, b.buffer);
              });
    std::vector<Claim> joined;
    for (Claim claim : extent.parts) {
      claim.end = extent.end;
      claim.npus = npus(claim.buffer, extent.span);
      if (!joined.empty() && claim.lower <= joined.back().upper)
        joined.back().upper = std::max(joined.back().upper, claim.upper);
      else
        joined.push_back(claim);
    }
    result.insert(result.end(), joined.begin(), joined.end());
  }
  return result;
}

// A1
void Check::checkOverlaps(const std::vector<Claim> &all, int32_t npu) {
  std::vector<std::tuple<int64_t, bool, size_t>> events;
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].npus >> npu & 1) {
      events.emplace_back(all[i].lower, true, i);
      events.emplace_back(all[i].upper, false, i);
    }
  std::sort(events.begin(), events.end());
  // The live blocks by their first byte. As long as none overlap, one that
  // begins can only overlap its two neighbours.
  std::set<std::pair<int64_t, size_t>> active;
  for (auto [time, begins, i] : events) {
    const Claim &claim = all[i];
    if (!begins) {
      active.erase({claim.begin, i});
      continue;
    }
    auto above = active.insert({claim.begin, i}).first;
    for (bool below : {true, false}) {
      auto near = above;
      if (below ? near == active.begin() : ++near == active.end())
        continue;
      const Claim &other = all[below ? (--near)->second : near->second];
      if (other.begin >= claim.end || claim.begin >= other.end)
        continue;
      report(Breach::Overlap, std::min(claim.buffer, other.buffer),
             std::max(claim.buffer, other.buffer),
             name(other.buffer) + " " + range(other.begin, other.end) +
                 " and " + name(claim.buffer) + " " +
                 range(claim.begin, claim.end) + " overlap on NPU " +
                 std::to_string(npu) + " at time " + std::to_string(time));
      if (found.size() >= limit)
        return;
    }
  }
}

std::vector<Violation> Check::run() {
  // A2
  if (placements.size() != problem.buffers.size()) {
    report(Breach::WrongCount, -1, -1,
           "expected one placement for each of " +
               std::to_string(problem.buffers.size()) + " buffers, but got " +
               std::to_string(placements.size()));
    return found;
  }
  for (int64_t i = 0; i < int64_t(placements.size()); ++i)
    checkAlone(i);
  bool sound = std::all_of(
      placements.begin(), placements.end(), [&](const Placement &place) {
        return inRange(place.offset) && place.startNpu >= 0 &&
               place.startNpu < problem.memory.npus;
      });
  if (!sound)
    return found;
  checkGroups();
  std::vector<Claim> all = claims();
  // NPUs that hold what the one before them holds need no look of their own.
  uint64_t distinct = 1;
  for (const Claim &claim : all)
    distinct |= claim.npus ^ claim.npus << 1;
  for (int32_t npu = 0; npu < problem.memory.npus; ++npu)
    if (distinct >> npu & 1 && found.size() < limit)
      checkOverlaps(all, npu);
  return found;
}

std::vector<Violation> validate(const Problem &problem,
                                const std::vector<Placement> &placements,
                                size_t limit) {
  return Check(problem, placements, limit).run();
}

int64_t getPeak(const Problem &problem,
                const std::vector<Placement> &placements) {
  int64_t peak = 0;
  for (size_t i = 0; i < placements.size(); ++i)
    if (!empty(problem.buffers[i]) && inRange(placements[i].offset))
      peak = std::max(peak, placements[i].offset + problem.buffers[i].size +
                                problem.buffers[i].guard);
  return peak;
}

} // namespace mli::allocation
