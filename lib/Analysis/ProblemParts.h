// SPDX-License-Identifier: Apache-2.0
//
// Steps on the way to a problem for the planner.

#ifndef MLI_LIB_ANALYSIS_PROBLEMPARTS_H
#define MLI_LIB_ANALYSIS_PROBLEMPARTS_H

#include "mli/Analysis/MemoryProblem.h"

namespace mli {

/// Chooses the start NPUs on which buffers of one group, and those that have a
/// view in common, are smallest together, and sets what they take there.
mlir::LogicalResult chooseStartNpus(MemoryProblem &problem,
                                    const MemoryRules &rules);

/// Makes one of an input that dies in a kernel and a result that begins there,
/// where the kernel may write over what it reads.
void shareInPlace(MemoryProblem &problem, const BufferLifetimes &lifetimes);

} // namespace mli

#endif // MLI_LIB_ANALYSIS_PROBLEMPARTS_H
