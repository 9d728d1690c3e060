// SPDX-License-Identifier: Apache-2.0
//
// Memory of a call under test.

#ifndef MLI_TEST_GOLDEN_TOOL_BUFFER_H
#define MLI_TEST_GOLDEN_TOOL_BUFFER_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mli::golden {

/// Bytes between two guards that no call may touch.
class Buffer {
public:
  Buffer() = default;
  ~Buffer() { openGuards(); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  void allocate(size_t size, uint8_t fill);
  uint8_t *data() { return bytes.data() + guard; }
  size_t size() const { return bytes.size() - 2 * guard; }
  /// Whether both guards are as they were.
  bool isIntact();

private:
  /// With AddressSanitizer no code may read the guards, either.
  void closeGuards();
  void openGuards();

  static constexpr size_t guard = 64;
  static constexpr uint8_t guardByte = 0xA7;
  std::vector<uint8_t> bytes = std::vector<uint8_t>(2 * guard, guardByte);
};

} // namespace mli::golden

#endif // MLI_TEST_GOLDEN_TOOL_BUFFER_H
