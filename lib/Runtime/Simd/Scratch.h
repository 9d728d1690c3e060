// SPDX-License-Identifier: Apache-2.0
//
// Memory of one call.

#ifndef MLI_LIB_RUNTIME_SIMD_SCRATCH_H
#define MLI_LIB_RUNTIME_SIMD_SCRATCH_H

#include <cstddef>
#include <cstdlib>

namespace mli::rt::simd {

/// Aligned memory that lives as long as the object: small amounts on the stack.
class Scratch {
public:
  explicit Scratch(size_t bytes) {
    if (bytes > sizeof(small))
      large = std::aligned_alloc(alignment,
                                 (bytes + alignment - 1) & ~(alignment - 1));
    memory = bytes > sizeof(small) ? large : small;
  }
  ~Scratch() {
    if (large)
      std::free(large);
  }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  /// Null if the system has no memory.
  char *get() const { return static_cast<char *>(memory); }

private:
  static constexpr size_t alignment = 64;
  alignas(alignment) char small[16384];
  void *memory;
  void *large = nullptr;
};

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_SIMD_SCRATCH_H
