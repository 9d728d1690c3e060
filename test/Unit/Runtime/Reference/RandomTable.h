// SPDX-License-Identifier: Apache-2.0
//
// Tables of functions for random cases.

#ifndef MLI_TEST_UNIT_RUNTIME_REFERENCE_RANDOMTABLE_H
#define MLI_TEST_UNIT_RUNTIME_REFERENCE_RANDOMTABLE_H

#include "RandomCase.h"

namespace mli::test {

/// A table of the library, or one of random entries in any format.
class RandomTable {
public:
  using Create = mli_status(mli_lut *);
  RandomTable(Random &random, Create *create) : values(400) {
    std::memset(&lut, 0, sizeof(lut));
    lut.data.mem.pi16 = values.data();
    lut.data.capacity = static_cast<uint32_t>(2 * values.size());
    EXPECT_EQ(create(&lut), MLI_STATUS_OK);
    if (!random.oneIn(3))
      return;
    for (int16_t &value : values)
      value = static_cast<int16_t>(random.in(-32768, 32767));
    lut.length = static_cast<int32_t>(random.in(2, 400));
    lut.in_frac_bits = bits(random, {-3, 12}, {-40, 40});
    lut.out_frac_bits = bits(random, {0, 20}, {-30, 45});
    lut.input_offset =
        static_cast<int32_t>(random.oneIn(4) ? random.in(INT32_MIN, INT32_MAX)
                                             : random.in(-300, 600));
  }
  RandomTable(const RandomTable &) = delete;
  RandomTable &operator=(const RandomTable &) = delete;

  mli_lut lut;

private:
  struct Range {
    int64_t low;
    int64_t high;
  };

  /// Fraction bits: often some that spread the entries over the codes, else
  /// those that containers have, and a few far beyond.
  static int32_t bits(Random &random, const Range &usual, const Range &wide) {
    if (random.oneIn(16))
      return random.oneIn(2) ? -1000 : 1000;
    const Range &range = random.oneIn(2) ? usual : wide;
    return static_cast<int32_t>(random.in(range.low, range.high));
  }

  std::vector<int16_t> values;
};

} // namespace mli::test

#endif // MLI_TEST_UNIT_RUNTIME_REFERENCE_RANDOMTABLE_H
