// SPDX-License-Identifier: Apache-2.0
//
// Brings blocks into a form that does not depend on how they were written down:
// one for all problems that differ in their times alone, but for which
// lives meet, in the direction of time, in names and in the order of rows.

#ifndef MLI_LIB_ALLOCATION_NORMALFORM_H
#define MLI_LIB_ALLOCATION_NORMALFORM_H

#include "Allocation/Blocks.h"

namespace mli::allocation {

/// The blocks of `problem` in an order that depends on what they are alone.
/// Time is cut into steps 0, 1, and so on: the sets of blocks that are live
/// together of which none lies in the next. `live` holds steps in place of
/// times. Of the two directions of time it is the one whose form is less.
Blocks normalForm(const Problem &problem);

} // namespace mli::allocation

#endif // MLI_LIB_ALLOCATION_NORMALFORM_H
