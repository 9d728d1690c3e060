// SPDX-License-Identifier: Apache-2.0

#include "mli/Allocation/Conflict.h"

#include "Allocation/Blocks.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace mli::allocation {

namespace {

/// For how many buffers at most the core is looked for among all of them, and
/// the nodes of one plan made on the way.
constexpr size_t manyBuffers = 3000;
constexpr int64_t smallBudget = 4000;
/// The core, and then the fixes, may take this many times the nodes of a plan;
/// a fix of a buffer has to be found in this fraction of one at first.
constexpr int64_t allowedPlans = 2;
constexpr int64_t fixesInBudget = 16;
constexpr int maxGrowths = 6;
constexpr size_t maxFixes = 3;
constexpr size_t maxCandidates = 12;

class Explanation {
public:
  Explanation(const Problem &theProblem, const Plan &theFailed,
              const PlannerOptions &theOptions)
      : problem(theProblem), failed(theFailed), options(theOptions) {
    small.budget = std::min(options.budget, smallBudget);
    small.onlyIfItFits = true;
    result.available = problem.memory.capacity;
  }

  Conflict run();

private:
  Plan attempt(const Problem &changed, const PlannerOptions &how);
  PlanStatus getStatus(const std::vector<int64_t> &buffers);
  void measure();
  void findPeak();
  std::vector<int64_t> contradiction() const;
  void findCore();
  void findConstraints();
  void findFixes();
  void findCapacity();
  bool changeBuffers(int64_t budget);
  std::vector<int64_t> candidates() const;
  bool tryFix(Fix fix, const Problem &changed, int64_t budget);
  bool holds(const std::vector<int64_t> &buffers) {
    return getStatus(buffers) == wanted;
  }

  const Problem &problem;
  const Plan &failed;
  PlannerOptions options, small;
  Conflict result;
  PlanStatus wanted = PlanStatus::Infeasible;
  /// Nodes that may still be used; nodes that are only looked at count too.
  int64_t allowance = 0;
};

} // namespace

static Problem subProblem(const Problem &problem,
                          const std::vector<int64_t> &buffers) {
  Problem part;
  part.memory = problem.memory;
  for (int64_t buffer : buffers)
    part.buffers.push_back(problem.buffers[buffer]);
  return part;
}

Plan Explanation::attempt(const Problem &changed, const PlannerOptions &how) {
  PlannerOptions limited = how;
  limited.budget = std::max<int64_t>(std::min(how.budget, allowance), 0);
  Plan result = plan(changed, limited);
  size_t share = result.placements.empty() ? 16 : 4;
  allowance -= result.nodes + int64_t(changed.buffers.size() / share) + 1;
  return result;
}

PlanStatus Explanation::getStatus(const std::vector<int64_t> &buffers) {
  return attempt(subProblem(problem, buffers), small).status;
}

// A20
void Explanation::measure() {
  result.lowest = failed;
  if (result.available) {
    Problem open = problem;
    open.memory.capacity.reset();
    result.lowest = plan(open, options);
  }
  result.atLeast = std::max(result.lowest.provenBound, failed.provenBound);
  if (!failed.placements.empty() && failed.peak < result.lowest.peak)
    result.lowest = failed;
  if (result.lowest.placements.empty())
    return;
  result.required = result.lowest.peak;
  if (result.available)
    result.excess = result.required - *result.available;
}

static bool liveAt(const Buffer &buffer, int64_t time) {
  bool inGap =
      std::any_of(buffer.gaps.begin(), buffer.gaps.end(),
                  [&](const Interval &gap) { return gap.contains(time); });
  return buffer.size > 0 && buffer.live.contains(time) && !inGap;
}

void Explanation::findPeak() {
  Blocks blocks = makeBlocks(problem);
  std::vector<uint64_t> npus(blocks.blocks.size());
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    uint32_t block = blocks.blockOf[i];
    int32_t start = 0;
    if (!result.lowest.placements.empty())
      start = result.lowest.placements[i].startNpu;
    npus[block] = npuMask(start, blocks.blocks[block].npuSpan, blocks.npus);
  }
  int64_t most = -1;
  for (int32_t npu = 0; npu < problem.memory.npus; ++npu) {
    std::vector<std::pair<int64_t, int64_t>> events;
    for (size_t i = 0; i < npus.size(); ++i)
      for (const Interval *live = blocks.live.begin(i);
           live != blocks.live.end(i) && npus[i] >> npu & 1; ++live) {
        events.emplace_back(live->lower, blocks.blocks[i].size);
        events.emplace_back(live->upper, -blocks.blocks[i].size);
      }
    std::sort(events.begin(), events.end());
    int64_t sum = 0;
    for (auto [time, size] : events) {
      sum += size;
      if (sum <= most)
        continue;
      most = sum;
      result.peakTime = time;
      result.peakNpu = npu;
    }
  }
  for (size_t i = 0; i < problem.buffers.size(); ++i)
    if (liveAt(problem.buffers[i], result.peakTime) &&
        npus[blocks.blockOf[i]] >> result.peakNpu & 1)
      result.liveAtPeak.push_back(int64_t(i));
}

/// The buffers of a block without a legal offset, or of a group without a start
/// NPU, whatever else there is; none if there is no such block or group.
std::vector<int64_t> Explanation::contradiction() const {
  Blocks blocks = makeBlocks(problem);
  std::vector<int64_t> buffers;
  std::optional<uint32_t> choice, block;
  for (uint32_t i : blocks.blockOf) {
    if (!blocks.legal.empty() && blocks.legal[i].up(0) >= noOffset)
      block = i;
    else if (blocks.choices[blocks.blocks[i].choice] == 0)
      choice = blocks.blocks[i].choice;
    if (block || choice)
      break;
  }
  for (size_t i = 0; i < problem.buffers.size(); ++i)
    if (blocks.blockOf[i] == block ||
        blocks.blocks[blocks.blockOf[i]].choice == choice)
      buffers.push_back(int64_t(i));
  return buffers;
}

// A21
/// Leaves out ever smaller stretches of buffers as long as the rest does not
/// fit, down to single ones.
void Explanation::findCore() {
  std::vector<int64_t> core = contradiction();
  if (core.empty() && holds(result.liveAtPeak))
    core = result.liveAtPeak;
  if (core.empty()) {
    core.resize(problem.buffers.size());
    std::iota(core.begin(), core.end(), 0);
    bool many = core.size() > manyBuffers;
    if (many || !holds(core)) {
      // Without a capacity, a problem without contradictions has a plan.
      if (!result.available)
        return;
      wanted = PlanStatus::BudgetSpent;
      PlanStatus found = many ? PlanStatus::Infeasible : getStatus(core);
      if (found == PlanStatus::Infeasible)
        result.core = result.liveAtPeak;
      if (found != wanted)
        return;
    }
  }
  // The largest come last: small ones leave first, what stays is telling.
  std::sort(core.begin(), core.end(), [&](int64_t a, int64_t b) {
    return std::make_tuple(problem.buffers[a].size, -a) <
           std::make_tuple(problem.buffers[b].size, -b);
  });
  for (size_t stretch = std::max<size_t>(core.size() / 2, 1);;) {
    for (size_t at = 0; at < core.size() && allowance > 0;) {
      std::vector<int64_t> rest(core.begin(), core.begin() + at);
      size_t after = std::min(at + stretch, core.size());
      rest.insert(rest.end(), core.begin() + after, core.end());
      if (!rest.empty() && holds(rest))
        core = std::move(rest);
      else
        at += stretch;
    }
    if (stretch == 1)
      break;
    stretch = (stretch + 1) / 2;
  }
  result.proven = wanted == PlanStatus::Infeasible;
  result.minimal = allowance > 0;
  for (size_t i = 0; i < core.size() && result.minimal; ++i) {
    std::vector<int64_t> rest = core;
    rest.erase(rest.begin() + i);
    result.minimal = getStatus(rest) == PlanStatus::Placed;
  }
  std::sort(core.begin(), core.end());
  result.core = std::move(core);
}

void Explanation::findConstraints() {
  Problem part = subProblem(problem, result.core);
  for (size_t i = 0; i < result.core.size(); ++i)
    for (Constraint constraint :
         getConstraints(part.buffers[i], problem.memory)) {
      if (allowance <= 0)
        return;
      Problem changed = part;
      drop(changed.buffers[i], constraint);
      if (attempt(changed, small).status == PlanStatus::Placed)
        result.constraints.push_back({result.core[i], constraint});
    }
}

// A22
bool Explanation::tryFix(Fix fix, const Problem &changed, int64_t budget) {
  PlannerOptions quick = options;
  quick.onlyIfItFits = true;
  quick.budget = budget;
  Plan fixed = attempt(changed, quick);
  if (fixed.status != PlanStatus::Placed)
    return false;
  fix.peak = fixed.peak;
  result.fixes.push_back(fix);
  return true;
}

/// The least capacity that the planner is seen to do with. It may do better
/// still when it has less to reach, and may miss the plan that is known.
void Explanation::findCapacity() {
  int64_t bytes = result.required;
  for (int tries = 0; bytes > 0 && tries < maxGrowths; ++tries) {
    Problem changed = problem;
    changed.memory.capacity = bytes;
    bool found = tryFix({Fix::Kind::GrowCapacity, -1, {}, bytes, 0}, changed,
                        options.budget);
    if (result.fixes.size() > 1)
      result.fixes.erase(result.fixes.begin());
    if (!found && !result.fixes.empty())
      return;
    int64_t next = found ? result.fixes.back().peak : bytes + bytes / 64 + 1;
    if (std::exchange(bytes, next) == next)
      return;
  }
}

/// Buffers of the core to change: the smallest that is large enough costs
/// least, but of many it may take a larger one.
std::vector<int64_t> Explanation::candidates() const {
  std::vector<int64_t> found = result.core;
  std::sort(found.begin(), found.end(), [&](int64_t a, int64_t b) {
    auto key = [&](int64_t i) {
      int64_t size = problem.buffers[i].size;
      return std::make_tuple(size < result.excess, size, i);
    };
    return key(a) < key(b);
  });
  size_t most = problem.buffers.size() > manyBuffers ? maxFixes : maxCandidates;
  if (found.size() <= most)
    return found;
  // The indices 0, 1, 3, 6, ..., with growing distances.
  for (size_t i = 0; i < most; ++i)
    found[i] = found[std::min(i * (i + 1) / 2, found.size() - 1)];
  found.resize(most);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

void Explanation::findFixes() {
  findCapacity();
  int64_t brief = options.budget / fixesInBudget;
  for (ConstraintOf part : result.constraints) {
    Problem changed = problem;
    drop(changed.buffers[part.buffer], part.constraint);
    tryFix({Fix::Kind::Drop, part.buffer, part.constraint, 0, 0}, changed,
           brief);
  }
  if (!changeBuffers(brief))
    changeBuffers(options.budget);
}

/// Makes single buffers smaller, or leaves them out, each in `budget` nodes.
bool Explanation::changeBuffers(int64_t budget) {
  size_t before = result.fixes.size();
  for (Fix::Kind kind : {Fix::Kind::Shrink, Fix::Kind::Evict}) {
    size_t found = 0;
    for (int64_t buffer : candidates()) {
      if (found == maxFixes || allowance <= 0)
        break;
      Problem changed = problem;
      int64_t &size = changed.buffers[buffer].size;
      if (kind == Fix::Kind::Shrink &&
          (result.excess <= 0 || size <= result.excess))
        continue;
      if (kind == Fix::Kind::Shrink)
        size -= result.excess;
      else
        changed.buffers[buffer] = Buffer();
      found += tryFix({kind, buffer, {}, size, 0}, changed, budget);
    }
  }
  return result.fixes.size() > before;
}

Conflict Explanation::run() {
  measure();
  findPeak();
  allowance = allowedPlans * options.budget + smallBudget;
  findCore();
  findConstraints();
  allowance = allowedPlans * options.budget + smallBudget;
  findFixes();
  return std::move(result);
}

Conflict explain(const Problem &problem, const Plan &failed,
                 const PlannerOptions &options) {
  return Explanation(problem, failed, options).run();
}

} // namespace mli::allocation
