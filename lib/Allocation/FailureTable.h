// SPDX-License-Identifier: Apache-2.0
//
// States of the search that are known to fail: a fixed number of them, the
// newest of a slot kept, so that it is the same table everywhere.

#ifndef MLI_LIB_ALLOCATION_FAILURETABLE_H
#define MLI_LIB_ALLOCATION_FAILURETABLE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mli::allocation {

class FailureTable {
public:
  static constexpr size_t slots = size_t(1) << 16;

  bool contains(uint64_t state) const {
    return !states.empty() && states[state % slots] == state;
  }
  void insert(uint64_t state) {
    if (states.empty())
      states.resize(slots);
    states[state % slots] = state;
  }

private:
  std::vector<uint64_t> states;
};

/// A number that depends on all bits of both (the finaliser of splitmix64).
inline uint64_t mix(uint64_t item, uint64_t value) {
  uint64_t x = (item + 1) * 0x9E3779B97F4A7C15U ^ value * 0xD6E8FEB86659FD93U;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
  x = (x ^ x >> 27) * 0x94D049BB133111EBU;
  return x ^ x >> 31;
}

} // namespace mli::allocation

#endif // MLI_LIB_ALLOCATION_FAILURETABLE_H
