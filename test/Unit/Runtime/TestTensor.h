// SPDX-License-Identifier: Apache-2.0
//
// Tensors for tests: they own their elements and parameters.

#ifndef MLI_TEST_UNIT_RUNTIME_TESTTENSOR_H
#define MLI_TEST_UNIT_RUNTIME_TESTTENSOR_H

#include "mli/Runtime/C/mli_api.h"
#include "mli/Runtime/C/mli_runtime.h"

#include <cstring>
#include <string>
#include <vector>

namespace mli::test {

template <typename Code, mli_element_type Type>
class TestTensor {
public:
  /// A contiguous tensor of `shape` that holds `codes`, or zeros.
  explicit TestTensor(const std::vector<uint32_t> &shape,
                      std::vector<Code> codes = {})
      : codes(std::move(codes)) {
    std::memset(&tensor, 0, sizeof(tensor));
    tensor.el_type = Type;
    tensor.rank = static_cast<uint32_t>(shape.size());
    size_t count = 1;
    for (size_t i = shape.size(); i-- > 0;) {
      tensor.shape[i] = shape[i];
      tensor.mem_stride[i] = static_cast<int32_t>(count);
      count *= shape[i];
    }
    this->codes.resize(count);
    tensor.data.capacity = static_cast<uint32_t>(count * sizeof(Code));
    tensor.data.mem.pi8 = reinterpret_cast<int8_t *>(this->codes.data());
    if (Type == MLI_EL_SA_8 || Type == MLI_EL_SA_32)
      params(1, 0, 0);
  }
  TestTensor(const TestTensor &) = delete;
  TestTensor &operator=(const TestTensor &) = delete;

  TestTensor &fracBits(int8_t bits) {
    tensor.el_params.fx.frac_bits = bits;
    return *this;
  }

  /// Quantises per tensor.
  TestTensor &params(int16_t scale, int8_t fracBits, int16_t zeroPoint) {
    auto &sa = tensor.el_params.sa;
    sa.dim = -1;
    sa.scale.mem.i16 = scale;
    sa.scale_frac_bits.mem.i8 = fracBits;
    sa.zero_point.mem.i16 = zeroPoint;
    return *this;
  }

  /// Quantises along `dim`.
  TestTensor &axis(int32_t dim, std::vector<int16_t> newScales,
                   std::vector<int8_t> newFracBits,
                   std::vector<int16_t> newZeroPoints) {
    scales = std::move(newScales);
    scaleFracBits = std::move(newFracBits);
    zeroPoints = std::move(newZeroPoints);
    auto &sa = tensor.el_params.sa;
    sa.dim = dim;
    sa.scale.mem.pi16 = scales.data();
    sa.scale.capacity = static_cast<uint32_t>(2 * scales.size());
    sa.zero_point.mem.pi16 = zeroPoints.data();
    sa.zero_point.capacity = static_cast<uint32_t>(2 * zeroPoints.size());
    sa.scale_frac_bits.mem.pi8 = scaleFracBits.data();
    sa.scale_frac_bits.capacity = static_cast<uint32_t>(scaleFracBits.size());
    return *this;
  }

  /// As an argument.
  operator mli_tensor *() { return &tensor; }
  mli_tensor *operator->() { return &tensor; }

  std::vector<Code> codes;

private:
  mli_tensor tensor;
  std::vector<int16_t> scales;
  std::vector<int8_t> scaleFracBits;
  std::vector<int16_t> zeroPoints;
};

/// Checks parameters as `mode` says while it lives.
class CheckMode {
public:
  explicit CheckMode(mli_check_mode mode) : before(mli_get_check_mode()) {
    mli_set_check_mode(mode);
  }
  ~CheckMode() { mli_set_check_mode(before); }
  CheckMode(const CheckMode &) = delete;
  CheckMode &operator=(const CheckMode &) = delete;

private:
  mli_check_mode before;
};

/// Collects messages while it lives.
class Messages {
public:
  Messages() : mode(MLI_CHECK_MESSAGES) {
    mli_set_message_callback(
        [](const char *message, void *cookie) {
          static_cast<Messages *>(cookie)->last = message;
        },
        this);
  }
  ~Messages() { mli_set_message_callback(nullptr, nullptr); }
  Messages(const Messages &) = delete;
  Messages &operator=(const Messages &) = delete;

  std::string last;

private:
  CheckMode mode;
};

using Fx8 = TestTensor<int8_t, MLI_EL_FX_8>;
using Fx16 = TestTensor<int16_t, MLI_EL_FX_16>;
using Sa8 = TestTensor<int8_t, MLI_EL_SA_8>;
using Sa32 = TestTensor<int32_t, MLI_EL_SA_32>;
using Fp32 = TestTensor<float, MLI_EL_FP_32>;

} // namespace mli::test

#endif // MLI_TEST_UNIT_RUNTIME_TESTTENSOR_H
