// SPDX-License-Identifier: Apache-2.0
//
// `operator new` and `delete` of the whole process: they count, they fill
// memory with bytes that are never zeros, and they find what is written around
// it.

#ifndef MLI_TEST_FUZZ_RUNNER_HEAP_H
#define MLI_TEST_FUZZ_RUNNER_HEAP_H

#include <cstdint>

namespace mli::fuzz {

/// Allocations of the process up to now.
uint64_t countAllocations();

/// Sets the byte that new memory, and memory that is given back, is filled
/// with, and that of malloc.
void setHeapPoison(uint8_t byte);

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_RUNNER_HEAP_H
