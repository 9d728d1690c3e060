// SPDX-License-Identifier: Apache-2.0
//
// Random numbers that are the same on every machine.

#ifndef MLI_TEST_FUZZ_RANDOM_H
#define MLI_TEST_FUZZ_RANDOM_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace mli::fuzz {

/// The SplitMix64 sequence of a seed.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  /// Any 64 bits.
  uint64_t next() {
    state += 0x9e3779b97f4a7c15;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// From `least` to `most`, both included.
  int64_t pick(int64_t least, int64_t most) {
    return least + static_cast<int64_t>(
                       next() % (static_cast<uint64_t>(most - least) + 1));
  }
  bool chance(int64_t percent) { return pick(1, 100) <= percent; }
  template <typename T>
  const T &pick(llvm::ArrayRef<T> list) {
    return list[pick(0, static_cast<int64_t>(list.size()) - 1)];
  }

private:
  uint64_t state;
};

/// Puts `list` into a random order.
template <typename List>
void shuffle(List &list, Random &random) {
  for (int64_t i = static_cast<int64_t>(list.size()) - 1; i > 0; --i)
    std::swap(list[i], list[random.pick(0, i)]);
}

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_RANDOM_H
