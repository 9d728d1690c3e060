// SPDX-License-Identifier: Apache-2.0
//
// Chooses the start NPU of each block among those it may have.

#ifndef MLI_LIB_ALLOCATION_STARTNPUS_H
#define MLI_LIB_ALLOCATION_STARTNPUS_H

#include "Allocation/Blocks.h"

namespace mli::allocation {

/// Ways to choose, the most promising first; each has the start NPU of every
/// entry of `Blocks::choices`. `complete` if there are no others.
struct StartChoices {
  std::vector<std::vector<int32_t>> ways;
  bool complete = false;
};
StartChoices chooseStarts(const Blocks &blocks);

} // namespace mli::allocation

#endif // MLI_LIB_ALLOCATION_STARTNPUS_H
