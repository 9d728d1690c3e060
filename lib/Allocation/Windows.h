// SPDX-License-Identifier: Apache-2.0
//
// Lowers a plan that is too high here and there: what lies above the target is
// searched anew together with its surroundings, the rest of the plan standing.

#ifndef MLI_LIB_ALLOCATION_WINDOWS_H
#define MLI_LIB_ALLOCATION_WINDOWS_H

#include "Allocation/Instance.h"

namespace mli::allocation {

/// Changes `offsets`, a right plan, so that it ends at or below `target`, in at
/// most `budget` nodes. Returns the nodes used; `offsets` stays a right plan.
int64_t lowerByWindows(const Instance &instance, int64_t target, int64_t budget,
                       std::vector<int64_t> &offsets);

} // namespace mli::allocation

#endif // MLI_LIB_ALLOCATION_WINDOWS_H
