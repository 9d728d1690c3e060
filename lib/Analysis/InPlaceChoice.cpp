// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/InPlaceChoice.h"

#include "InPlacePairs.h"

using namespace mlir;
using namespace mli;
using allocation::Plan;
using allocation::PlannerOptions;
using allocation::PlanStatus;
using allocation::Problem;

/// The number of chains, and then of pairs of neighbours in chains, that are
/// tried separately one by one; and of pairs of which every choice is tried.
static constexpr size_t maxTrials = 8;
static constexpr size_t fewPairs = 3;

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

bool mli::neverFit(const Problem &problem, ArrayRef<int64_t> buffers,
                   const PlannerOptions &options) {
  Problem part = takeBuffers(problem, buffers);
  InPlacePairs pairs = dropContradictions(part, findPairs(part), options);
  return isBeyondAll(part, pairs, options) ||
         (pairs.size() <= fewPairs &&
          llvm::all_of(getChoices(pairs), [&](const InPlacePairs &choice) {
            return isInfeasible(join(part, choice), options);
          }));
}

namespace {

class Chooser {
public:
  Chooser(const Problem &problem, const PlannerOptions &options)
      : problem(problem), options(options), few(options),
        all(findPairs(problem)) {
    few.budget = options.budget / static_cast<int64_t>(maxTrials);
  }

  InPlacePlan choose() {
    best = makePlan(all, options);
    bound = best.plan.liveBound;
    best.isProven = best.plan.status == PlanStatus::Infeasible;
    bool isLow = isPlaced(best.plan) && best.plan.peak == bound;
    if (best.plan.status == PlanStatus::BadProblem || all.empty() || isLow)
      return std::move(best);
    InPlacePlan together = best;
    isProvenSoFar = best.isProven;
    best.isProven = false;
    tryChoice({}, options);
    if (isEnough())
      return std::move(best);
    InPlacePairs pairs = all;
    if (!isPlaced(best.plan)) {
      pairs = dropContradictions(problem, all, options);
      best.isProven = isBeyondAll(problem, pairs, options);
    }
    if (!best.isProven && pairs.size() <= fewPairs)
      best.isProven = tryAll(pairs);
    else if (!best.isProven)
      separateSome(pairs, std::move(together));
    if (best.isProven)
      best.plan.status = PlanStatus::Infeasible;
    return std::move(best);
  }

private:
  /// Whether there is no need to look for a lower plan.
  bool isEnough() const {
    return isPlaced(best.plan) &&
           (best.plan.peak <= bound ||
            (problem.memory.capacity && !options.minimise));
  }

  InPlacePlan makePlan(ArrayRef<InPlacePair> pairs,
                       const PlannerOptions &with) const {
    InPlacePlan made{join(problem, pairs), {}};
    made.plan = allocation::plan(made.problem, with);
    return made;
  }

  void consider(InPlacePlan choice) {
    isProvenSoFar &= choice.plan.status == PlanStatus::Infeasible;
    if (isBetter(choice.plan, best.plan))
      best = std::move(choice);
  }

  void tryChoice(ArrayRef<InPlacePair> pairs, const PlannerOptions &with) {
    consider(makePlan(pairs, with));
  }

  /// Tries all choices of `pairs`, those that were not tried yet; the others of
  /// `all` contradict themselves. Whether it is proven that none has a plan.
  bool tryAll(ArrayRef<InPlacePair> pairs) {
    SmallVector<InPlacePairs> choices = getChoices(pairs);
    for (const InPlacePairs &choice : ArrayRef(choices).drop_front())
      if (!isEnough() && choice.size() < all.size())
        tryChoice(choice, few);
    return isProvenSoFar;
  }

  /// Starts with as much in place as goes, of `pairs`; `together` is the plan
  /// with all of them.
  void separateSome(InPlacePairs pairs, InPlacePlan most) {
    if (most.plan.placements.empty()) {
      pairs = cutContradictions(problem, pairs, options);
      most = makePlan(pairs, options);
      consider(most);
    }
    const InPlacePairs first = pairs;
    for (ArrayRef<InPlacePair> cut : getCuts(first, most.plan)) {
      if (isEnough())
        return;
      InPlacePairs fewer;
      llvm::copy_if(pairs, std::back_inserter(fewer), [&](InPlacePair pair) {
        return llvm::none_of(cut, [&](InPlacePair other) {
          return other.result == pair.result;
        });
      });
      InPlacePlan trial = makePlan(fewer, few);
      if (!isBetter(trial.plan, most.plan))
        continue;
      pairs = std::move(fewer);
      most = trial;
      consider(std::move(trial));
    }
  }

  /// The pairs that are tried as distinct buffers: the chains of the largest
  /// buffers, whole, then pairs of longer chains, those that lie highest in
  /// `plan` first.
  SmallVector<ArrayRef<InPlacePair>> getCuts(ArrayRef<InPlacePair> pairs,
                                             const Plan &plan) const {
    // Results are unique, so they break ties of chains, and of pairs.
    auto sort = [&](SmallVector<ArrayRef<InPlacePair>> &cuts, auto getHeight) {
      llvm::sort(cuts, [&](ArrayRef<InPlacePair> a, ArrayRef<InPlacePair> b) {
        auto getKey = [&](InPlacePair pair) {
          return std::make_tuple(-getHeight(pair.result),
                                 -problem.buffers[pair.result].size,
                                 pair.result);
        };
        return getKey(a.front()) < getKey(b.front());
      });
      cuts.truncate(std::min(cuts.size(), maxTrials));
    };
    SmallVector<ArrayRef<InPlacePair>> cuts = splitIntoChains(pairs), single;
    for (ArrayRef<InPlacePair> chain : cuts)
      for (size_t k = 0; chain.size() > 1 && k < chain.size(); ++k)
        single.push_back(chain.slice(k, 1));
    sort(cuts, [](int64_t) { return int64_t(0); });
    sort(single, [&](int64_t i) {
      return plan.placements.empty()
                 ? 0
                 : plan.placements[i].offset + problem.buffers[i].size;
    });
    cuts.append(single);
    return cuts;
  }

  const Problem &problem;
  const PlannerOptions &options;
  /// The options of each of many trials.
  PlannerOptions few;
  const InPlacePairs all;
  InPlacePlan best;
  /// Bytes that are live with all in place.
  int64_t bound = 0;
  /// All choices that were tried are proven not to have a plan.
  bool isProvenSoFar = false;
};

} // namespace

InPlacePlan mli::planInPlace(const MemoryProblem &problem,
                             const PlannerOptions &options) {
  return Chooser(problem.problem, options).choose();
}
