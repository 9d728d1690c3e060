// SPDX-License-Identifier: Apache-2.0
//
// Packed layers of tests.

#ifndef MLI_TEST_UNIT_RUNTIME_PACKED_PACKEDMEMORY_H
#define MLI_TEST_UNIT_RUNTIME_PACKED_PACKEDMEMORY_H

#include "mli/Runtime/C/mli_packed.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

namespace mli::test {

/// Memory for a packed layer, with guards around it.
class PackedMemory {
public:
  template <typename Pack>
  mli_status pack(Pack function) {
    mli_status status = function(&container);
    if (status != MLI_STATUS_OK)
      return status;
    size_t bytes = (size_t{container.capacity} + 63) / 64 * 64 + 2 * guard;
    memory.reset(static_cast<int8_t *>(std::aligned_alloc(64, bytes)));
    std::fill_n(memory.get(), bytes, mark);
    container.mem.pi8 = memory.get() + guard;
    return function(&container);
  }
  const mli_data_container *get() const { return &container; }
  std::vector<int8_t> bytes() const {
    return {container.mem.pi8, container.mem.pi8 + container.capacity};
  }
  bool hasGuards() const {
    auto isMark = [](int8_t byte) { return byte == mark; };
    const int8_t *end = container.mem.pi8 + container.capacity;
    return std::all_of(memory.get(), memory.get() + guard, isMark) &&
           std::all_of(end, end + guard, isMark);
  }

private:
  struct Free {
    void operator()(int8_t *bytes) const { std::free(bytes); }
  };
  static constexpr size_t guard = 64;
  static constexpr int8_t mark = 0x5a;
  std::unique_ptr<int8_t, Free> memory;
  mli_data_container container = {};
};

} // namespace mli::test

#endif // MLI_TEST_UNIT_RUNTIME_PACKED_PACKEDMEMORY_H
