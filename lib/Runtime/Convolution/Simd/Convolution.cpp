// SPDX-License-Identifier: Apache-2.0

#include "Convolution.h"

#include "Dense.h"
#include "MatrixConvolution.h"

namespace mli::rt::simd {

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
  Scratch memory(PackedChannels::getBytes(convolution.panelBytes(), step));
  if (!memory.get())
    return false;
  PackedChannels packed(memory.get(), step);
  for (int64_t at = 0; at < channels; at += step) {
    int64_t first = group * channels + at;
    int64_t count = std::min(step, channels - at);
    if (!convolution.pack(weights, builder, first, count, packed) ||
        !convolution.run({packed.panels, packed.blocks, builder.format(),
                          group * weights.shape[2], first, count, 0,
                          convolution.rowCount()},
                         strip, out))
      return false;
  }
  return true;
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
  SpatialAxis rows = getRows(call, out);
  SpatialAxis columns = getColumns(call, out);
  bool isTransposed = kind == ConvolutionKind::TransposeConv2d;
  int64_t phases = isTransposed ? rows.stride * columns.stride : 1;
  int64_t groups = kind == ConvolutionKind::GroupConv2d
                       ? operands.in.shape[2] / weights.shape[2]
                       : 1;
  for (int64_t phase = 0; phase < phases; ++phase) {
    PhaseAxis phaseRows = isTransposed
                              ? spreadPhase(rows, phase / columns.stride)
                              : plainPhase(rows);
    PhaseAxis phaseColumns = isTransposed
                                 ? spreadPhase(columns, phase % columns.stride)
                                 : plainPhase(columns);
    MatrixConvolution convolution(operands.in, weights.shape[2], *kernels,
                                  phaseRows, phaseColumns);
    BlockBuilder builder(operands, call.cfg->relu,
                         kernels->offset(getParams(operands.in).zeroPoint),
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

bool multiplyDense(const ConvolutionCall &call, mli_tensor &out) {
  const mli_tensor &weights = *call.args.weights;
  WeightedOperands operands = {*call.args.in, weights, *call.args.bias, out};
  const DenseKernels *kernels = denseKernels();
  if (!kernels || operands.in.el_type != MLI_EL_SA_8)
    return false;
  int64_t rows = weights.shape[2];
  int64_t channels = weights.shape[3];
  BlockBuilder builder(operands, call.cfg->relu, /*offset=*/0, rows);
  int64_t panels = getPanelCount(channels);
  Scratch blockMemory(panels * sizeof(ChannelBlock));
  int64_t sumBytes = panels * panelChannels * int64_t{sizeof(int32_t)};
  Scratch sumMemory(sumBytes);
  if (!builder.isExact() || !blockMemory.get() || !sumMemory.get())
    return false;
  auto *blocks = reinterpret_cast<ChannelBlock *>(blockMemory.get());
  constexpr int32_t noSums[panelChannels] = {};
  for (int64_t i = 0; i < panels; ++i) {
    int64_t first = i * panelChannels;
    int64_t count = std::min<int64_t>(panelChannels, channels - first);
    if (!builder.fill(first, count, noSums, blocks[i]))
      return false;
  }
  auto *sums = reinterpret_cast<int32_t *>(sumMemory.get());
  std::memset(sums, 0, sumBytes);
  if (!kernels->add8(
          getElements<int8_t>(operands.in), getParams(operands.in).zeroPoint,
          {getElements<int8_t>(weights), rows, channels, weights.mem_stride[2]},
          sums))
    return false;
  kernels->finish(sums, blocks, builder.format(), channels,
                  getElements<int8_t>(out));
  return true;
}

} // namespace mli::rt::simd
