// SPDX-License-Identifier: Apache-2.0

#include "mli/Allocation/Planner.h"

#include "Allocation/Bounds.h"
#include "Allocation/Solver.h"
#include "mli/Allocation/Validator.h"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace mli::allocation {

namespace {

/// One assignment of start NPUs, with the best plan that was found for it.
struct StartCandidate {
  std::vector<int32_t> starts;
  std::vector<uint32_t> order;
  Instance instance;
  std::unique_ptr<Solver> solver;
};

} // namespace

/// The solver's offsets as placements of the buffers.
static std::vector<Placement> placements(const Problem &problem,
                                         const Blocks &blocks,
                                         const StartCandidate &candidate) {
  std::vector<int64_t> base(blocks.blocks.size());
  for (size_t i = 0; i < base.size(); ++i)
    base[i] = blocks.legal.empty() ? 0 : blocks.legal[i].up(0);
  for (size_t i = 0; i < candidate.order.size(); ++i)
    base[candidate.order[i]] = candidate.solver->offsets[i];
  std::vector<Placement> result;
  result.reserve(problem.buffers.size());
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    uint32_t block = blocks.blockOf[i];
    const Buffer &buffer = problem.buffers[i];
    result.push_back(
        {base[block] + (buffer.aliasSet < 0 ? 0 : buffer.aliasOffset),
         candidate.starts[blocks.blocks[block].choice]});
  }
  return result;
}

/// Each block has a legal offset and a start NPU, whether it holds bytes or
/// not.
static bool possible(const Blocks &blocks) {
  return std::all_of(blocks.legal.begin(), blocks.legal.end(),
                     [](const LegalOffsets &legal) {
                       return legal.up(0) < noOffset;
                     }) &&
         std::all_of(blocks.choices.begin(), blocks.choices.end(),
                     [](uint64_t starts) { return starts != 0; });
}

/// Whether no buffer of a plan begins after `maxBytes`.
// A2
static bool inRange(const std::vector<Placement> &placements) {
  return std::all_of(
      placements.begin(), placements.end(),
      [](const Placement &place) { return place.offset <= maxBytes; });
}

/// Above this peak, a buffer begins after `maxBytes`.
static int64_t highestPeak(const Blocks &blocks) {
  int64_t largest = 0;
  for (const Block &block : blocks.blocks)
    largest = std::max(largest, block.size);
  return maxBytes + largest;
}

static void solve(StartCandidate &candidate, const PlannerOptions &options,
                  std::optional<int64_t> capacity, int64_t budget) {
  Solver &solver = *candidate.solver;
  if (options.onlyIfItFits && solver.bound > capacity.value_or(noOffset))
    return;
  bool fitOnly = capacity && !options.minimise;
  bool searches = options.algorithm == Algorithm::Portfolio ||
                  options.algorithm == Algorithm::Exact;
  int64_t end = solver.nodes + budget;
  if (solver.offsets.empty() && options.algorithm != Algorithm::Exact)
    solver.greedy(fitOnly ? *capacity : solver.bound, searches ? budget : 0);
  if (!searches || solver.nodes >= end)
    return;
  if (capacity && solver.peak > *capacity)
    solver.fit(*capacity, (end - solver.nodes) / (fitOnly ? 1 : 2));
  if (!fitOnly && solver.peak > solver.bound)
    solver.minimise(end - solver.nodes);
}

/// Gives every candidate its greedy plans, and the two best of them the search;
/// all of them if that can prove something.
static StartCandidate *best(std::vector<StartCandidate> &candidates,
                            bool complete, const PlannerOptions &options,
                            std::optional<int64_t> capacity, int64_t &budget) {
  std::vector<StartCandidate *> order;
  for (StartCandidate &candidate : candidates) {
    if (candidates.size() > 1)
      solve(candidate, options, capacity, 0);
    order.push_back(&candidate);
  }
  // The candidates are in one vector, so that ties keep their order.
  std::sort(order.begin(), order.end(),
            [](StartCandidate *a, StartCandidate *b) {
              return std::make_tuple(a->solver->peak, a->solver->bound, a) <
                     std::make_tuple(b->solver->peak, b->solver->bound, b);
            });
  size_t searched = complete ? order.size() : std::min<size_t>(2, order.size());
  StartCandidate *winner = order.front();
  for (size_t i = 0; i < searched; ++i) {
    StartCandidate &candidate = *order[i];
    bool done = capacity && !options.minimise
                    ? winner->solver->peak <= *capacity
                    : winner->solver->peak <= candidate.solver->bound;
    if (done && candidates.size() > 1)
      continue;
    int64_t before = candidate.solver->nodes;
    solve(candidate, options, capacity, budget / int64_t(searched - i));
    budget -= candidate.solver->nodes - before;
    if (candidate.solver->peak < winner->solver->peak)
      winner = &candidate;
  }
  return winner;
}

static Plan solveBlocks(const Problem &problem, const PlannerOptions &options) {
  Plan plan;
  std::optional<int64_t> capacity = problem.memory.capacity;
  Blocks blocks = normalForm(problem);
  plan.status = PlanStatus::Infeasible;
  plan.provenBound = noOffset;
  if (!possible(blocks))
    return plan;
  StartAssignments starts = assignStarts(blocks);
  std::vector<StartCandidate> candidates(starts.assignments.size());
  int64_t minLive = noOffset, minAligned = noOffset;
  for (size_t i = 0; i < candidates.size(); ++i) {
    candidates[i].starts = std::move(starts.assignments[i]);
    candidates[i].instance =
        makeInstance(blocks, candidates[i].starts, candidates[i].order);
    candidates[i].solver =
        std::make_unique<Solver>(candidates[i].instance, options.algorithm);
    minLive = std::min(minLive, candidates[i].solver->live);
    minAligned = std::min(minAligned, candidates[i].solver->aligned);
  }
  if (!starts.complete)
    minLive = minAligned = freeStartBound(blocks);
  plan.liveBound = minLive;
  plan.alignedBound = minAligned;
  plan.provenBound = minAligned;

  int64_t budget = options.budget;
  StartCandidate *winner =
      best(candidates, starts.complete, options, capacity, budget);
  plan.nodes = options.budget - budget;
  if (starts.complete) {
    int64_t proven = noOffset;
    for (const StartCandidate &candidate : candidates)
      proven = std::min(proven, candidate.solver->bound);
    plan.provenBound = std::max(plan.provenBound, proven);
  }
  bool impossible = plan.provenBound > capacity.value_or(highestPeak(blocks));
  plan.status = impossible ? PlanStatus::Infeasible : PlanStatus::BudgetSpent;
  if (winner->solver->peak >= noOffset)
    return plan;
  plan.placements = placements(problem, blocks, *winner);
  if (!inRange(plan.placements)) {
    plan.placements.clear();
    return plan;
  }
  plan.peak = winner->solver->peak;
  plan.algorithm = winner->solver->winner;
  plan.optimal = plan.peak == plan.provenBound;
  if (plan.peak > 0)
    plan.fragmentation = double(plan.peak - plan.liveBound) / double(plan.peak);
  if (!capacity || plan.peak <= *capacity)
    plan.status = PlanStatus::Placed;
  return plan;
}

Plan plan(const Problem &problem, const PlannerOptions &options) {
  Plan result;
  result.error = checkProblem(problem);
  if (result.error)
    return result;
  result = solveBlocks(problem, options);
  if (result.placements.empty())
    return result;
  // A2
  Problem unbounded;
  const Problem *checked = &problem;
  if (result.status != PlanStatus::Placed) {
    unbounded = problem;
    unbounded.memory.capacity.reset();
    checked = &unbounded;
  }
  if (!validate(*checked, result.placements, 1).empty()) {
    assert(false && "the planner made a wrong plan");
    result.placements.clear();
    result.status = PlanStatus::BudgetSpent;
  }
  return result;
}

} // namespace mli::allocation
