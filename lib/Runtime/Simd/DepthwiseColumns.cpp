// SPDX-License-Identifier: Apache-2.0

#include "Runtime/Simd/DepthwiseColumns.h"

#include "Runtime/Simd/Convolution.h"

#include <algorithm>

namespace mli::rt::simd {

/// Whether all second shifts are at least `smallest`.
static bool hasShiftsFrom(int32_t smallest, const ChannelBlock *blocks,
                          int64_t count) {
  int32_t least = INT32_MAX;
  for (int64_t i = 0; i < count; ++i)
    for (int32_t shift : blocks[i].shift)
      least = std::min(least, shift);
  return least >= smallest;
}

/// Prepares the weights and parameters of the channels from `first` on.
static bool prepareChannels(const ColumnKernels &kernels,
                            const mli_tensor &weights,
                            const BlockBuilder &builder, int64_t first,
                            int64_t count, ColumnWeights &taps,
                            ChannelBlock *blocks) {
  int32_t sums[columnChannels];
  kernels.load(elementsOf<int8_t>(weights) + first, weights.mem_stride[0],
               weights.mem_stride[1], count, taps, sums);
  int64_t panels = panelsOf(count);
  for (int64_t i = 0; i < panels; ++i) {
    int64_t channel = i * panelChannels;
    if (!builder.fill(first + channel,
                      std::min<int64_t>(panelChannels, count - channel),
                      sums + channel, blocks[i]))
      return false;
  }
  return hasShiftsFrom(kernels.smallestShift, blocks, panels);
}

bool convolveByColumns(const ColumnKernels &kernels,
                       const WeightedOperands &operands,
                       const BlockBuilder &builder, const PhaseAxis &rows,
                       const PhaseAxis &columns, mli_tensor &out) {
  ColumnWeights taps;
  ChannelBlock blocks[columnChannels / panelChannels];
  const mli_tensor &in = operands.in;
  ColumnMap map = {};
  map.inRow = in.mem_stride[0];
  map.inColumn = in.mem_stride[1];
  map.zeroPoint = paramsOf(in).zeroPoint;
  map.rows = rows;
  map.columns = columns;
  map.weights = &taps;
  map.blocks = blocks;
  map.format = builder.format();
  map.outRow = out.mem_stride[0];
  map.outColumn = out.mem_stride[1];
  int64_t channels = in.shape[2];
  for (int64_t first = 0; first < channels; first += columnChannels) {
    map.channels = std::min(channels - first, columnChannels);
    if (!prepareChannels(kernels, operands.weights, builder, first,
                         map.channels, taps, blocks))
      return false;
    map.input = elementsOf<int8_t>(in) + first;
    map.out = elementsOf<int8_t>(out) + first;
    kernels.run(map);
  }
  return true;
}

} // namespace mli::rt::simd
