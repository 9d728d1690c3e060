// SPDX-License-Identifier: Apache-2.0
//
// Bytes below which no plan can stay.

#ifndef MLI_LIB_ALLOCATION_BOUNDS_H
#define MLI_LIB_ALLOCATION_BOUNDS_H

#include "Allocation/Instance.h"

namespace mli::allocation {

/// Most bytes of `items` live at one step on one NPU.
int64_t liveBound(const Instance &instance);

/// At least `liveBound`: items at multiples of a number take whole multiples of
/// it, all but the topmost; pinned items end where they end.
int64_t alignedBound(const Instance &instance);

/// Holds for every choice of start NPUs: at each time the bytes of all NPUs
/// have to go somewhere.
int64_t freeStartBound(const Blocks &blocks);

} // namespace mli::allocation

#endif // MLI_LIB_ALLOCATION_BOUNDS_H
