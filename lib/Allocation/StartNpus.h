// SPDX-License-Identifier: Apache-2.0
//
// Chooses the start NPU of each block among those it may have.

#ifndef MLI_LIB_ALLOCATION_STARTNPUS_H
#define MLI_LIB_ALLOCATION_STARTNPUS_H

#include "Allocation/Blocks.h"

namespace mli::allocation {

/// Assignments of start NPUs, the most promising first; each has the start NPU
/// of every entry of `Blocks::choices`. `complete` if there are no others.
struct StartAssignments {
  std::vector<std::vector<int32_t>> assignments;
  bool complete = false;
};
StartAssignments assignStarts(const Blocks &blocks);

} // namespace mli::allocation

#endif // MLI_LIB_ALLOCATION_STARTNPUS_H
