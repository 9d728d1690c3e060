// SPDX-License-Identifier: Apache-2.0

#include "DepthwiseColumns.h"

#include "DepthwiseSplit.h"

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
  int64_t panels = getPanelCount(count);
  for (int64_t i = 0; i < panels; ++i) {
    int64_t channel = i * panelChannels;
    if (!builder.fill(first + channel,
                      std::min<int64_t>(panelChannels, count - channel),
                      sums + channel, blocks[i]))
      return false;
  }
  return hasShiftsFrom(kernels.smallestShift, blocks, panels);
}

namespace {

/// A convolution by columns in shares.
class ColumnRun {
public:
  ColumnRun(const ColumnKernels &kernels, const WeightedOperands &operands,
            const BlockBuilder &builder, const PhaseAxis &columns,
            const DepthwiseSplit &split, mli_tensor &out)
      : kernels(kernels), operands(operands), builder(builder),
        columns(columns), split(split), out(out) {}

  bool operator()(Shares &shares) const {
    bool isDone = true;
    for (int64_t index; isDone && shares.take(index);)
      isDone = run(split.part(index));
    return isDone;
  }

private:
  bool run(const DepthwiseSplit::Part &part) const {
    ColumnWeights taps;
    ChannelBlock blocks[columnChannels / panelChannels];
    if (!prepareChannels(kernels, operands.weights, builder, part.first,
                         part.channels, taps, blocks))
      return false;
    const mli_tensor &in = operands.in;
    ColumnMap map = {};
    map.input = elementsOf<int8_t>(in) + part.first;
    map.inRow = in.mem_stride[0];
    map.inColumn = in.mem_stride[1];
    map.zeroPoint = paramsOf(in).zeroPoint;
    map.rows = part.rows;
    map.columns = columns;
    map.channels = part.channels;
    map.weights = &taps;
    map.blocks = blocks;
    map.format = builder.format();
    map.outRow = out.mem_stride[0];
    map.outColumn = out.mem_stride[1];
    map.out =
        elementsOf<int8_t>(out) + part.rows.outFirst * map.outRow + part.first;
    kernels.run(map);
    return true;
  }

  const ColumnKernels &kernels;
  const WeightedOperands &operands;
  const BlockBuilder &builder;
  const PhaseAxis &columns;
  const DepthwiseSplit &split;
  mli_tensor &out;
};

} // namespace

bool convolveByColumns(const ColumnKernels &kernels,
                       const WeightedOperands &operands,
                       const mli_relu_cfg &relu, const PhaseAxis &columns,
                       const DepthwiseSplit &split, mli_tensor &out) {
  BlockBuilder builder(operands, relu,
                       paramsOf(operands.in).zeroPoint + kernels.offset, 9);
  if (!builder.isExact())
    return false;
  return runThreads(ColumnRun(kernels, operands, builder, columns, split, out),
                    split.getSplit());
}

} // namespace mli::rt::simd
