// SPDX-License-Identifier: Apache-2.0

#include "DepthwiseColumns.h"

#include "DepthwisePartition.h"
#include "Runtime/Simd/Scratch.h"

#include <algorithm>

namespace mli::rt::simd {

bool fillBlocks(const BlockBuilder &builder, int64_t channels, ChannelBlock *to,
                int32_t &minShift) {
  constexpr int32_t noSums[panelChannels] = {};
  minShift = INT8_MAX;
  for (int64_t first = 0; first < channels; first += panelChannels) {
    ChannelBlock block;
    int64_t count = std::min<int64_t>(panelChannels, channels - first);
    if (!builder.fill(first, count, noSums, block))
      return false;
    for (int32_t shift : block.scales.shift)
      minShift = std::min(minShift, shift);
    if (to)
      *to++ = block;
  }
  return true;
}

namespace {

/// Computes a convolution by columns, work item by work item.
class ColumnRun {
public:
  ColumnRun(const ColumnKernels &kernels, const ColumnLayer &layer,
            const mli_tensor &in, const DepthwisePartition &partition,
            mli_tensor &out)
      : kernels(kernels), layer(layer), in(in), partition(partition), out(out) {
  }

  bool operator()(WorkItems &items) const {
    for (int64_t index; items.take(index);)
      run(partition.part(index));
    return true;
  }

private:
  void run(const DepthwisePartition::Part &part) const {
    ColumnMap map;
    map.layer = &layer;
    map.rows = &partition.rows;
    map.columns = &partition.columns;
    map.firstChannel = part.first;
    map.channels = part.channels;
    map.firstRow = part.firstRow;
    map.endRow = part.endRow;
    map.input = getElements<int8_t>(in) + part.first;
    map.inRow = in.mem_stride[0];
    map.inColumn = in.mem_stride[1];
    map.out = getElements<int8_t>(out) + part.first;
    map.outRow = out.mem_stride[0];
    map.outColumn = out.mem_stride[1];
    kernels.run(map);
  }

  const ColumnKernels &kernels;
  const ColumnLayer &layer;
  const mli_tensor &in;
  const DepthwisePartition &partition;
  mli_tensor &out;
};

} // namespace

bool convolveByColumns(const ColumnKernels &kernels, const ColumnLayer &layer,
                       const mli_tensor &in,
                       const DepthwisePartition &partition, mli_tensor &out) {
  return layer.minShift >= kernels.minShift &&
         parallelFor(ColumnRun(kernels, layer, in, partition, out),
                     partition.getPartition());
}

bool convolveByColumns(const ColumnKernels &kernels,
                       const WeightedOperands &operands,
                       const mli_relu_cfg &relu,
                       const DepthwisePartition &partition, mli_tensor &out) {
  const mli_tensor &weights = operands.weights;
  int64_t channels = operands.in.shape[2];
  BlockBuilder builder(operands, relu, /*offset=*/0, 9);
  Scratch memory(getPanelCount(channels) * sizeof(ChannelBlock));
  if (!builder.isExact() || !memory.get())
    return false;
  auto *blocks = reinterpret_cast<ChannelBlock *>(memory.get());
  ColumnLayer layer = {getElements<int8_t>(weights),
                       weights.mem_stride[0],
                       weights.mem_stride[1],
                       blocks,
                       0,
                       builder.format(),
                       getParams(operands.in).zeroPoint};
  return fillBlocks(builder, channels, blocks, layer.minShift) &&
         convolveByColumns(kernels, layer, operands.in, partition, out);
}

} // namespace mli::rt::simd
