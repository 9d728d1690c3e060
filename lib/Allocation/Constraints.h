// SPDX-License-Identifier: Apache-2.0
//
// What of a buffer can be part of a conflict, one by one.

#ifndef MLI_LIB_ALLOCATION_CONSTRAINTS_H
#define MLI_LIB_ALLOCATION_CONSTRAINTS_H

#include "mli/Allocation/Conflict.h"

namespace mli::allocation {

/// The constraints of a buffer that are there at all.
std::vector<Constraint> constraintsOf(const Buffer &buffer,
                                      const Memory &memory);

/// Makes `buffer` one without `constraint`.
void drop(Buffer &buffer, Constraint constraint);

} // namespace mli::allocation

#endif // MLI_LIB_ALLOCATION_CONSTRAINTS_H
