// SPDX-License-Identifier: Apache-2.0
//
// Sums of vector-matrix products, each rounded on its own: what rnn_dense
// computes, and the gates of recurrent cells.

#ifndef MLI_LIB_RUNTIME_RECURRENT_RECURRENTDENSE_H
#define MLI_LIB_RUNTIME_RECURRENT_RECURRENTDENSE_H

#include "Runtime/Convolution/OutputStage.h"
#include "Runtime/Convolution/Simd/Dense.h"

namespace mli::rt {

/// One product: a vector and a matrix whose rows lie `rowStride` apart.
template <typename Types>
struct DenseInput {
  const typename Types::Input::Code *codes;
  int64_t count;
  quant::QuantParams params;
  const typename Types::Weights::Code *weights;
  int64_t rowStride;
  quant::QuantParams weightsParams;
};

/// The bias of all products together.
template <typename Types>
struct DenseBias {
  const typename Types::Bias::Code *codes;
  quant::QuantParams params;
};

/// Requantises the accumulator of one product to its share of the result, not
/// yet saturated to the output's container.
// K44
template <typename Types>
class PartRequantization {
public:
  using Accumulator = typename Types::Accumulator;

  PartRequantization(const DenseInput<Types> &input,
                     const quant::QuantParams &out) {
    if (Types::isAsymmetric) {
      scale = quant::channelScale(
          quant::channelBase(input.params, out, Types::rounding),
          input.weightsParams);
      shift = std::min(scale.shift, 63);
    } else {
      shift =
          input.params.fracBits + input.weightsParams.fracBits - out.fracBits;
      if (sizeof(Accumulator) == 8)
        shift = std::min(shift, 39);
    }
  }

  Accumulator operator()(Accumulator sum) const {
    if constexpr (Types::isAsymmetric)
      return quant::saturate<int32_t>(quant::roundShiftRight(
          int64_t{sum} * scale.multiplier, shift, Types::rounding));
    else
      return quant::roundShiftRight(sum, shift, Types::rounding);
  }

private:
  quant::ChannelScale scale = {};
  int shift;
};

/// Adds the products of `count` outputs from `first` on to their sums.
template <typename Types>
void addDense(const DenseInput<Types> &input, int64_t first, int64_t count,
              typename Types::Accumulator *sums) {
  const auto *weights = input.weights + first;
  simd::MatrixOf<typename Types::Weights::Code> matrix = {
      weights, input.count, count, input.rowStride};
  if (simd::addProducts(input.codes, input.params.zeroPoint, matrix, sums))
    return;
  for (int64_t i = 0; i < input.count; ++i)
    multiplyAccumulate(sums, input.codes[i] - input.params.zeroPoint,
                       weights + i * input.rowStride, count);
}

/// Writes `outputs` values of format `outParams` to `out`. The bias belongs to
/// the first input, and is there before its products, so that all of it wraps.
// K45
template <typename Types>
void computeDense(const DenseInput<Types> *inputs, int64_t inputCount,
                  const DenseBias<Types> &bias,
                  const quant::QuantParams &outParams, int64_t outputs,
                  typename Types::Input::Code *out) {
  using Accumulator = typename Types::Accumulator;
  using Code = typename Types::Input::Code;
  int biasShift = inputs[0].params.fracBits + inputs[0].weightsParams.fracBits -
                  bias.params.fracBits;
  for (int64_t first = 0; first < outputs; first += channelBlock) {
    int64_t count = std::min(channelBlock, outputs - first);
    Accumulator totals[channelBlock] = {};
    for (int64_t k = 0; k < inputCount; ++k) {
      const DenseInput<Types> &input = inputs[k];
      Accumulator sums[channelBlock] = {};
      for (int64_t c = 0; k == 0 && c < count; ++c) {
        auto code = bias.codes[first + c];
        if constexpr (Types::isAsymmetric)
          sums[c] = asymmetricBiasTerm<Types>(code);
        else
          sums[c] = quant::fixedPointBiasTerm<Accumulator>(code, biasShift,
                                                           Types::rounding);
      }
      addDense(input, first, count, sums);
      PartRequantization<Types> requantize(input, outParams);
      for (int64_t c = 0; c < count; ++c)
        totals[c] = quant::saturatingAdd(totals[c], requantize(sums[c]));
    }
    for (int64_t c = 0; c < count; ++c)
      out[first + c] = quant::saturate<Code>(quant::saturate<int16_t>(
          quant::saturate<int16_t>(totals[c]) + outParams.zeroPoint));
  }
}

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_RECURRENT_RECURRENTDENSE_H
