// SPDX-License-Identifier: Apache-2.0
//
// The sum of up to four vector-matrix products.

#include "RecurrentDense.h"
#include "Runtime/Convolution/WeightedChecks.h"
#include "mli/Runtime/C/api/mli_kernels_api.h"
#include "mli/Runtime/C/mli_config.h"

namespace mli::rt {
namespace {

constexpr const char *inputNames[] = {"in[0]", "in[1]", "in[2]", "in[3]"};
constexpr const char *weightNames[] = {"weights[0]", "weights[1]", "weights[2]",
                                       "weights[3]"};
static_assert(std::size(inputNames) == MLI_RNN_MAX_INPUT);

constexpr Family family = Family::RnnDense;

/// The arguments of one call.
struct DenseCall {
  const mli_tensor **in;
  const mli_tensor **weights;
  Argument bias;
  const mli_rnn_dense_cfg *cfg;
  Argument out;

  Argument input(int i) const {
    return {in[i], inputNames[i],
            contract::findTensor(family, OperandKind::Input)};
  }
  Argument matrix(int i) const {
    return {weights[i], weightNames[i],
            contract::findTensor(family, OperandKind::Weights)};
  }
};

mli_status checkInputs(const DenseCall &call, contract::Sizes &sizes) {
  for (int i = 0; i < call.cfg->inputs_num; ++i) {
    Argument in = call.input(i);
    Argument weights = call.matrix(i);
    MLI_CHECK(checkTensor(in));
    MLI_CHECK(checkTensor(weights));
    sizes.bind('i', countElements(*in));
    MLI_CHECK(checkShapes({weights}, sizes));
    MLI_CHECK(checkMemory(in));
    MLI_CHECK(checkMemory(weights));
    if (call.out.tensor)
      MLI_CHECK(checkSharing(in, call.out));
  }
  return MLI_STATUS_OK;
}

mli_status checkFormats(const DenseCall &call, const TypeCombination &types) {
  for (int i = 0; i < call.cfg->inputs_num; ++i)
    MLI_CHECK(checkTypes(call.input(i), call.matrix(i), call.bias, types));
  if (!types.isAsymmetric()) {
    for (int i = 0; i < call.cfg->inputs_num; ++i)
      MLI_CHECK(checkFractionBits(call.out, call.input(i), call.matrix(i)));
    return checkFractionBits(call.bias, call.input(0), call.matrix(0));
  }
  for (int i = 0; i < call.cfg->inputs_num; ++i) {
    MLI_CHECK(checkQuantization(call.input(i)));
    MLI_CHECK(checkQuantization(call.matrix(i)));
  }
  MLI_CHECK(checkQuantization(call.out));
  MLI_CHECK(checkQuantization(call.bias));
  for (int i = 0; i < call.cfg->inputs_num; ++i) {
    MLI_CHECK(checkPerTensor(call.input(i)));
    MLI_CHECK(checkPerTensor(call.matrix(i)));
  }
  MLI_CHECK(checkPerTensor(call.out));
  MLI_CHECK(checkPerTensor(call.bias));
  return checkBiasScale(call.input(0), call.matrix(0), call.bias);
}

// K46
mli_status checkRnnDense(const DenseCall &call, const TypeCombination &types) {
  MLI_CHECK(checkConfig(call.cfg));
  static_assert(contract::rnnInputsRange.most == MLI_RNN_MAX_INPUT);
  if (!contract::rnnInputsRange.contains(call.cfg->inputs_num))
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'inputs_num' to be from 1 to %d, but got %d",
                MLI_RNN_MAX_INPUT, call.cfg->inputs_num);
  if (!call.in || !call.weights)
    return fail(MLI_STATUS_BAD_TENSOR,
                "expected '%s' to be an array of tensors, but got null",
                call.in ? "weights" : "in");
  contract::Sizes sizes;
  MLI_CHECK(checkInputs(call, sizes));
  for (Argument vector : {call.bias, call.out}) {
    MLI_CHECK(checkTensor(vector));
    MLI_CHECK(checkShapes({vector}, sizes));
  }
  MLI_CHECK(checkSameType(call.out, call.input(0)));
  MLI_CHECK(checkMemory(call.bias));
  MLI_CHECK(checkMemory(call.out));
  MLI_CHECK(checkFormats(call, types));
  for (int i = 0; i < call.cfg->inputs_num; ++i)
    MLI_CHECK(checkSharing(call.matrix(i), call.out));
  return checkSharing(call.bias, call.out);
}

template <typename Types>
mli_status rnnDense(const DenseCall &call, mli_tensor *out) {
  if (checksEnabled())
    MLI_CHECK(checkRnnDense(call, Types::combination));
  DenseInput<Types> inputs[MLI_RNN_MAX_INPUT];
  int count = call.cfg->inputs_num;
  for (int i = 0; i < count; ++i) {
    const mli_tensor &in = *call.in[i];
    const mli_tensor &weights = *call.weights[i];
    inputs[i] = {getElements<typename Types::Input::Code>(in),
                 countElements(in),
                 getParams(in),
                 getElements<typename Types::Weights::Code>(weights),
                 weights.mem_stride[0],
                 getParams(weights)};
  }
  DenseBias<Types> bias = {getElements<typename Types::Bias::Code>(*call.bias),
                           getParams(*call.bias)};
  computeDense(inputs, count, bias, getParams(*out), call.weights[0]->shape[1],
               getElements<typename Types::Input::Code>(*out));
  return MLI_STATUS_OK;
}

} // namespace
} // namespace mli::rt

#define MLI_RNN_DENSE(name, types)                                             \
  mli_status name(MLI_RNN_DENSE_SIGNATURE(MLI_PARAMETER)) {                    \
    using namespace mli::rt;                                                   \
    return runEntry<weighted::types, MLI_ACCUMULATE_FULL_PRODUCTS>(            \
        #name, [&](auto computed) {                                            \
          return rnnDense<decltype(computed)>(                                 \
              {in, weights, getArgument(family, OperandKind::Bias, bias), cfg, \
               getArgument(family, OperandKind::Init, out)},                   \
              out);                                                            \
        });                                                                    \
  }
#include "mli/Runtime/C/api/mli_kernels.def"
