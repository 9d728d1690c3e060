// SPDX-License-Identifier: Apache-2.0

#include "WeightedChecks.h"

#include "mli/Quant/Accumulate.h"
#include "mli/Quant/Formats.h"

#include <algorithm>
#include <cinttypes>

namespace mli::rt {

mli_status checkFractionBits(const Argument &tensor, const Argument &in,
                             const Argument &weights) {
  int limit = contract::productFracBits(getParams(*in), getParams(*weights));
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

/// Whether all bias scales match in the usual mode, of channels whose fraction
/// bits differ by no more than usual; else false, and one looks at each. Shifts
/// are by the same number in all lanes, which every instruction set has.
static bool allBiasScalesMatch(const mli_tensor &in, const mli_tensor &weights,
                               const mli_tensor &bias, uint32_t channels) {
  const auto &of = weights.el_params.sa;
  const auto &to = bias.el_params.sa;
  if (of.dim < 0 || to.dim < 0 || currentRounding() != quant::Rounding::Up)
    return false;
  quant::QuantParams params = getParams(in);
  const int8_t *ofBits = of.scale_frac_bits.mem.pi8;
  const int8_t *toBits = to.scale_frac_bits.mem.pi8;
  const int16_t *ofScales = of.scale.mem.pi16;
  const int16_t *toScales = to.scale.mem.pi16;
  // Products of scales are below 2^30.
  int least = std::clamp(params.fracBits + ofBits[0] - toBits[0] - 1, 1, 27);
  int mismatches = 0;
  for (uint32_t i = 0; i < channels; ++i) {
    int excess = params.fracBits + ofBits[i] - toBits[i] - least;
    int32_t doubled = (params.scale * ofScales[i]) >> (least - 1);
    // Rounded up from half on, by one, two or three bits more.
    int32_t rounded = excess == 0   ? (doubled + 1) >> 1
                      : excess == 1 ? (doubled + 2) >> 2
                                    : (doubled + 4) >> 3;
    int32_t distance = rounded - toScales[i];
    mismatches |= static_cast<int>(excess < 0) | static_cast<int>(excess > 2) |
                  static_cast<int>(distance < -1) |
                  static_cast<int>(distance > 1);
  }
  return mismatches == 0;
}

mli_status checkBiasScale(const Argument &in, const Argument &weights,
                          const Argument &bias) {
  int32_t dim = weights->el_params.sa.dim;
  uint32_t channels = dim < 0 ? 1 : weights->shape[dim];
  if (allBiasScalesMatch(*in, *weights, *bias, channels))
    return MLI_STATUS_OK;
  for (uint32_t i = 0; i < channels; ++i) {
    quant::QuantParams weightsParams = getParams(*weights, i);
    quant::QuantParams biasParams = getParams(*bias, i);
    if (quant::biasScaleMatches(getParams(*in), weightsParams, biasParams,
                                currentRounding()))
      continue;
    return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
                "expected '%s' to have the scale of '%s' times '%s' for "
                "channel %" PRIu32 ", but got %d*2^-%d for %d*2^-%d times "
                "%d*2^-%d",
                bias.name, in.name, weights.name, i, biasParams.scale,
                biasParams.fracBits, getParams(*in).scale,
                getParams(*in).fracBits, weightsParams.scale,
                weightsParams.fracBits);
  }
  return MLI_STATUS_OK;
}

// K19
mli_status checkAsymmetricFormats(const WeightedArguments &args,
                                  const TypeCombination &types) {
  MLI_CHECK(checkTypes(args.in, args.weights, args.bias, types));
  for (Argument tensor : {args.in, args.out, args.weights, args.bias})
    MLI_CHECK(checkQuantization(tensor));
  bool isPerChannel = isPerAxis(*args.weights);
  int32_t weightsAxis = args.weights.contract->axisIn(isPerChannel);
  if (getParamsAxis(*args.weights) != weightsAxis)
    return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
                "expected '%s' to be quantised per tensor or along dimension "
                "%" PRId32 ", but got dim %" PRId32,
                args.weights.name, weightsAxis, getParamsAxis(*args.weights));
  if (getParamsAxis(*args.bias) != args.bias.contract->axisIn(isPerChannel))
    return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
                "expected '%s' to be quantised per %s as '%s', but got dim "
                "%" PRId32,
                args.bias.name, isPerChannel ? "channel" : "tensor",
                args.weights.name, args.bias->el_params.sa.dim);
  MLI_CHECK(checkPerTensor(args.in));
  MLI_CHECK(checkPerTensor(args.out));
  return checkBiasScale(args.in, args.weights, args.bias);
}

} // namespace mli::rt
