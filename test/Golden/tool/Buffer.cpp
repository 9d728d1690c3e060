// SPDX-License-Identifier: Apache-2.0

#include "Buffer.h"

#include <algorithm>

#include <sanitizer/asan_interface.h>

namespace mli::golden {

void Buffer::allocate(size_t size, uint8_t fill) {
  openGuards();
  bytes.assign(size + 2 * guard, guardByte);
  std::fill_n(data(), size, fill);
  closeGuards();
}

bool Buffer::isIntact() {
  auto isGuard = [](uint8_t byte) { return byte == guardByte; };
  openGuards();
  bool isIntact = std::all_of(bytes.begin(), bytes.begin() + guard, isGuard) &&
                  std::all_of(bytes.end() - guard, bytes.end(), isGuard);
  closeGuards();
  return isIntact;
}

void Buffer::closeGuards() {
  ASAN_POISON_MEMORY_REGION(bytes.data(), guard);
  ASAN_POISON_MEMORY_REGION(bytes.data() + bytes.size() - guard, guard);
}

void Buffer::openGuards() {
  ASAN_UNPOISON_MEMORY_REGION(bytes.data(), bytes.size());
}

} // namespace mli::golden
