// SPDX-License-Identifier: Apache-2.0
//
// conv2d, depthwise, group and transposed convolution of all types.

#include "Convolution.h"

#include "OutputStage.h"
#include "Runtime/Convolution/Simd/Convolution.h"
#include "mli/Runtime/C/api/mli_kernels_api.h"

namespace mli::rt {
namespace {

/// The input that an output sees through a tap of the kernel, or -1 if the tap
/// lies in the padding.
// K20
int64_t getWindowInput(const SpatialAxis &axis, int64_t output, int64_t tap) {
  int64_t index =
      output * axis.stride - axis.paddingBefore + tap * axis.dilation;
  return index < axis.in ? (index < 0 ? -1 : index) : -1;
}

/// The input that a tap of a transposed convolution spreads to an output, or -1
/// if there is none.
// K36
int64_t getSpreadInput(const SpatialAxis &axis, int64_t output, int64_t tap) {
  int64_t distance = output + axis.paddingBefore - tap;
  if (distance < 0 || distance % axis.stride != 0)
    return -1;
  int64_t index = distance / axis.stride;
  return index < axis.in ? index : -1;
}

template <ConvolutionKind Kind, typename Types>
class Convolution {
public:
  using Accumulator = typename Types::Accumulator;
  using Code = typename Types::Input::Code;
  using WeightCode = typename Types::Weights::Code;

  Convolution(const ConvolutionCall &call, mli_tensor &out)
      : in(*call.args.in), weights(*call.args.weights), out(out),
        rows(getRows(call, out)), columns(getColumns(call, out)),
        depth(weights.shape[2]), inputZero(getParams(in).zeroPoint),
        stage({in, weights, *call.args.bias, out}, call.cfg->relu) {}

  void run() {
    int64_t outputs = weights.shape[3];
    int64_t groups =
        Kind == ConvolutionKind::GroupConv2d ? in.shape[2] / depth : 1;
    int64_t filters = outputs / groups;
    for (int64_t group = 0; group < groups; ++group)
      for (int64_t filter = 0; filter < filters; filter += channelBlock) {
        int64_t firstInput = group * depth;
        firstChannel = group * filters + filter;
        channels = std::min(channelBlock, filters - filter);
        if (Kind == ConvolutionKind::DepthwiseConv2d)
          firstInput = firstChannel;
        runBlock(getElements<Code>(in) + firstInput);
      }
  }

private:
  static int64_t getInput(const SpatialAxis &axis, int64_t output,
                          int64_t tap) {
    return Kind == ConvolutionKind::TransposeConv2d
               ? getSpreadInput(axis, output, tap)
               : getWindowInput(axis, output, tap);
  }

  void runBlock(const Code *input) {
    stage.select(firstChannel, channels);
    for (int64_t y = 0; y < rows.out; ++y)
      for (int64_t x = 0; x < columns.out; ++x) {
        Accumulator sums[channelBlock] = {};
        accumulate(input, y, x, sums);
        Code *target = getElements<Code>(out) + y * out.mem_stride[0] +
                       x * out.mem_stride[1] + firstChannel;
        for (int64_t c = 0; c < channels; ++c)
          target[c] = stage.finish(sums[c], c);
      }
  }

  void accumulate(const Code *input, int64_t y, int64_t x,
                  Accumulator *sums) const {
    const WeightCode *kernel = getElements<WeightCode>(weights) + firstChannel;
    for (int64_t ky = 0; ky < rows.kernel; ++ky) {
      int64_t row = getInput(rows, y, ky);
      if (row < 0)
        continue;
      for (int64_t kx = 0; kx < columns.kernel; ++kx) {
        int64_t column = getInput(columns, x, kx);
        if (column >= 0)
          accumulateTap(
              input + row * in.mem_stride[0] + column * in.mem_stride[1],
              kernel + ky * weights.mem_stride[0] + kx * weights.mem_stride[1],
              sums);
      }
    }
  }

  void accumulateTap(const Code *pixel, const WeightCode *tap,
                     Accumulator *sums) const {
    if constexpr (Kind == ConvolutionKind::DepthwiseConv2d) {
      using Unsigned = std::make_unsigned_t<Accumulator>;
      for (int64_t c = 0; c < channels; ++c)
        sums[c] = static_cast<Accumulator>(
            static_cast<Unsigned>(sums[c]) +
            static_cast<Unsigned>(
                static_cast<Accumulator>((pixel[c] - inputZero) * tap[c])));
    } else {
      for (int64_t d = 0; d < depth; ++d)
        multiplyAccumulate(sums, pixel[d] - inputZero,
                           tap + d * weights.mem_stride[2], channels);
    }
  }

  const mli_tensor &in;
  const mli_tensor &weights;
  mli_tensor &out;
  SpatialAxis rows;
  SpatialAxis columns;
  int64_t depth;
  int32_t inputZero;
  OutputStage<Types> stage;
  int64_t firstChannel = 0;
  int64_t channels = 0;
};

/// A function of its own, so that its sums take no stack while checks run.
template <ConvolutionKind Kind, typename Types>
[[gnu::noinline]] void compute(const ConvolutionCall &call, mli_tensor &out) {
  Convolution<Kind, Types>(call, out).run();
}

template <ConvolutionKind Kind, typename Types>
mli_status convolve(const ConvolutionCall &call, mli_tensor *out) {
  if (checksEnabled())
    MLI_CHECK(checkConvolution(call, Kind, Types::combination));
  // The reference sets the type of the output of this kind only.
  if (Kind == ConvolutionKind::GroupConv2d)
    out->el_type = call.args.in->el_type;
  constexpr bool isUsual =
      Types::rounding == quant::Rounding::Up && !Types::isFull;
  if (!isUsual || !simd::convolve(call, Kind, *out))
    compute<Kind, Types>(call, *out);
  return MLI_STATUS_OK;
}

template <typename Types>
void computeDepthwiseAs(const ConvolutionCall &call, mli_tensor &out) {
  compute<ConvolutionKind::DepthwiseConv2d,
          Computed<Types, quant::Rounding::Up, false>>(call, out);
}

} // namespace

void computeDepthwise(const ConvolutionCall &call, mli_tensor &out) {
  if (call.args.in->el_type == MLI_EL_SA_8)
    computeDepthwiseAs<weighted::sa8_sa8_sa32>(call, out);
  else if (call.args.weights->el_type == MLI_EL_FX_8)
    computeDepthwiseAs<weighted::fx16_fx8_fx8>(call, out);
  else
    computeDepthwiseAs<weighted::fx16>(call, out);
}

} // namespace mli::rt

#define MLI_CONVOLUTION(name, op, types, size)                                 \
  mli_status name(MLI_CONVOLUTION_SIGNATURE(MLI_PARAMETER)) {                  \
    using namespace mli::rt;                                                   \
    ConvolutionCall call = {                                                   \
        getWeightedArguments(Family::op, in, weights, bias, out), cfg, size};  \
    return runEntry<weighted::types, MLI_ACCUMULATE_FULL_PRODUCTS>(            \
        #name, [&](auto computed) {                                            \
          return convolve<ConvolutionKind::op, decltype(computed)>(call, out); \
        });                                                                    \
  }
#include "mli/Runtime/C/api/mli_kernels.def"
