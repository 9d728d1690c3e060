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
    lut.in_frac_bits = static_cast<int32_t>(random.in(-3, 12));
    lut.out_frac_bits = static_cast<int32_t>(random.in(0, 20));
    lut.input_offset = static_cast<int32_t>(random.in(-300, 600));
  }
  RandomTable(const RandomTable &) = delete;
  RandomTable &operator=(const RandomTable &) = delete;

  mli_lut lut;

private:
  std::vector<int16_t> values;
};

} // namespace mli::test

#endif // MLI_TEST_UNIT_RUNTIME_REFERENCE_RANDOMTABLE_H
