// SPDX-License-Identifier: Apache-2.0

#include "Tensor.h"

namespace mli::rt {

// R20
void setPerTensorParams(mli_tensor &tensor, const quant::QuantParams &params) {
  auto &sa = tensor.el_params.sa;
  sa.type = MLI_EL_PARAM_SC16_ZP16;
  sa.dim = -1;
  sa.scale.mem.i16 = params.scale;
  sa.scale_frac_bits.mem.i8 = params.fracBits;
  sa.zero_point.mem.i16 = params.zeroPoint;
}

uint32_t countElements(const mli_tensor &tensor) {
  uint32_t count = 1;
  for (uint32_t i = 0; i < tensor.rank; ++i)
    count *= tensor.shape[i];
  return count;
}

Strides getCompleteStrides(const mli_tensor &tensor) {
  Strides strides = {};
  int64_t dense = 1;
  for (uint32_t i = tensor.rank; i-- > 0;) {
    strides[i] = tensor.mem_stride[i] ? tensor.mem_stride[i] : dense;
    dense = strides[i] * tensor.shape[i];
  }
  return strides;
}

} // namespace mli::rt
