// SPDX-License-Identifier: Apache-2.0
//
// Loops of which each round moves in what the next one reads, and out what the
// one before wrote.

#ifndef MLI_LIB_TRANSFORMS_SCHEDULING_LOOPPIPELINE_H
#define MLI_LIB_TRANSFORMS_SCHEDULING_LOOPPIPELINE_H

#include "MoveOverlap.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mli {

/// Rewrites `loop`, whose body is moves and kernels, so that these stand beside
/// each other: two of each buffer that is moved to or from, two rounds in one,
/// and the first and last rounds in front and behind. Leaves it as it is where
/// that is not right, takes too much memory or does not pay.
void pipelineLoop(mlir::scf::ForOp loop, LocalProfile &profile,
                  const OverlapRules &rules, OverlapCounts &counts);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_SCHEDULING_LOOPPIPELINE_H
