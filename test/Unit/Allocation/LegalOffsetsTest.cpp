// SPDX-License-Identifier: Apache-2.0
//
// The nearest legal offsets against trying one after the other.

#include "Allocation/LegalOffsets.h"
#include "Allocation/RangeMax.h"
#include "SmallProblems.h"

#include <gtest/gtest.h>

using namespace mli::allocation;
using namespace mli::allocation::test;

namespace {

/// The rules of one block, checked one by one.
struct Rules {
  std::vector<std::pair<int64_t, int64_t>> alignments;
  std::vector<int64_t> pins;
  std::vector<BankRule> banks;
  int64_t bankBytes = 7;

  bool legal(int64_t x) const {
    for (auto [delta, alignment] : alignments)
      if ((x + delta) % alignment != 0)
        return false;
    for (int64_t pin : pins)
      if (x != pin)
        return false;
    for (const BankRule &rule : banks)
      for (int64_t byte = x + rule.begin; byte < x + rule.end; ++byte)
        if (byte / bankBytes < 64 && rule.banks >> (byte / bankBytes) & 1)
          return false;
    return true;
  }
};

} // namespace

// A3, A4, A11
TEST(LegalOffsets, AreTheNearestThatObeyAllRules) {
  RandomProblems random(21);
  for (int i = 0, count = manyOf(20000, 2000); i < count; ++i) {
    Rules rules;
    LegalOffsets legal;
    for (int64_t k = random.between(0, 3); k > 0; --k) {
      rules.alignments.emplace_back(random.between(0, 5),
                                    random.between(1, 12));
      legal.align(rules.alignments.back().first,
                  rules.alignments.back().second);
    }
    for (int64_t k = random.oneIn(4) ? random.between(1, 2) : 0; k > 0; --k) {
      rules.pins.push_back(random.between(-1, 20));
      legal.pin(rules.pins.back());
    }
    for (int64_t k = random.between(0, 2); k > 0; --k) {
      int64_t begin = random.between(0, 4);
      rules.banks.push_back({begin, begin + random.between(1, 6),
                             uint64_t(random.between(0, 15))});
      legal.avoid(rules.banks.back(), rules.bankBytes);
    }
    const int64_t far = 4000;
    for (int64_t x :
         {int64_t(0), random.between(0, 40), random.between(0, 40)}) {
      int64_t up = x, down = x;
      while (up < far && !rules.legal(up))
        ++up;
      while (down >= 0 && !rules.legal(down))
        --down;
      ASSERT_EQ(std::min(legal.up(x), far), up);
      ASSERT_EQ(legal.down(x), down);
      // A17
      int64_t unit = legal.unit() == 0 ? random.between(1, 9) : legal.unit();
      if (legal.up(x * unit) < noOffset) {
        ASSERT_EQ(legal.up(x * unit) % unit, 0);
      }
    }
  }
}

TEST(LegalOffsets, LargeAlignmentsOfOneBlockMeet) {
  LegalOffsets legal;
  legal.align(3, 1000003);
  legal.align(0, int64_t(1) << 20);
  int64_t offset = legal.up(1);
  EXPECT_EQ((offset + 3) % 1000003, 0);
  EXPECT_EQ(offset % (1 << 20), 0);
  EXPECT_GE(noOffset, offset);
}

// A2
TEST(LegalOffsets, EndAtTheLastThatIsAllowed) {
  // They meet behind 2^60 bytes only.
  LegalOffsets remote;
  remote.align(0, int64_t(1) << 40);
  remote.align(1, (int64_t(1) << 40) - 1);
  remote.align(3, (int64_t(1) << 40) - 3);
  EXPECT_EQ(remote.up(0), noOffset);
  EXPECT_EQ(remote.down(maxBytes), -1);
  // They meet at 0 and nowhere else.
  LegalOffsets once;
  for (int64_t less : {0, 1, 3})
    once.align(0, (int64_t(1) << 40) - less);
  EXPECT_EQ(once.up(0), 0);
  EXPECT_EQ(once.up(1), noOffset);
  EXPECT_EQ(once.down(maxBytes), 0);
  LegalOffsets low;
  low.align(0, 6);
  low.atMost(20);
  EXPECT_EQ(low.up(18), 18);
  EXPECT_EQ(low.up(19), noOffset);
  EXPECT_EQ(low.down(maxBytes), 18);
  LegalOffsets pinned;
  pinned.pin(21);
  pinned.atMost(20);
  EXPECT_EQ(pinned.up(0), noOffset);
  EXPECT_EQ(pinned.down(30), -1);
}

TEST(RangeMax, IsTheGreatestOfTheRange) {
  RandomProblems random(22);
  std::vector<int64_t> plain(200, 0);
  RangeMax row(plain.size());
  for (int i = 0; i < 3000; ++i) {
    auto first = size_t(random.between(0, 199));
    auto last = size_t(random.between(int64_t(first), 199));
    int64_t greatest =
        *std::max_element(plain.begin() + first, plain.begin() + last + 1);
    ASSERT_EQ(row.max(first, last), greatest);
    if (!random.oneIn(3))
      continue;
    int64_t value = greatest + random.between(0, 3);
    std::fill(plain.begin() + first, plain.begin() + last + 1, value);
    row.raise(first, last, value);
  }
}
