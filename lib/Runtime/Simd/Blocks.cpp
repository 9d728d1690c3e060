// SPDX-License-Identifier: Apache-2.0

#include "Runtime/Simd/Blocks.h"

#include <cstdlib>

namespace mli::rt::simd {

const MatrixKernels *kernelsFor(const WeightedOperands &operands, int group) {
  if (operands.in.el_type == MLI_EL_SA_8)
    return sa8Kernels(group);
  if (operands.in.el_type != MLI_EL_FX_16)
    return nullptr;
  return operands.weights.el_type == MLI_EL_FX_8 ? fx16Fx8Kernels()
                                                 : fx16Kernels();
}

BlockBuilder::BlockBuilder(const WeightedOperands &operands,
                           const mli_relu_cfg &relu,
                           const MatrixKernels &kernels, int64_t products)
    : operands(operands), keepsZeroPoint(kernels.keepsZeroPoint),
      products(products), in(paramsOf(operands.in)) {
  quant::QuantParams out = paramsOf(operands.out);
  bool isAsymmetric = operands.in.el_type == MLI_EL_SA_8;
  int32_t most = isAsymmetric ? INT8_MAX : INT16_MAX;
  quant::Limits limits = quant::reluLimits(reluOf(relu), out, -most - 1, most);
  outFormat.zeroPoint = out.zeroPoint;
  outFormat.low = static_cast<int16_t>(limits.low);
  outFormat.high = static_cast<int16_t>(limits.high);
  exact = limits.low >= -most - 1 && limits.low <= most &&
          limits.high >= -most - 1 && limits.high <= most;
  if (isAsymmetric) {
    base = quant::channelBase(in, out);
    // Inputs less their zero point have 9 bits.
    exact = exact && in.zeroPoint >= INT8_MIN && in.zeroPoint <= INT8_MAX;
    return;
  }
  int productBits = in.fracBits + paramsOf(operands.weights).fracBits;
  biasShift = productBits - paramsOf(operands.bias).fracBits;
  outFormat.shift = productBits - out.fracBits;
  if (kernels.weightBytes == 1)
    exact = exact && outFormat.shift >= 0 && outFormat.shift <= 31;
  else // The halves of the sums of up to 32766 pairs and a bias do not wrap.
    exact = exact && outFormat.shift >= 0 && outFormat.shift <= 46 &&
            products < 32766;
}

bool BlockBuilder::fillAsymmetric(int64_t channel, int32_t weightSum, int lane,
                                  ChannelBlock &block) const {
  int32_t bias = quant::biasTerm(elementsOf<int32_t>(operands.bias)[channel]);
  quant::ChannelRequantization scale =
      quant::channelRequantization(quant::channelScale(
          base, paramsOf(operands.weights, static_cast<uint32_t>(channel))));
  if (scale.shift < 15 || scale.shift > 29)
    return false;
  int32_t rounding = scale.preShift == 0 ? 0 : 1 << (scale.preShift - 1);
  // The scalar code saturates the sum: here it must not have to.
  if (std::abs(int64_t{bias}) + products * 255 * 128 + rounding > INT32_MAX)
    return false;
  int64_t start = int64_t{bias} + rounding;
  if (keepsZeroPoint)
    start -= int64_t{in.zeroPoint + 128} * weightSum;
  block.start[lane] = quant::wrap<int32_t>(start);
  block.preShift[lane] = scale.preShift;
  block.scale[2 * lane] = scale.multiplier;
  block.scale[2 * lane + 1] = static_cast<int16_t>(1 << (scale.shift - 15));
  block.shift[lane] = scale.shift;
  return true;
}

bool BlockBuilder::fill(int64_t first, int64_t count, const int32_t *sums,
                        ChannelBlock &block) const {
  block = {};
  for (int lane = 0; lane < count; ++lane) {
    int64_t channel = first + lane;
    if (operands.in.el_type == MLI_EL_SA_8) {
      if (!fillAsymmetric(channel, sums[lane], lane, block))
        return false;
    } else if (operands.weights.el_type == MLI_EL_FX_8) {
      block.start[lane] = quant::fixedPointBiasTerm<int32_t>(
          elementsOf<int8_t>(operands.bias)[channel], biasShift);
    } else {
      block.start[lane] =
          static_cast<int32_t>(quant::fixedPointBiasTerm<int64_t>(
              elementsOf<int16_t>(operands.bias)[channel], biasShift));
    }
  }
  return true;
}

} // namespace mli::rt::simd
