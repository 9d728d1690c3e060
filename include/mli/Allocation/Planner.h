// SPDX-License-Identifier: Apache-2.0
//
// Finds offsets for buffers: greedy plans first, then an exact search with a
// budget of nodes. No clock, no threads: equal input gives equal plans.

#ifndef MLI_ALLOCATION_PLANNER_H
#define MLI_ALLOCATION_PLANNER_H

#include "mli/Allocation/Problem.h"

namespace mli::allocation {

/// The algorithms that the planner runs.
enum class Algorithm {
  /// All of the below, until the target is met or the budget is used up.
  Portfolio,
  /// The largest first, each as low as it goes.
  FirstFit,
  /// The one that can lie lowest first.
  Skyline,
  /// Exact search alone.
  Exact,
};

struct PlannerOptions {
  Algorithm algorithm = Algorithm::Portfolio;
  /// Search nodes in all; of the order of 10 microseconds each.
  int64_t budget = 60000;
  /// Go on below the capacity to the smallest peak.
  bool minimise = false;
  /// No plan at all, not even one that is too high, where a bound shows at once
  /// that nothing fits.
  bool onlyIfItFits = false;
};

enum class PlanStatus {
  /// The placements are right, and fit if there is a capacity.
  Placed,
  /// No plan fits the capacity; this is proven.
  Infeasible,
  /// No plan that fits was found within the budget.
  BudgetSpent,
  /// The problem breaks its contract; see `error`.
  BadProblem,
};

struct Plan {
  PlanStatus status = PlanStatus::BadProblem;
  /// One for each buffer, in input order. If nothing fits: the lowest plan that
  /// was found, which exceeds the capacity, or none at all when no plan exists
  /// at any capacity.
  std::vector<Placement> placements;
  int64_t peak = 0;
  /// Most bytes live at one time on one NPU, blocks of views and guards counted
  /// whole: no plan is lower.
  int64_t liveBound = 0;
  /// The same with alignment and pinned addresses: >= liveBound.
  int64_t alignedBound = 0;
  /// No plan is lower: the best bound known, from search too.
  int64_t provenBound = 0;
  /// Share of the peak that is not live bytes at the time of peak usage, in [0,
  /// 1].
  double fragmentation = 0;
  /// The algorithm that found the plan: "first-fit", "skyline", "exact" or
  /// "windows".
  const char *algorithm = "";
  /// peak == provenBound.
  bool optimal = false;
  /// Search nodes used.
  int64_t nodes = 0;
  /// Set for BadProblem.
  std::optional<ProblemError> error;
};

/// Plans `problem`. Whatever it returns as Placed has passed `validate`.
Plan plan(const Problem &problem, const PlannerOptions &options = {});

} // namespace mli::allocation

#endif // MLI_ALLOCATION_PLANNER_H
