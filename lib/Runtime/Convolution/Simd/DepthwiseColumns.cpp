// SPDX-License-Identifier: Apache-2.0

#include "DepthwiseColumns.h"

#include "DepthwisePartition.h"

#include <algorithm>

namespace mli::rt::simd {

/// Whether all second shifts are at least `smallest`.
static bool hasShiftsFrom(int32_t smallest, const ChannelBlock *blocks,
                          int64_t count) {
  // Negative if one of them is: vectors of every processor have this.
  int32_t differences = 0;
  for (int64_t i = 0; i < count; ++i)
    for (int32_t shift : blocks[i].shift)
      differences |= shift - smallest;
  return differences >= 0;
}

/// Prepares the weights and parameters of the channels from `first` on.
static bool prepareChannels(const ColumnKernels &kernels,
                            const mli_tensor &weights,
                            const BlockBuilder &builder, int64_t first,
                            int64_t count, ColumnWeights &taps,
                            ChannelBlock *blocks) {
  int32_t sums[columnChannels];
  kernels.load(getElements<int8_t>(weights) + first, weights.mem_stride[0],
               weights.mem_stride[1], count, taps, sums);
  int64_t panels = getPanelCount(count);
  for (int64_t i = 0; i < panels; ++i) {
    int64_t channel = i * panelChannels;
    if (!builder.fill(first + channel,
                      std::min<int64_t>(panelChannels, count - channel),
                      sums + channel, blocks[i]))
      return false;
  }
  return hasShiftsFrom(kernels.minShift, blocks, panels);
}

namespace {

/// Computes a convolution by columns, work item by work item.
class ColumnRun {
public:
  ColumnRun(const ColumnKernels &kernels, const WeightedOperands &operands,
            const BlockBuilder &builder, const PhaseAxis &columns,
            const DepthwisePartition &partition, mli_tensor &out)
      : kernels(kernels), operands(operands), builder(builder),
        columns(columns), partition(partition), out(out) {}

  bool operator()(WorkItems &items) const {
    bool isDone = true;
    for (int64_t index; isDone && items.take(index);)
      isDone = run(partition.part(index));
    return isDone;
  }

private:
  bool run(const DepthwisePartition::Part &part) const {
    ColumnWeights taps;
    ChannelBlock blocks[columnChannels / panelChannels];
    if (!prepareChannels(kernels, operands.weights, builder, part.first,
                         part.channels, taps, blocks))
      return false;
    const mli_tensor &in = operands.in;
    ColumnMap map = {};
    map.input = getElements<int8_t>(in) + part.first;
    map.inRow = in.mem_stride[0];
    map.inColumn = in.mem_stride[1];
    map.zeroPoint = getParams(in).zeroPoint;
    map.rows = part.rows;
    map.columns = columns;
    map.channels = part.channels;
    map.weights = &taps;
    map.blocks = blocks;
    map.format = builder.format();
    map.outRow = out.mem_stride[0];
    map.outColumn = out.mem_stride[1];
    map.out =
        getElements<int8_t>(out) + part.rows.outFirst * map.outRow + part.first;
    kernels.run(map);
    return true;
  }

  const ColumnKernels &kernels;
  const WeightedOperands &operands;
  const BlockBuilder &builder;
  const PhaseAxis &columns;
  const DepthwisePartition &partition;
  mli_tensor &out;
};

} // namespace

bool convolveByColumns(const ColumnKernels &kernels,
                       const WeightedOperands &operands,
                       const mli_relu_cfg &relu, const PhaseAxis &columns,
                       const DepthwisePartition &partition, mli_tensor &out) {
  BlockBuilder builder(operands, relu,
                       getParams(operands.in).zeroPoint + kernels.offset, 9);
  if (!builder.isExact())
    return false;
  return parallelFor(
      ColumnRun(kernels, operands, builder, columns, partition, out),
      partition.getPartition());
}

} // namespace mli::rt::simd
