// SPDX-License-Identifier: Apache-2.0
//
// The product of a vector and a matrix, with bias and activation.

#include "Convolution.h"

#include "OutputStage.h"
#include "Runtime/Convolution/Simd/Convolution.h"
#include "Runtime/Convolution/Simd/Dense.h"
#include "Runtime/Convolution/Simd/MatrixView.h"
#include "Runtime/Simd/Scratch.h"
#include "mli/Runtime/C/api/mli_kernels_api.h"

namespace mli::rt {

// K22
mli_status checkFullyConnected(const WeightedArguments &args,
                               const mli_fully_connected_cfg *cfg,
                               const TypeCombination &types) {
  if (!types.isAsymmetric())
    MLI_CHECK(checkFixedPointFormats(args, types));
  for (Argument tensor : {args.in, args.weights, args.bias, args.out})
    MLI_CHECK(checkTensor(tensor));
  MLI_CHECK(checkSameType(args.out, args.in));
  MLI_CHECK(checkConfig(cfg));
  contract::Sizes sizes;
  sizes.bind('i', countElements(*args.in));
  MLI_CHECK(checkShapes({args.weights, args.bias, args.out}, sizes));
  for (Argument tensor : {args.in, args.weights, args.bias, args.out})
    MLI_CHECK(checkMemory(tensor));
  MLI_CHECK(checkSharing(args.in, args.out));
  if (types.isAsymmetric())
    MLI_CHECK(checkAsymmetricFormats(args, types));
  MLI_CHECK(checkSharing(args.weights, args.out));
  return checkSharing(args.bias, args.out);
}

namespace {

enum class FullyConnectedKind {
  FullyConnected,
  /// The caller has put the zero point of the input into the bias.
  FullyConnectedExtBias,
};

/// Sums by the fast kernels, which are the same in all modes; false if that
/// takes the scalar code.
template <typename Types>
bool multiplyInAllModes(const WeightedArguments &args, int32_t inputZero,
                        const mli_fully_connected_cfg &cfg, mli_tensor &out) {
  using Accumulator = typename Types::Accumulator;
  using Code = typename Types::Input::Code;
  const mli_tensor &weights = *args.weights;
  int64_t outputs = weights.shape[1];
  simd::Scratch memory(outputs * sizeof(Accumulator));
  if (!memory.get())
    return false;
  auto *sums = reinterpret_cast<Accumulator *>(memory.get());
  std::fill(sums, sums + outputs, 0);
  simd::MatrixOf<typename Types::Weights::Code> matrix = {
      getElements<typename Types::Weights::Code>(weights),
      countElements(*args.in), outputs, weights.mem_stride[0]};
  if (!simd::addProducts(getElements<Code>(*args.in), inputZero, matrix, sums))
    return false;
  OutputStage<Types> stage({*args.in, weights, *args.bias, out}, cfg.relu);
  for (int64_t first = 0; first < outputs; first += channelBlock) {
    int64_t count = std::min(channelBlock, outputs - first);
    stage.select(first, count);
    for (int64_t c = 0; c < count; ++c)
      getElements<Code>(out)[first + c] = stage.finish(sums[first + c], c);
  }
  return true;
}

/// Outputs of sa8 that are worth vectors of parameters.
constexpr uint32_t manyOutputs = 5;

/// Multiplies by the fast kernels; false if that takes the scalar code.
template <FullyConnectedKind Kind, typename Types>
bool multiplyFast(const WeightedArguments &args, int32_t inputZero,
                  const mli_fully_connected_cfg &cfg, mli_tensor &out) {
  if constexpr (Types::isAsymmetric && !Types::isFull &&
                Types::rounding == quant::Rounding::Up) {
    if (args.weights->shape[1] >= manyOutputs) {
      WeightedArguments operands = args;
      operands.out = {&out, "out"};
      simd::MatrixCall view(operands, cfg);
      if (Kind == FullyConnectedKind::FullyConnectedExtBias)
        view.dropInputZero();
      if (simd::multiplyDense(view.call(), view.out()))
        return true;
    }
  }
  return multiplyInAllModes<Types>(args, inputZero, cfg, out);
}

// R18
// Not inlined: the stack of one arithmetic would be part of that of all others.
template <FullyConnectedKind Kind, typename Types>
[[gnu::noinline]] mli_status fullyConnected(const WeightedArguments &args,
                                            const mli_fully_connected_cfg *cfg,
                                            mli_tensor *out) {
  if (checksEnabled())
    MLI_CHECK(checkFullyConnected(args, cfg, Types::combination));
  int32_t inputZero = Kind == FullyConnectedKind::FullyConnectedExtBias
                          ? 0
                          : getParams(*args.in).zeroPoint;
  if constexpr (simd::hasFastKernels)
    if (multiplyFast<Kind, Types>(args, inputZero, *cfg, *out))
      return MLI_STATUS_OK;
  using Accumulator = typename Types::Accumulator;
  using Code = typename Types::Input::Code;
  const mli_tensor &weights = *args.weights;
  const Code *input = getElements<Code>(*args.in);
  const auto *matrix = getElements<typename Types::Weights::Code>(weights);
  OutputStage<Types> stage({*args.in, weights, *args.bias, *out}, cfg->relu);
  int64_t inputs = countElements(*args.in);
  int64_t outputs = weights.shape[1];
  for (int64_t first = 0; first < outputs; first += channelBlock) {
    int64_t count = std::min(channelBlock, outputs - first);
    stage.select(first, count);
    Accumulator sums[channelBlock] = {};
    for (int64_t i = 0; i < inputs; ++i)
      multiplyAccumulate(sums, input[i] - inputZero,
                         matrix + i * weights.mem_stride[0] + first, count);
    Code *target = getElements<Code>(*out) + first;
    for (int64_t c = 0; c < count; ++c)
      target[c] = stage.finish(sums[c], c);
  }
  return MLI_STATUS_OK;
}

} // namespace
} // namespace mli::rt

#define MLI_FULLY_CONNECTED(name, op, types)                                   \
  mli_status name(MLI_FULLY_CONNECTED_SIGNATURE(MLI_PARAMETER)) {              \
    using namespace mli::rt;                                                   \
    auto args =                                                                \
        getWeightedArguments(Family::FullyConnected, in, weights, bias, out);  \
    return runEntry<weighted::types, MLI_ACCUMULATE_FULL_PRODUCTS>(            \
        #name, [&](auto computed) {                                            \
          return fullyConnected<FullyConnectedKind::op, decltype(computed)>(   \
              args, cfg, out);                                                 \
        });                                                                    \
  }
#include "mli/Runtime/C/api/mli_kernels.def"
