// SPDX-License-Identifier: Apache-2.0
//
// The constraints of a buffer that can be part of a conflict, one by one.

#ifndef MLI_ALLOCATION_CONSTRAINTS_H
#define MLI_ALLOCATION_CONSTRAINTS_H

#include "mli/Allocation/Problem.h"

#include <string_view>

namespace mli::allocation {

enum class Constraint {
  Pinned,
  Alignment,
  AvoidBanks,
  StartNpu,
  StartGroup,
  Guard
};

/// The name of the attribute or column that sets `constraint`. Callers differ
/// in that of `Pinned`, which is `pinned`.
std::string_view toString(Constraint constraint, std::string_view pinned);

/// The constraints that `buffer` has in `memory`.
std::vector<Constraint> getConstraints(const Buffer &buffer,
                                       const Memory &memory);

/// Removes `constraint` from `buffer`.
void drop(Buffer &buffer, Constraint constraint);

} // namespace mli::allocation

#endif // MLI_ALLOCATION_CONSTRAINTS_H
