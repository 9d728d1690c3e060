// SPDX-License-Identifier: Apache-2.0
//
// relu: clips quantised values and keeps the quantisation of the input.

#include "Runtime/Core/Checks.h"
#include "Runtime/Simd/Rows.h"
#include "mli/Quant/Requantize.h"
#include "mli/Runtime/C/api/mli_kernels_api.h"

#include <algorithm>
#include <limits>

namespace mli::rt {
namespace {

mli_status checkRelu(const Argument &in, const mli_relu_cfg *cfg,
                     const Argument &out, mli_element_type type) {
  MLI_CHECK(checkTensor(in));
  MLI_CHECK(checkConfig(cfg));
  MLI_CHECK(checkUnary(in, out));
  MLI_CHECK(checkType(in, type));
  MLI_CHECK(checkQuantization(in));
  return checkPerTensor(in);
}

template <typename Type>
mli_status relu(const Argument &in, const mli_relu_cfg *cfg, mli_tensor *out) {
  if (checksEnabled())
    MLI_CHECK(checkRelu(in, cfg, getOutput(in, out), Type::type));
  using Code = typename Type::Code;
  quant::Limits limits = quant::reluLimits(
      static_cast<quant::Relu>(cfg->type), getParams(*in),
      std::numeric_limits<Code>::min(), std::numeric_limits<Code>::max());
  auto low = static_cast<Code>(limits.low);
  auto high = static_cast<Code>(limits.high);
  const Code *source = getElements<Code>(*in);
  Code *target = getElements<Code>(*out);
  Extents extents = getExtents(*in);
  std::array<Strides, 2> strides = {getDenseRowStrides(*in),
                                    getDenseRowStrides(*out)};
  mergeRows(extents, strides);
  const simd::RowKernels<Code> *kernels = simd::rowKernels(Code{});
  forEachRow<2>(
      extents, strides, [&](const Extents &, const std::array<int64_t, 2> &at) {
        if (kernels) {
          kernels->clip(source + at[0], low, high, target + at[1], extents[3]);
          return;
        }
        for (int64_t i = 0; i < extents[3]; ++i)
          target[at[1] + i] = std::min(std::max(source[at[0] + i], low), high);
      });
  out->el_params = in->el_params;
  return MLI_STATUS_OK;
}

} // namespace
} // namespace mli::rt

#define MLI_RELU(name, type)                                                   \
  mli_status name(MLI_RELU_SIGNATURE(MLI_PARAMETER)) {                         \
    using namespace mli::rt;                                                   \
    Entry entry(#name);                                                        \
    return relu<types::type>(                                                  \
        getArgument(Family::Relu, OperandKind::Input, in), cfg, out);          \
  }
#include "mli/Runtime/C/api/mli_kernels.def"
