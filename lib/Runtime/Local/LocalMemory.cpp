// SPDX-License-Identifier: Apache-2.0

#include "Runtime/Local/LocalMemory.h"

#include "mli/Layout/Strides.h"

#include <cstdlib>

namespace mli::rt {
namespace {

struct Device {
  layout::Target target;
  uint8_t *memory = nullptr;
  bool isPoisoning = false;
  uint32_t seed = 0;
};

Device device;

/// Eight bytes of pattern: the finaliser of a 64-bit hash, so that neighbours
/// and seeds share nothing.
uint64_t getPattern(uint64_t word) {
  uint64_t hash =
      word + (static_cast<uint64_t>(device.seed) << 32) + 0x9E3779B97F4A7C15;
  hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9;
  hash = (hash ^ (hash >> 27)) * 0x94D049BB133111EB;
  return hash ^ (hash >> 31);
}

} // namespace

const layout::Target &localTarget() { return device.target; }

void setLocalTarget(const layout::Target &target) {
  std::free(device.memory);
  device.memory = nullptr;
  device.target = target;
}

bool makeLocalMemory() {
  std::free(device.memory);
  const layout::Target &target = device.target;
  device.memory = static_cast<uint8_t *>(
      std::calloc(static_cast<size_t>(target.totalBytes()), 1));
  if (!device.memory)
    return false;
  poison(0, 0, target.totalBytes());
  return true;
}

uint8_t *localMemory() { return device.memory; }

void setPoison(bool enabled, uint32_t seed) {
  device.isPoisoning = enabled;
  device.seed = seed;
}

bool isPoisoning() { return device.isPoisoning; }

// L35
void poison(int64_t npu, int64_t offset, int64_t bytes) {
  if (!device.isPoisoning)
    return;
  int64_t begin = layout::getAddress({npu, offset}, device.target);
  uint64_t pattern = getPattern(static_cast<uint64_t>(begin) / 8);
  for (int64_t address = begin; address < begin + bytes; ++address) {
    if (address % 8 == 0)
      pattern = getPattern(static_cast<uint64_t>(address) / 8);
    device.memory[address] =
        static_cast<uint8_t>(pattern >> (8 * (address % 8)));
  }
}

} // namespace mli::rt
