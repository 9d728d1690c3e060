// SPDX-License-Identifier: Apache-2.0

#include "mli/Allocation/Planner.h"

#include "Allocation/Bounds.h"
#include "Allocation/NormalForm.h"
#include "Allocation/Solver.h"
#include "Allocation/StartNpus.h"
#include "mli/Allocation/Validator.h"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace mli::allocation {

namespace {

/// One way to choose start NPUs and what became of it.
struct Way {
  std::vector<int32_t> starts;
  std::vector<uint32_t> order;
  Instance instance;
  std::unique_ptr<Solver> solver;
};

} // namespace

/// The solver's offsets as placements of the buffers.
static std::vector<Placement> placements(const Problem &problem,
                                         const Blocks &blocks, const Way &way) {
  std::vector<int64_t> base(blocks.blocks.size());
  for (size_t i = 0; i < base.size(); ++i)
    base[i] = blocks.legal.empty() ? 0 : blocks.legal[i].up(0);
  for (size_t i = 0; i < way.order.size(); ++i)
    base[way.order[i]] = way.solver->offsets[i];
  std::vector<Placement> result;
  result.reserve(problem.buffers.size());
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    uint32_t block = blocks.blockOf[i];
    const Buffer &buffer = problem.buffers[i];
    result.push_back(
        {base[block] + (buffer.aliasSet < 0 ? 0 : buffer.aliasOffset),
         way.starts[blocks.blocks[block].choice]});
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

/// Whether no buffer of a plan begins behind `maxBytes`.
// A2
static bool inRange(const std::vector<Placement> &placements) {
  return std::all_of(
      placements.begin(), placements.end(),
      [](const Placement &place) { return place.offset <= maxBytes; });
}

/// Above this peak, a buffer begins behind `maxBytes`.
static int64_t highestPeak(const Blocks &blocks) {
  int64_t largest = 0;
  for (const Block &block : blocks.blocks)
    largest = std::max(largest, block.size);
  return maxBytes + largest;
}

static void solve(Way &way, const PlannerOptions &options,
                  std::optional<int64_t> capacity, int64_t budget) {
  Solver &solver = *way.solver;
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

/// Gives every way its greedy plans, and the two best of them the search; all
/// of them if that can prove something.
static Way *best(std::vector<Way> &ways, bool complete,
                 const PlannerOptions &options, std::optional<int64_t> capacity,
                 int64_t &budget) {
  std::vector<Way *> order;
  for (Way &way : ways) {
    if (ways.size() > 1)
      solve(way, options, capacity, 0);
    order.push_back(&way);
  }
  // The ways are in one vector, so that ties keep their order.
  std::sort(order.begin(), order.end(), [](Way *a, Way *b) {
    return std::make_tuple(a->solver->peak, a->solver->bound, a) <
           std::make_tuple(b->solver->peak, b->solver->bound, b);
  });
  size_t searched = complete ? order.size() : std::min<size_t>(2, order.size());
  Way *winner = order.front();
  for (size_t i = 0; i < searched; ++i) {
    Way &way = *order[i];
    bool done = capacity && !options.minimise
                    ? winner->solver->peak <= *capacity
                    : winner->solver->peak <= way.solver->bound;
    if (done && ways.size() > 1)
      continue;
    int64_t before = way.solver->nodes;
    solve(way, options, capacity, budget / int64_t(searched - i));
    budget -= way.solver->nodes - before;
    if (way.solver->peak < winner->solver->peak)
      winner = &way;
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
  StartChoices starts = chooseStarts(blocks);
  std::vector<Way> ways(starts.ways.size());
  int64_t leastLive = noOffset, leastAligned = noOffset;
  for (size_t i = 0; i < ways.size(); ++i) {
    ways[i].starts = std::move(starts.ways[i]);
    ways[i].instance = makeInstance(blocks, ways[i].starts, ways[i].order);
    ways[i].solver =
        std::make_unique<Solver>(ways[i].instance, options.algorithm);
    leastLive = std::min(leastLive, ways[i].solver->live);
    leastAligned = std::min(leastAligned, ways[i].solver->aligned);
  }
  if (!starts.complete)
    leastLive = leastAligned = freeStartBound(blocks);
  plan.liveBound = leastLive;
  plan.alignedBound = leastAligned;
  plan.provenBound = leastAligned;

  int64_t budget = options.budget;
  Way *winner = best(ways, starts.complete, options, capacity, budget);
  plan.nodes = options.budget - budget;
  if (starts.complete) {
    int64_t proven = noOffset;
    for (const Way &way : ways)
      proven = std::min(proven, way.solver->bound);
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
