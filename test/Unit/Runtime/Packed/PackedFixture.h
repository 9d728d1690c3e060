// SPDX-License-Identifier: Apache-2.0
//
// A packed layer of a test, which rejects damage to its header.

#ifndef MLI_TEST_UNIT_RUNTIME_PACKED_PACKEDFIXTURE_H
#define MLI_TEST_UNIT_RUNTIME_PACKED_PACKEDFIXTURE_H

#include "../TestTensor.h"
#include "mli/Runtime/C/mli_packed.h"

#include <gtest/gtest.h>

namespace mli::test {

/// A layer that is packed in memory of `Bytes` bytes, and what is told about
/// that.
template <size_t Bytes>
class Packed : public testing::Test {
protected:
  Packed() {
    container.mem.pi8 = memory;
    container.capacity = Bytes;
  }

  virtual mli_status pack() = 0;
  virtual mli_status run() = 0;

  /// Whatever bytes a header has, nothing else is touched.
  void expectDamageIsRefused() {
    ASSERT_EQ(pack(), MLI_STATUS_OK);
    int refused = 0;
    for (int at = 0; at < 256; ++at)
      for (int flip : {0x01, 0x40, 0x80, 0xff}) {
        memory[at] ^= static_cast<int8_t>(flip);
        refused += run() != MLI_STATUS_OK;
        memory[at] ^= static_cast<int8_t>(flip);
      }
    EXPECT_GT(refused, 100);
    EXPECT_EQ(run(), MLI_STATUS_OK);
  }

  alignas(64) int8_t memory[Bytes] = {};
  mli_data_container container;
  Messages messages;
};

} // namespace mli::test

#endif // MLI_TEST_UNIT_RUNTIME_PACKED_PACKEDFIXTURE_H
