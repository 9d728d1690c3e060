// SPDX-License-Identifier: Apache-2.0
//
// Plans that choose which kernels compute in place.

#ifndef MLI_ANALYSIS_INPLACECHOICE_H
#define MLI_ANALYSIS_INPLACECHOICE_H

#include "mli/Analysis/MemoryProblem.h"

namespace mli {

/// A plan with the choice it was made for.
struct InPlacePlan {
  /// The problem that was planned: buffers of one alias set are one, others are
  /// distinct.
  allocation::Problem problem;
  allocation::Plan plan;
  /// Whether an infeasible problem is proven to be so for every choice.
  bool isProven = false;
};

/// Plans `problem`, with the buffers that kernels compute in place as one or,
/// where they contradict each other or it gives a lower peak, separately. Makes
/// at most a fixed number of plans of all buffers.
InPlacePlan planInPlace(const MemoryProblem &problem,
                        const allocation::PlannerOptions &options);

/// Whether it is proven that there is no plan of `buffers`, some of those of
/// `problem`, whichever kernels compute in place.
bool neverFit(const allocation::Problem &problem,
              llvm::ArrayRef<int64_t> buffers,
              const allocation::PlannerOptions &options);

} // namespace mli

#endif // MLI_ANALYSIS_INPLACECHOICE_H
