// SPDX-License-Identifier: Apache-2.0

#include "Blocks.h"

#include "Runtime/Simd/Ratios.h"

namespace mli::rt::simd {

static const MatrixKernels *fastKernels(mli_element_type in,
                                        mli_element_type weights, bool isNarrow,
                                        int group) {
  if (in == MLI_EL_SA_8)
    return sa8Kernels(group);
  if (group == contiguousInputs)
    return fx16Fx8Contiguous();
  return weights == MLI_EL_FX_8 ? fx16Fx8Kernels(isNarrow) : fx16Kernels();
}

const MatrixKernels *kernelsFor(mli_element_type in, mli_element_type weights,
                                bool isNarrow, int group) {
  if (in != MLI_EL_SA_8 && in != MLI_EL_FX_16)
    return nullptr;
  const MatrixKernels *fast = fastKernels(in, weights, isNarrow, group);
  return fast || group == 0 ? fast
                            : scalarKernels(in, weights, isNarrow, group);
}

BlockBuilder::BlockBuilder(const WeightedOperands &operands,
                           const mli_relu_cfg &relu, int32_t offset,
                           int64_t products)
    : operands(operands), offset(offset), products(products),
      in(getParams(operands.in)) {
  quant::QuantParams out = getParams(operands.out);
  bool isAsymmetric = operands.in.el_type == MLI_EL_SA_8;
  int32_t most = isAsymmetric ? INT8_MAX : INT16_MAX;
  quant::Limits limits = quant::reluLimits(getRelu(relu), out, -most - 1, most);
  outFormat.zeroPoint = out.zeroPoint;
  outFormat.low = static_cast<int16_t>(limits.low);
  outFormat.high = static_cast<int16_t>(limits.high);
  exact = limits.low >= -most - 1 && limits.low <= most &&
          limits.high >= -most - 1 && limits.high <= most;
  if (isAsymmetric) {
    if (!operands.blocks)
      base = quant::channelBase(in, out);
    // Inputs less their zero point have 9 bits.
    exact = exact && in.zeroPoint >= INT8_MIN && in.zeroPoint <= INT8_MAX;
    return;
  }
  int productBits = in.fracBits + getParams(operands.weights).fracBits;
  biasShift = productBits - getParams(operands.bias).fracBits;
  outFormat.shift = productBits - out.fracBits;
  if (operands.weights.el_type == MLI_EL_FX_8) {
    exact = exact && outFormat.shift >= 0 && outFormat.shift <= 31;
    if (!exact)
      return;
    int64_t maxBias = int64_t{128} << std::clamp(biasShift, 0, 31);
    int64_t most =
        (products << 22) + maxBias + getRoundingHalf(outFormat.shift);
    outFormat.hasLateBias = most > INT32_MAX ? 1 : 0;
  } else // The halves of the sums of up to 32766 pairs and a bias do not wrap.
    exact = exact && outFormat.shift >= 0 && outFormat.shift <= 46 &&
            products < 32766;
}

static bool fillBlock(const BlockInputs &inputs, ChannelBlock &block) {
  const BlockFiller *filler = blockFiller();
  return filler ? filler->fill(inputs, block) : fillScalarBlock(inputs, block);
}

bool BlockBuilder::fillAsymmetric(int64_t first, int64_t count,
                                  const int32_t *sums,
                                  ChannelBlock &block) const {
  // Sums are inside 32 bits with what rounding adds: the scalar code saturates
  // the last addition.
  int64_t limit = int64_t{INT32_MAX} - 256 - products * 255 * 128;
  if (limit < 0)
    return false;
  BlockInputs inputs;
  inputs.ratio = base.ratio;
  inputs.shift = base.shift;
  inputs.offset = offset;
  inputs.biasLimit = static_cast<int32_t>(limit);
  const int32_t *bias = getElements<int32_t>(operands.bias) + first;
  const auto &sa = operands.weights.el_params.sa;
  bool isPerAxis = sa.dim >= 0;
  const int16_t *scales = isPerAxis ? sa.scale.mem.pi16 + first : nullptr;
  const int8_t *bits = isPerAxis ? sa.scale_frac_bits.mem.pi8 + first : nullptr;
  if (isPerAxis && count == panelChannels) {
    inputs.bias = bias;
    inputs.scales = scales;
    inputs.fracBits = bits;
    inputs.weightSums = sums;
    return fillBlock(inputs, block);
  }
  int32_t biasLanes[panelChannels];
  int16_t scaleLanes[panelChannels];
  int8_t bitLanes[panelChannels];
  int32_t sumLanes[panelChannels];
  for (int64_t lane = 0; lane < panelChannels; ++lane) {
    // Lanes without a channel repeat the last one.
    int64_t channel = std::min(lane, count - 1);
    biasLanes[lane] = bias[channel];
    scaleLanes[lane] = isPerAxis ? scales[channel] : sa.scale.mem.i16;
    bitLanes[lane] = isPerAxis ? bits[channel] : sa.scale_frac_bits.mem.i8;
    sumLanes[lane] = sums[channel];
  }
  inputs.bias = biasLanes;
  inputs.scales = scaleLanes;
  inputs.fracBits = bitLanes;
  inputs.weightSums = sumLanes;
  return fillBlock(inputs, block);
}

/// Adds the shares of inputs that are `offset` too high, with the sums of the
/// weights of `count` channels. Lanes without a channel repeat the last one.
static void addShares(int32_t offset, const int32_t *sums, int64_t count,
                      ChannelBlock &block) {
  // As unsigned numbers, which wrap.
  for (int64_t lane = 0; lane < count; ++lane)
    block.start[lane] = static_cast<int32_t>(
        static_cast<uint32_t>(block.start[lane]) -
        static_cast<uint32_t>(offset) * static_cast<uint32_t>(sums[lane]));
  std::fill(block.start + count, std::end(block.start), block.start[count - 1]);
}

bool BlockBuilder::fill(int64_t first, int64_t count, const int32_t *sums,
                        ChannelBlock &block) const {
  if (operands.blocks) {
    block = operands.blocks[first / panelChannels];
    addShares(offset, sums, count, block);
    return true;
  }
  if (operands.in.el_type == MLI_EL_SA_8)
    return fillAsymmetric(first, count, sums, block);
  block = {};
  for (int lane = 0; lane < count; ++lane) {
    int64_t channel = first + lane;
    if (operands.weights.el_type == MLI_EL_FX_8) {
      auto bias = quant::fixedPointBiasTerm<int32_t>(
          getElements<int8_t>(operands.bias)[channel], biasShift);
      if (outFormat.hasLateBias != 0)
        block.lateBias[lane] = bias;
      else
        block.start[lane] = bias + getRoundingHalf(outFormat.shift);
    } else
      block.start[lane] =
          static_cast<int32_t>(quant::fixedPointBiasTerm<int64_t>(
              getElements<int16_t>(operands.bias)[channel], biasShift));
  }
  return true;
}

} // namespace mli::rt::simd
