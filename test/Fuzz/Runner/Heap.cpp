// SPDX-License-Identifier: Apache-2.0

#include "Heap.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <new>

// A sanitizer has an allocator of its own that finds more.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MLI_HAS_SANITIZER 1
#endif
#endif

static std::atomic<uint64_t> allocations;
static uint8_t poison = 0xa5;

uint64_t mli::fuzz::countAllocations() { return allocations; }

void mli::fuzz::setHeapPoison(uint8_t byte) {
  poison = byte;
#ifndef MLI_HAS_SANITIZER
  mallopt(M_PERTURB, byte);
#endif
}

#ifndef MLI_HAS_SANITIZER
namespace {

/// What lies in front of a block; as much of `guard` lies behind.
struct Header {
  size_t bytes;
  uint64_t guard;
};

} // namespace

static constexpr uint64_t guard = 0x6d6c692d66757a7a;

static void *allocate(size_t bytes) {
  ++allocations;
  auto *header = static_cast<Header *>(
      std::malloc(sizeof(Header) + bytes + sizeof(guard)));
  if (!header)
    std::abort();
  *header = {bytes, guard};
  auto *data = reinterpret_cast<char *>(header + 1);
  std::memset(data, poison, bytes);
  std::memcpy(data + bytes, &guard, sizeof(guard));
  return data;
}

static void release(void *data) {
  if (!data)
    return;
  Header *header = static_cast<Header *>(data) - 1;
  uint64_t behind = 0;
  if (header->guard == guard)
    std::memcpy(&behind, static_cast<char *>(data) + header->bytes,
                sizeof(behind));
  if (behind != guard) {
    std::fputs("mli-fuzz: memory around a block was written\n", stderr);
    std::abort();
  }
  std::memset(header, ~poison, sizeof(Header) + header->bytes);
  std::free(header);
}

// NOLINTBEGIN: the replaceable functions of the standard.
void *operator new(size_t bytes) { return allocate(bytes); }
void *operator new[](size_t bytes) { return allocate(bytes); }
void *operator new(size_t bytes, const std::nothrow_t &) noexcept {
  return allocate(bytes);
}
void *operator new[](size_t bytes, const std::nothrow_t &) noexcept {
  return allocate(bytes);
}
void operator delete(void *data) noexcept { release(data); }
void operator delete[](void *data) noexcept { release(data); }
void operator delete(void *data, size_t) noexcept { release(data); }
void operator delete[](void *data, size_t) noexcept { release(data); }
void operator delete(void *data, const std::nothrow_t &) noexcept {
  release(data);
}
void operator delete[](void *data, const std::nothrow_t &) noexcept {
  release(data);
}
// NOLINTEND
#endif
