// SPDX-License-Identifier: Apache-2.0

#include "Runtime/Simd/Convolution.h"

#include "Runtime/Simd/Blocks.h"
#include "Runtime/Simd/Depthwise.h"
#include "Runtime/Simd/MatrixConvolution.h"
#include "Runtime/Simd/Scratch.h"

namespace mli::rt::simd {

bool packChannels(const MatrixConvolution &convolution,
                  const BlockBuilder &builder, const mli_tensor &weights,
                  int64_t first, int64_t channels, const PackedChannels &to) {
  for (int64_t i = 0; i < panelsOf(channels); ++i) {
    int64_t channel = first + i * panelChannels;
    int64_t count =
        std::min<int64_t>(panelChannels, channels - i * panelChannels);
    int32_t sums[panelChannels] = {};
    convolution.pack(weights, channel, count,
                     to.panels + i * convolution.panelBytes(), sums);
    if (!builder.fill(channel, count, sums, to.blocks[i]))
      return false;
  }
  return true;
}

/// Packs and runs one group of channels.
static bool runGroup(const MatrixConvolution &convolution,
                     const BlockBuilder &builder, const mli_tensor &weights,
                     int64_t group, int64_t channels, mli_tensor &out) {
  Scratch memory(packedBytes(convolution, channels));
  if (!memory.get())
    return false;
  PackedChannels packed = packedAt(memory.get(), channels);
  int64_t first = group * channels;
  if (!packChannels(convolution, builder, weights, first, channels, packed))
    return false;
  return convolution.run({packed.panels, packed.blocks, builder.format(),
                          group * weights.shape[2], first, channels, 0,
                          convolution.rowCount()},
                         out);
}

ConvolutionAxis axisOf(const ConvolutionCall &call, const mli_tensor &out,
                       bool isRows) {
  const mli_conv2d_cfg &cfg = *call.cfg;
  unsigned dim = isRows ? 0 : 1;
  int64_t padding = isRows ? cfg.padding_top : cfg.padding_left;
  return {call.args.in->shape[dim],
          out.shape[dim],
          call.size ? call.size : int64_t{call.args.weights->shape[dim]},
          isRows ? cfg.stride_height : cfg.stride_width,
          call.size == 1 ? 0 : padding,
          isRows ? cfg.dilation_height : cfg.dilation_width};
}

bool convolve(const ConvolutionCall &call, ConvolutionKind kind,
              mli_tensor &out) {
  if (kind == ConvolutionKind::DepthwiseConv2d)
    return convolveDepthwise(call, out);
  const mli_tensor &weights = *call.args.weights;
  WeightedOperands operands = {*call.args.in, weights, *call.args.bias, out};
  const MatrixKernels *kernels =
      kernelsFor(operands.in.el_type, weights.el_type);
  if (!kernels)
    return false;
  ConvolutionAxis rows = axisOf(call, out, true);
  ConvolutionAxis columns = axisOf(call, out, false);
  bool isTransposed = kind == ConvolutionKind::TransposeConv2d;
  int64_t phases = isTransposed ? rows.stride * columns.stride : 1;
  int64_t groups = kind == ConvolutionKind::GroupConv2d
                       ? operands.in.shape[2] / weights.shape[2]
                       : 1;
  for (int64_t phase = 0; phase < phases; ++phase) {
    MatrixConvolution convolution(
        operands.in, weights.shape[2], *kernels,
        isTransposed ? spreadPhase(rows, phase / columns.stride)
                     : plainPhase(rows),
        isTransposed ? spreadPhase(columns, phase % columns.stride)
                     : plainPhase(columns));
    BlockBuilder builder(operands, call.cfg->relu, kernels->keepsZeroPoint,
                         convolution.products());
    if (!builder.isExact())
      return false;
    for (int64_t group = 0; group < groups; ++group)
      if (!runGroup(convolution, builder, weights, group,
                    weights.shape[3] / groups, out))
        return false;
  }
  return true;
}

} // namespace mli::rt::simd
