// SPDX-License-Identifier: Apache-2.0

#include "AllocationCount.h"

#include <algorithm>
#include <cstdlib>
#include <new>

// Of one thread, as what is counted runs in one.
static mli::AllocationCount count;

mli::AllocationCount mli::getAllocationCount() { return count; }

static void *allocate(size_t size, size_t alignment) {
  ++count.calls;
  count.bytes += size;
  void *block = nullptr;
  if (posix_memalign(&block, std::max(alignment, sizeof(void *)), size) != 0)
    std::abort();
  return block;
}

// The others of the standard library call these.
void *operator new(size_t size) {
  return allocate(size, alignof(std::max_align_t));
}
void *operator new(size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<size_t>(alignment));
}
void operator delete(void *block) noexcept { std::free(block); }
void operator delete(void *block, std::align_val_t) noexcept {
  std::free(block);
}
void operator delete(void *block, size_t) noexcept { std::free(block); }
void operator delete(void *block, size_t, std::align_val_t) noexcept {
  std::free(block);
}
