// SPDX-License-Identifier: Apache-2.0
//
// The offsets that a block may have, whatever lies around it.

#ifndef MLI_LIB_ALLOCATION_LEGALOFFSETS_H
#define MLI_LIB_ALLOCATION_LEGALOFFSETS_H

#include "mli/Allocation/Problem.h"

#include <cstdint>
#include <tuple>
#include <vector>

namespace mli::allocation {

/// No offset is legal at or above this.
constexpr int64_t noOffset = int64_t(1) << 61;

/// Bytes [begin, end) of a block keep out of the banks of a mask.
struct BankRule {
  int64_t begin = 0;
  int64_t end = 0;
  uint64_t banks = 0;

  bool operator<(const BankRule &other) const {
    return std::tie(begin, end, banks) <
           std::tie(other.begin, other.end, other.banks);
  }
};

class LegalOffsets {
public:
  /// Offset + delta is a multiple of `alignment`. Contradictions leave no
  /// legal offset.
  void align(int64_t delta, int64_t alignment);
  void pin(int64_t offset);
  /// Alignments, pins and banks leave no offset above `offset`.
  void atMost(int64_t offset);
  void avoid(BankRule rule, int64_t bankBytes);

  /// All offsets >= 0.
  bool any() const { return modulus == 1 && pinned < 0 && rules.empty(); }
  /// Each legal offset is a multiple of `unit`.
  bool areMultiplesOf(int64_t unit) const {
    return modulus % unit == 0 && remainder % unit == 0;
  }
  int64_t step() const { return modulus; }
  /// Rounded up, multiples of a divisor of this stay multiples of it; 0 if all
  /// numbers do.
  int64_t unit() const;
  bool isPinned() const { return pinned >= 0; }
  int64_t pinnedOffset() const { return pinned; }

  /// The least legal offset >= x, or noOffset.
  int64_t up(int64_t x) const {
    if (x < 0)
      x = 0;
    return any() ? x : roundUp(x);
  }
  /// The greatest legal offset <= x, or -1.
  int64_t down(int64_t x) const { return any() ? x : roundDown(x); }

  /// Orders by all members.
  bool operator<(const LegalOffsets &other) const {
    auto key = [](const LegalOffsets &legal) {
      return std::tie(legal.modulus, legal.remainder, legal.pinned,
                      legal.bankBytes, legal.last, legal.contradiction,
                      legal.rules);
    };
    return key(*this) < key(other);
  }

private:
  int64_t roundUp(int64_t x) const;
  /// x, or noOffset if it is too high.
  int64_t inRange(int64_t x) const { return x <= last ? x : noOffset; }
  int64_t roundDown(int64_t x) const;
  /// An offset that is legal for the banks, searching in steps of one bank.
  int64_t clearOfBanks(int64_t x, bool upwards) const;
  int64_t stepUp(int64_t x) const;
  int64_t stepDown(int64_t x) const;

  int64_t modulus = 1;
  int64_t remainder = 0;
  int64_t pinned = -1;
  int64_t bankBytes = 0;
  int64_t last = maxBytes;
  bool contradiction = false;
  /// Ascending.
  std::vector<BankRule> rules;
};

} // namespace mli::allocation

#endif // MLI_LIB_ALLOCATION_LEGALOFFSETS_H
