// SPDX-License-Identifier: Apache-2.0
//
// Memory of one call.

#ifndef MLI_LIB_RUNTIME_SIMD_SCRATCH_H
#define MLI_LIB_RUNTIME_SIMD_SCRATCH_H

#include <cstddef>

namespace mli::rt::simd {

/// Aligned memory that lives as long as the object: small amounts on the stack.
class Scratch {
public:
  explicit Scratch(size_t bytes) {
    if (bytes > sizeof(small))
      large = allocate((bytes + alignment - 1) & ~(alignment - 1));
    memory = bytes > sizeof(small) ? large : small;
  }
  ~Scratch() {
    if (large)
      release(large);
  }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  /// Null if the system has no memory.
  char *get() const { return static_cast<char *>(memory); }

private:
  static constexpr size_t alignment = 64;
  static void *allocate(size_t bytes);
  static void release(void *memory);

  alignas(alignment) char small[16384];
  void *memory;
  void *large = nullptr;
};

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_SIMD_SCRATCH_H
