// SPDX-License-Identifier: Apache-2.0
//
// Counts what a program allocates: growth that does not depend on the load or
// on the clock of the machine.

#ifndef MLI_TEST_UNIT_IMPORT_ALLOCATIONCOUNT_H
#define MLI_TEST_UNIT_IMPORT_ALLOCATIONCOUNT_H

#include <cstddef>

namespace mli {

/// Calls of `operator new` since the program started, and their bytes.
struct AllocationCount {
  size_t calls = 0, bytes = 0;
};

AllocationCount getAllocationCount();

} // namespace mli

#endif // MLI_TEST_UNIT_IMPORT_ALLOCATIONCOUNT_H
