// SPDX-License-Identifier: Apache-2.0

#include "Allocation/LegalOffsets.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace mli::allocation {

/// The number x in [0, modulus) with value * x % modulus == 1 % modulus, where
/// the two have no common factor (the extended Euclidean algorithm).
static int64_t inverse(int64_t value, int64_t modulus) {
  int64_t rest = modulus, next = value, factor = 0, nextFactor = 1;
  while (next != 0) {
    int64_t quotient = rest / next;
    rest = std::exchange(next, rest - quotient * next);
    factor = std::exchange(nextFactor, factor - quotient * nextFactor);
  }
  return factor < 0 ? factor + modulus : factor % modulus;
}

// A3
void LegalOffsets::align(int64_t delta, int64_t alignment) {
  int64_t wanted = (alignment - delta % alignment) % alignment;
  int64_t common = std::gcd(modulus, alignment);
  if ((wanted - remainder) % common != 0) {
    contradiction = true;
    return;
  }
  // The two classes meet once in each least common multiple, at
  // remainder + modulus * t where t solves a linear congruence.
  int64_t period = alignment / common;
  __int128 t = __int128((wanted - remainder) / common) *
               inverse(modulus / common % period, period) % period;
  __int128 meet = remainder + modulus * (t < 0 ? t + period : t);
  __int128 multiple = __int128(modulus) * period;
  contradiction |= meet > maxBytes;
  modulus = int64_t(std::min<__int128>(multiple, noOffset));
  remainder = int64_t(std::min<__int128>(meet, maxBytes));
}

// A4
void LegalOffsets::pin(int64_t offset) {
  contradiction |= offset < 0 || (pinned >= 0 && pinned != offset);
  pinned = std::max<int64_t>(offset, 0);
}

// A2
void LegalOffsets::atMost(int64_t offset) { last = std::min(last, offset); }

void LegalOffsets::avoid(BankRule rule, int64_t bytes) {
  bankBytes = bytes;
  if (rule.begin < rule.end && rule.banks != 0 && bytes > 0)
    rules.insert(std::upper_bound(rules.begin(), rules.end(), rule), rule);
}

int64_t LegalOffsets::unit() const {
  if (pinned >= 0)
    return pinned;
  int64_t result = modulus > 1 ? std::gcd(modulus, remainder) : 0;
  for (const BankRule &rule : rules)
    result = std::gcd(result, std::gcd(bankBytes, rule.begin));
  return result;
}

int64_t LegalOffsets::stepUp(int64_t x) const {
  int64_t over = (x - remainder) % modulus;
  if (over < 0)
    over += modulus;
  return over == 0 ? x : std::min(x - over + modulus, noOffset);
}

int64_t LegalOffsets::stepDown(int64_t x) const {
  if (x < remainder)
    return -1;
  return x - (x - remainder) % modulus;
}

// A11
int64_t LegalOffsets::clearOfBanks(int64_t x, bool upwards) const {
  for (bool moved = true; moved && x >= 0 && x < noOffset;) {
    moved = false;
    for (const BankRule &rule : rules) {
      int64_t first = (x + rule.begin) / bankBytes;
      int64_t last = std::min<int64_t>((x + rule.end - 1) / bankBytes, 63);
      for (int64_t bank = first; bank <= last && !moved; ++bank) {
        if (!(rule.banks >> bank & 1))
          continue;
        x = upwards ? stepUp((bank + 1) * bankBytes - rule.begin)
                    : stepDown(bank * bankBytes - rule.end);
        moved = true;
      }
      if (moved)
        break;
    }
  }
  return x;
}

int64_t LegalOffsets::roundUp(int64_t x) const {
  if (contradiction || x >= noOffset)
    return noOffset;
  if (pinned >= 0)
    return x <= pinned && clearOfBanks(pinned, true) == pinned &&
                   stepUp(pinned) == pinned
               ? inRange(pinned)
               : noOffset;
  return inRange(clearOfBanks(stepUp(x), true));
}

int64_t LegalOffsets::roundDown(int64_t x) const {
  if (contradiction || x < 0)
    return -1;
  if (pinned >= 0)
    return pinned <= x && roundUp(pinned) == pinned ? pinned : -1;
  return clearOfBanks(stepDown(std::min(x, last)), false);
}

} // namespace mli::allocation
