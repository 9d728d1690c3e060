// SPDX-License-Identifier: Apache-2.0
//
// Tests of messages by tables: a valid call, a change and the whole message.

#ifndef MLI_TEST_UNIT_RUNTIME_API_MESSAGEROWS_H
#define MLI_TEST_UNIT_RUNTIME_API_MESSAGEROWS_H

#include "../TestTensor.h"
#include "ApiTable.h"

namespace mli::test {

/// A valid call to be spoilt.
class Spoilt {
public:
  explicit Spoilt(const std::string &name) {
    for (ApiCall &candidate : apiCalls())
      if (candidate.name == name)
        call = std::move(candidate);
    arguments = call.arguments();
  }

  mli_tensor &tensor(size_t index) { return *arguments[index]; }
  auto &sa(size_t index) { return tensor(index).el_params.sa; }
  template <typename Value>
  Value &pointer(size_t index = 0) {
    return *static_cast<Value *>(call.pointers[index]);
  }
  mli_pool_cfg &pool() { return pointer<mli_pool_cfg>(); }
  mli_mov_cfg_t &mov() { return pointer<mli_mov_cfg_t>(); }

  ApiCall call;
  ApiTensors arguments;
  /// Parameters along an axis.
  int16_t scales[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  int16_t zeros[8] = {};
  int8_t bits[8] = {};

  void quantise(size_t index, int32_t dim) {
    auto &params = sa(index);
    params.dim = dim;
    params.scale = {16, {}};
    params.scale.mem.pi16 = scales;
    params.zero_point = {16, {}};
    params.zero_point.mem.pi16 = zeros;
    params.scale_frac_bits = {8, {}};
    params.scale_frac_bits.mem.pi8 = bits;
  }
};

struct Row {
  const char *function;
  void (*spoil)(Spoilt &);
  mli_status status;
  /// After the name of the function.
  const char *message;
};

// NOLINTNEXTLINE(readability-identifier-naming): what gtest looks for.
inline void PrintTo(const Row &row, std::ostream *stream) {
  *stream << row.function;
}

inline void expectMessage(const Row &row) {
  Spoilt spoilt(row.function);
  ASSERT_STREQ(spoilt.call.name, row.function);
  row.spoil(spoilt);
  Messages messages;
  EXPECT_STREQ(
      mli_status_name(spoilt.call.run(spoilt.arguments, spoilt.call.pointers)),
      mli_status_name(row.status));
  EXPECT_EQ(messages.last,
            row.function + (": expected " + std::string(row.message)));
}

} // namespace mli::test

#endif // MLI_TEST_UNIT_RUNTIME_API_MESSAGEROWS_H
