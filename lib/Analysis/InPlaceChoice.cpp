// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/InPlaceChoice.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mli;
using allocation::Plan;
using allocation::PlannerOptions;
using allocation::PlanStatus;
using allocation::Problem;

/// Sets that are tried apart one by one.
static constexpr size_t mostTrials = 8;

static bool isPlaced(const Plan &plan) {
  return plan.status == PlanStatus::Placed;
}

static bool isBetter(const Plan &plan, const Plan &other) {
  if (isPlaced(plan) != isPlaced(other))
    return isPlaced(plan);
  if (plan.placements.empty() != other.placements.empty())
    return !plan.placements.empty();
  return plan.peak < other.peak;
}

static Problem takeBuffers(const Problem &problem, ArrayRef<int64_t> buffers) {
  Problem part;
  part.memory = problem.memory;
  for (int64_t i : buffers)
    part.buffers.push_back(problem.buffers[i]);
  return part;
}

/// `problem` with less to ask: of buffers that may be one, each is live only
/// where those before it are not any more, and may lie anywhere. What plans any
/// choice plans this, too.
static Problem relax(Problem problem) {
  std::vector<size_t> order(problem.buffers.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::make_pair(problem.buffers[a].live.lower, a) <
           std::make_pair(problem.buffers[b].live.lower, b);
  });
  llvm::DenseMap<int32_t, int64_t> end;
  for (size_t i : order) {
    allocation::Buffer &buffer = problem.buffers[i];
    if (buffer.aliasSet < 0)
      continue;
    auto [last, isNew] = end.insert({buffer.aliasSet, buffer.live.upper});
    if (!isNew) {
      buffer.live.lower = std::min(std::max(buffer.live.lower, last->second),
                                   buffer.live.upper);
      last->second = std::max(last->second, buffer.live.upper);
    }
    buffer.aliasSet = -1;
  }
  return problem;
}

static bool isInfeasible(const Problem &problem, PlannerOptions options) {
  options.onlyIfItFits = true;
  return allocation::plan(problem, options).status == PlanStatus::Infeasible;
}

/// The members of the alias sets of a problem.
using Sets = llvm::MapVector<int32_t, SmallVector<int64_t>>;

static Sets findSets(const Problem &problem) {
  Sets sets;
  for (size_t i = 0; i < problem.buffers.size(); ++i)
    if (int32_t set = problem.buffers[i].aliasSet; set >= 0)
      sets[set].push_back(static_cast<int64_t>(i));
  return sets;
}

static void separate(Problem &problem, ArrayRef<int64_t> members) {
  for (int64_t i : members)
    problem.buffers[i].aliasSet = -1;
}

/// Separates the sets of at most `most` members that are infeasible alone.
static void separateContradictions(Problem &problem, size_t most,
                                   const PlannerOptions &options) {
  for (const auto &[set, members] : findSets(problem))
    if (members.size() <= most &&
        isInfeasible(takeBuffers(problem, members), options))
      separate(problem, members);
}

/// Whether no choice of those of `problem` has a plan. Two buffers that can not
/// be one are apart in each choice; of more, some may be one.
static bool isNeverPlaced(Problem problem, const PlannerOptions &options) {
  separateContradictions(problem, 2, options);
  return isInfeasible(relax(std::move(problem)), options);
}

bool mli::neverFit(const Problem &problem, ArrayRef<int64_t> buffers,
                   const PlannerOptions &options) {
  return isNeverPlaced(takeBuffers(problem, buffers), options);
}

namespace {

class Chooser {
public:
  Chooser(const Problem &problem, const PlannerOptions &options)
      : problem(problem), options(options), sets(findSets(problem)) {}

  InPlacePlan choose() {
    best = {problem, allocation::plan(problem, options)};
    bound = best.plan.liveBound;
    best.isProven = best.plan.status == PlanStatus::Infeasible;
    bool isLow = isPlaced(best.plan) && best.plan.peak == bound;
    if (best.plan.status == PlanStatus::BadProblem || sets.empty() || isLow)
      return std::move(best);
    InPlacePlan most = best;
    consider(planApart());
    if (isEnough())
      return std::move(best);
    best.isProven = !isPlaced(best.plan) && isProvenForAll(most.plan);
    if (best.isProven)
      best.plan.status = PlanStatus::Infeasible;
    else if (sets.size() > 1)
      separateSome(std::move(most));
    return std::move(best);
  }

private:
  /// Whether there is no need to look for a lower plan, or no hope.
  bool isEnough() const {
    return isPlaced(best.plan) &&
           (best.plan.peak <= bound ||
            (problem.memory.capacity && !options.minimise));
  }

  void consider(InPlacePlan choice) {
    if (isBetter(choice.plan, best.plan))
      best = std::move(choice);
  }

  InPlacePlan planApart() {
    InPlacePlan apart{problem, {}};
    for (const auto &[set, members] : sets)
      separate(apart.problem, members);
    apart.plan = allocation::plan(apart.problem, options);
    isInfeasibleApart = apart.plan.status == PlanStatus::Infeasible;
    return apart;
  }

  /// Given the plan with all in place, which failed, as that with all apart.
  bool isProvenForAll(const Plan &together) const {
    bool isOnePair = sets.size() == 1 && sets.front().second.size() == 2;
    if (isOnePair && isInfeasibleApart &&
        together.status == PlanStatus::Infeasible)
      return true;
    return isNeverPlaced(problem, options);
  }

  /// Starts with as much in place as goes, `most`.
  void separateSome(InPlacePlan most) {
    if (most.plan.placements.empty()) {
      separateContradictions(most.problem, problem.buffers.size(), options);
      most.plan = allocation::plan(most.problem, options);
      consider(most);
    }
    PlannerOptions few = options;
    few.budget = options.budget / static_cast<int64_t>(mostTrials);
    SmallVector<ArrayRef<int64_t>> largest = sortSets();
    for (ArrayRef<int64_t> members : ArrayRef(largest).take_front(mostTrials)) {
      if (isEnough())
        return;
      InPlacePlan trial{most.problem, {}};
      separate(trial.problem, members);
      trial.plan = allocation::plan(trial.problem, few);
      if (!isBetter(trial.plan, most.plan))
        continue;
      most = trial;
      consider(std::move(trial));
    }
  }

  /// The sets, that of the largest buffers first.
  SmallVector<ArrayRef<int64_t>> sortSets() const {
    SmallVector<ArrayRef<int64_t>> order;
    for (const auto &[set, members] : sets)
      order.push_back(members);
    // Sets are disjoint: the first member tells them apart.
    auto keyOf = [&](ArrayRef<int64_t> members) {
      return std::make_pair(-problem.buffers[members.front()].size,
                            members.front());
    };
    llvm::sort(order, [&](ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
      return keyOf(a) < keyOf(b);
    });
    return order;
  }

  const Problem &problem;
  const PlannerOptions &options;
  const Sets sets;
  InPlacePlan best;
  /// Bytes that are live with all in place.
  int64_t bound = 0;
  bool isInfeasibleApart = false;
};

} // namespace

InPlacePlan mli::planInPlace(const MemoryProblem &problem,
                             const PlannerOptions &options) {
  return Chooser(problem.problem, options).choose();
}

Plan mli::planMemory(const MemoryProblem &problem,
                     const PlannerOptions &options) {
  return planInPlace(problem, options).plan;
}
