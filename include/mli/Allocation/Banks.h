// SPDX-License-Identifier: Apache-2.0
//
// Banks of memory: buffers that are used at the same time are accessed faster
// if they lie in different banks. A preference, unlike `Buffer::avoidBanks`.

#ifndef MLI_ALLOCATION_BANKS_H
#define MLI_ALLOCATION_BANKS_H

#include "mli/Allocation/Problem.h"

namespace mli::allocation {

/// Buffers that something uses at the same time, as the operands of one kernel,
/// and how often it does, in [0, 2^32].
struct UsedTogether {
  std::vector<int64_t> buffers;
  int64_t times = 1;
};

/// The banks that buffers of `together` share, each time that it happens: a
/// bank counts for each of them that has a byte in it, but for the first. Views
/// of one block are one; of several NPUs the one with the most counts. 0 if the
/// memory has no banks.
int64_t countBankConflicts(const Problem &problem,
                           const std::vector<Placement> &placements,
                           const UsedTogether &together);

/// Sum over all of `together`, saturating.
int64_t countBankConflicts(const Problem &problem,
                           const std::vector<Placement> &placements,
                           const std::vector<UsedTogether> &together);

/// `placements`, a right plan, with blocks elsewhere where that has fewer bank
/// conflicts, ending at or below `limit`, or where it did if that is higher.
/// Start NPUs stay. Equal problems give equal plans; a problem of a great many
/// buffers that are live together stays as it is.
std::vector<Placement> separateBanks(const Problem &problem,
                                     std::vector<Placement> placements,
                                     const std::vector<UsedTogether> &together,
                                     int64_t limit);

} // namespace mli::allocation

#endif // MLI_ALLOCATION_BANKS_H
