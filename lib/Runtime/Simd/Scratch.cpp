// SPDX-License-Identifier: Apache-2.0

#include "Scratch.h"

#include <cstdlib>

namespace mli::rt::simd {

void *Scratch::allocate(size_t bytes) {
  return std::aligned_alloc(alignment, bytes);
}
void Scratch::release(void *memory) { std::free(memory); }

} // namespace mli::rt::simd
