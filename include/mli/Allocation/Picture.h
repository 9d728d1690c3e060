// SPDX-License-Identifier: Apache-2.0
//
// A plan as a picture.

#ifndef MLI_ALLOCATION_PICTURE_H
#define MLI_ALLOCATION_PICTURE_H

#include "mli/Allocation/Planner.h"

namespace mli::allocation {

/// A picture as SVG, with the size of its view box.
struct PlanPicture {
  std::string svg;
  int64_t width, height;
};

/// `plan`, which has placements for `problem`, as SVG: time to the right,
/// addresses upwards, one panel for each NPU that differs from the one before
/// it. `names` are those of the buffers.
PlanPicture drawPlan(const Problem &problem, const Plan &plan,
                     const std::vector<std::string> &names);

} // namespace mli::allocation

#endif // MLI_ALLOCATION_PICTURE_H
