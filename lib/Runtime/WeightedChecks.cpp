// SPDX-License-Identifier: Apache-2.0

#include "Runtime/WeightedChecks.h"

#include "mli/Quant/Accumulate.h"

#include <cinttypes>

namespace mli::rt {

mli_status checkFractionBits(Argument tensor, Argument in, Argument weights) {
  int limit = in->el_params.fx.frac_bits + weights->el_params.fx.frac_bits;
  if (tensor->el_params.fx.frac_bits > limit)
    return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
                "expected '%s' to have at most the %d fraction bits of '%s' "
                "and '%s', but got %d",
                tensor.name, limit, in.name, weights.name,
                tensor->el_params.fx.frac_bits);
  return MLI_STATUS_OK;
}

// K18
mli_status checkFixedPointFormats(const WeightedArguments &args,
                                  const TypeCombination &types) {
  MLI_CHECK(checkTypes(args.in, args.weights, args.bias, types));
  MLI_CHECK(checkFractionBits(args.bias, args.in, args.weights));
  MLI_CHECK(checkNotNull(args.out));
  return checkFractionBits(args.out, args.in, args.weights);
}

mli_status checkBiasScale(Argument in, Argument weights, Argument bias) {
  int32_t dim = weights->el_params.sa.dim;
  uint32_t channels = dim < 0 ? 1 : weights->shape[dim];
  for (uint32_t i = 0; i < channels; ++i) {
    quant::QuantParams weightsParams = paramsOf(*weights, i);
    quant::QuantParams biasParams = paramsOf(*bias, i);
    if (quant::biasScaleMatches(paramsOf(*in), weightsParams, biasParams,
                                currentRounding()))
      continue;
    return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
                "expected '%s' to have the scale of '%s' times '%s' for "
                "channel %" PRIu32 ", but got %d*2^-%d for %d*2^-%d times "
                "%d*2^-%d",
                bias.name, in.name, weights.name, i, biasParams.scale,
                biasParams.fracBits, paramsOf(*in).scale,
                paramsOf(*in).fracBits, weightsParams.scale,
                weightsParams.fracBits);
  }
  return MLI_STATUS_OK;
}

// K19
mli_status checkAsymmetricFormats(const WeightedArguments &args,
                                  const TypeCombination &types,
                                  int32_t weightsAxis) {
  MLI_CHECK(checkTypes(args.in, args.weights, args.bias, types));
  MLI_CHECK(checkQuantization(args.in, contract::mapZeroPointRange));
  MLI_CHECK(checkQuantization(args.out, contract::mapZeroPointRange));
  MLI_CHECK(checkQuantization(args.weights, contract::weightZeroPointRange));
  MLI_CHECK(checkQuantization(args.bias, contract::weightZeroPointRange));
  int32_t weightsDim = args.weights->el_params.sa.dim;
  int32_t biasDim = args.bias->el_params.sa.dim;
  if (weightsDim >= 0 && weightsDim != weightsAxis)
    return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
                "expected '%s' to be quantised per tensor or along dimension "
                "%" PRId32 ", but got dim %" PRId32,
                args.weights.name, weightsAxis, weightsDim);
  if ((weightsDim < 0) != (biasDim < 0) || biasDim > 0)
    return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
                "expected '%s' to be quantised per %s as '%s', but got dim "
                "%" PRId32,
                args.bias.name, weightsDim < 0 ? "tensor" : "channel",
                args.weights.name, biasDim);
  MLI_CHECK(checkPerTensor(args.in));
  MLI_CHECK(checkPerTensor(args.out));
  return checkBiasScale(args.in, args.weights, args.bias);
}

} // namespace mli::rt
