// SPDX-License-Identifier: Apache-2.0

#include "Convolution.h"

#include "Blocks.h"
#include "Depthwise.h"
#include "MatrixConvolution.h"
#include "Runtime/Simd/Scratch.h"

namespace mli::rt::simd {

/// Channels whose 8-bit weights are a cache line.
static constexpr int64_t lineChannels = int64_t{4} * panelChannels;

bool packChannels(const MatrixConvolution &convolution,
                  const BlockBuilder &builder, const mli_tensor &weights,
                  int64_t first, int64_t channels, const PackedChannels &to) {
  for (int64_t at = 0; at < channels; at += lineChannels) {
    int64_t panel = at / panelChannels;
    int64_t count = std::min(lineChannels, channels - at);
    int32_t sums[lineChannels] = {};
    convolution.pack(weights, first + at, count,
                     to.panels + panel * convolution.panelBytes(), sums);
    for (int64_t i = 0; i < count; i += panelChannels, ++panel)
      if (!builder.fill(first + at + i,
                        std::min<int64_t>(panelChannels, count - i), sums + i,
                        to.blocks[panel]))
        return false;
  }
  return true;
}

/// Packed weights of so many bytes stay in the second cache level, beside a
/// strip of inputs, until they have been used.
static constexpr int64_t packedCacheBytes = 256 << 10;

/// Below so many output pixels, panels of 8-bit weights of fx16 inputs are
/// bytes: to write them as 16 bits takes longer than to widen them in each
/// tile.
static constexpr int64_t fewPixels = 128;

/// The channels to pack and to run at once: all, if that would prepare inputs
/// several times.
static int64_t channelsAtOnce(const MatrixConvolution &convolution,
                              int64_t channels) {
  if (!convolution.preparesOnce())
    return channels;
  int64_t lines = packedCacheBytes / (4 * convolution.panelBytes());
  return std::min(std::max<int64_t>(lines, 1) * lineChannels, channels);
}

/// Packs and runs one group of channels.
static bool runGroup(const MatrixConvolution &convolution,
                     const BlockBuilder &builder, const mli_tensor &weights,
                     int64_t group, int64_t channels, InputStrip &strip,
                     mli_tensor &out) {
  int64_t step = channelsAtOnce(convolution, channels);
  Scratch memory(packedBytes(convolution.panelBytes(), step));
  if (!memory.get())
    return false;
  PackedChannels packed = packedAt(memory.get(), step);
  for (int64_t at = 0; at < channels; at += step) {
    int64_t first = group * channels + at;
    int64_t count = std::min(step, channels - at);
    if (!packChannels(convolution, builder, weights, first, count, packed) ||
        !convolution.run({packed.panels, packed.blocks, builder.format(),
                          group * weights.shape[2], first, count, 0,
                          convolution.rowCount()},
                         strip, out))
      return false;
  }
  return true;
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
      kernelsFor(operands.in.el_type, weights.el_type,
                 int64_t{out.shape[0]} * out.shape[1] < fewPixels);
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
    BlockBuilder builder(operands, call.cfg->relu,
                         kernels->offset(paramsOf(operands.in).zeroPoint),
                         convolution.products());
    if (!builder.isExact())
      return false;
    InputStrip strip(convolution.stripBytes(convolution.rowCount()));
    for (int64_t group = 0; group < groups; ++group)
      if (!runGroup(convolution, builder, weights, group,
                    weights.shape[3] / groups, strip, out))
        return false;
  }
  return true;
}

} // namespace mli::rt::simd
