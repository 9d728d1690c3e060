// SPDX-License-Identifier: Apache-2.0
//
// Which buffers may be one, as kernels compute in place, and which can not.

#ifndef MLI_LIB_ANALYSIS_INPLACEPAIRS_H
#define MLI_LIB_ANALYSIS_INPLACEPAIRS_H

#include "mli/Allocation/Planner.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace mli {

/// Two buffers of which the second may lie on the first. Those of one chain are
/// neighbours in a list, in the order of time. Buffers of a chain that are no
/// neighbours are live at different times: any of them may be one.
struct InPlacePair {
  int64_t input = 0;
  int64_t result = 0;
};
using InPlacePairs = llvm::SmallVector<InPlacePair>;

/// Some of the buffers of `problem`.
allocation::Problem takeBuffers(const allocation::Problem &problem,
                                llvm::ArrayRef<int64_t> buffers);

/// Whether it is proven that `problem` has no plan.
bool isInfeasible(const allocation::Problem &problem,
                  allocation::PlannerOptions options);

/// The neighbours in the alias sets of `problem`, each set a chain.
InPlacePairs findPairs(const allocation::Problem &problem);

/// Returns `problem` with the buffers of `pairs` one, and all others separate.
allocation::Problem join(allocation::Problem problem,
                         llvm::ArrayRef<InPlacePair> pairs);

/// Returns the runs of `pairs` that are chains.
llvm::SmallVector<llvm::ArrayRef<InPlacePair>>
splitIntoChains(llvm::ArrayRef<InPlacePair> pairs);

/// The pairs that can be one. The others are separate in each choice.
InPlacePairs dropContradictions(const allocation::Problem &problem,
                                llvm::ArrayRef<InPlacePair> pairs,
                                const allocation::PlannerOptions &options);

/// The same of `pairs` that can be one, with each chain cut, from its front on,
/// where it has to be.
InPlacePairs cutContradictions(const allocation::Problem &problem,
                               llvm::ArrayRef<InPlacePair> pairs,
                               const allocation::PlannerOptions &options);

/// Whether no choice of `pairs` has a plan, by one bound for all of them.
bool isBeyondAll(const allocation::Problem &problem,
                 llvm::ArrayRef<InPlacePair> pairs,
                 const allocation::PlannerOptions &options);

/// The choices of `pairs`, which are few, none first.
llvm::SmallVector<InPlacePairs> getChoices(llvm::ArrayRef<InPlacePair> pairs);

} // namespace mli

#endif // MLI_LIB_ANALYSIS_INPLACEPAIRS_H
