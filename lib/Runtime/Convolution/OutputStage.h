// SPDX-License-Identifier: Apache-2.0
//
// The last step of convolutions and matrix products: from accumulators to
// quantised outputs, for a block of output channels at a time.

#ifndef MLI_LIB_RUNTIME_CONVOLUTION_OUTPUTSTAGE_H
#define MLI_LIB_RUNTIME_CONVOLUTION_OUTPUTSTAGE_H

#include "Runtime/Core/Tensor.h"
#include "Runtime/Core/Types.h"
#include "Runtime/Simd/Profile.h"
#include "mli/Quant/Accumulate.h"

#include <algorithm>
#include <limits>

namespace mli::rt {

/// Output channels whose accumulators are kept at once: they stay in the first
/// cache level, and the inner loops are long enough for vectors.
inline constexpr int64_t channelBlock = simd::hasFastKernels ? 64 : 32;

/// The operands that determine how an accumulator is quantised.
namespace simd {
struct ChannelBlock;
} // namespace simd

struct WeightedOperands {
  const mli_tensor &in;
  const mli_tensor &weights;
  const mli_tensor &bias;
  const mli_tensor &out;
  /// Of all channels, if they were computed before; else null.
  const simd::ChannelBlock *blocks = nullptr;
};

/// The activation that a configuration specifies.
inline quant::Relu getRelu(const mli_relu_cfg &cfg) {
  return static_cast<quant::Relu>(cfg.type);
}

/// The value that an sa32 bias adds to an accumulator.
// K12, K52
template <typename Types>
int32_t asymmetricBiasTerm(int32_t bias) {
  return Types::isFull ? bias : quant::biasTerm(bias);
}

template <typename Types>
class OutputStage {
public:
  using Accumulator = typename Types::Accumulator;
  using Code = typename Types::Input::Code;
  using BiasCode = typename Types::Bias::Code;

  OutputStage(const WeightedOperands &operands, const mli_relu_cfg &relu)
      : weights(operands.weights), bias(getElements<BiasCode>(operands.bias)),
        zeroPoint(getParams(operands.out).zeroPoint),
        limits(quant::reluLimits(getRelu(relu), getParams(operands.out),
                                 std::numeric_limits<Code>::min(),
                                 std::numeric_limits<Code>::max())) {
    quant::QuantParams in = getParams(operands.in);
    if constexpr (Types::isAsymmetric) {
      base = quant::channelBase(in, getParams(operands.out), Types::rounding);
    } else {
      int productBits = in.fracBits + getParams(weights).fracBits;
      biasShift = productBits - getParams(operands.bias).fracBits;
      outShift = productBits - getParams(operands.out).fracBits;
    }
  }

  /// Chooses the channels `first`, `first + 1`, ... `first + count - 1`, at
  /// most `channelBlock`.
  void select(int64_t first, int64_t count) {
    for (int64_t c = 0; c < count; ++c) {
      BiasCode code = bias[first + c];
      if constexpr (Types::isAsymmetric) {
        quant::QuantParams params = getParams(weights, first + c);
        biasTerms[c] = asymmetricBiasTerm<Types>(code);
        if constexpr (Types::isFull)
          channels[c] = quant::fullChannelScale(base, params);
        else
          channels[c] = quant::channelRequantization(
              quant::channelScale(base, params), Types::rounding);
      } else {
        biasTerms[c] = quant::fixedPointBiasTerm<Accumulator>(code, biasShift,
                                                              Types::rounding);
      }
    }
  }

  /// The quantised sum of products of the `c`th selected channel.
  // K17
  Code finish(Accumulator sum, int64_t c) const {
    Accumulator total = quant::saturatingAdd(sum, biasTerms[c]);
    Code code = 0;
    if constexpr (Types::isAsymmetric)
      code = static_cast<Code>(quant::requantizeAccumulator(
          total, channels[c], zeroPoint, Types::rounding));
    else
      code = quant::saturate<Code>(
          quant::roundShiftRight(total, outShift, Types::rounding));
    // The lower limit wins: this is not std::clamp.
    return static_cast<Code>(
        std::max(std::min<int32_t>(code, limits.high), limits.low));
  }

private:
  const mli_tensor &weights;
  const BiasCode *bias;
  int16_t zeroPoint;
  quant::Limits limits;
  quant::ChannelBase base = {};
  int biasShift = 0;
  int outShift = 0;
  using AsymmetricChannel =
      std::conditional_t<Types::isFull, quant::ChannelScale,
                         quant::ChannelRequantization>;

  Accumulator biasTerms[channelBlock];
  /// Fixed point has the same shift for all of them.
  AsymmetricChannel channels[Types::isAsymmetric ? channelBlock : 1];
};

/// Adds `input * weights[c]` to each of `count` accumulators, modulo 2^W.
// K2
template <typename Accumulator, typename Weight>
void multiplyAccumulate(Accumulator *sums, int32_t input, const Weight *weights,
                        int64_t count) {
  using Unsigned = std::make_unsigned_t<Accumulator>;
  for (int64_t c = 0; c < count; ++c)
    sums[c] = static_cast<Accumulator>(
        static_cast<Unsigned>(sums[c]) +
        static_cast<Unsigned>(static_cast<Accumulator>(input * weights[c])));
}

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_CONVOLUTION_OUTPUTSTAGE_H
