// SPDX-License-Identifier: Apache-2.0
//
// Counts the banks that some buffers share.

#ifndef MLI_LIB_ALLOCATION_BANKRANGES_H
#define MLI_LIB_ALLOCATION_BANKRANGES_H

#include <cstdint>
#include <vector>

namespace mli::allocation {

/// Banks first..last, on some NPUs.
struct BankRange {
  int64_t first = 0;
  int64_t last = 0;
  uint64_t npus = 1;
};

/// Each bank counts for each of `ranges` that has it, but for the first, on the
/// NPU where these are most. Sorts them.
int64_t countShared(std::vector<BankRange> &ranges);

/// Many times many banks.
using ConflictCount = __int128;

} // namespace mli::allocation

#endif // MLI_LIB_ALLOCATION_BANKRANGES_H
