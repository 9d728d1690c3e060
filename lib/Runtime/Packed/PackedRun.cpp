// SPDX-License-Identifier: Apache-2.0
//
// Runs packed convolutions and matrix products, in work items that threads
// take.

#include "PackedHeader.h"
#include "Runtime/Simd/Scratch.h"
#include "Runtime/Simd/Threads.h"

#include <cstring>

namespace mli::rt::simd {
namespace {

/// Panels that are one unit of work: a cache line of sa8 values, as many as the
/// inner kernel runs at once.
constexpr int64_t unitPanels = 4;
int64_t getUnits(int64_t channels) {
  return (getPanelCount(channels) + unitPanels - 1) / unitPanels;
}

/// Channels of a layer: those of a work item of its units.
struct ChannelRange {
  ChannelRange(int64_t channels, int64_t index, int64_t count) {
    Range units(getUnits(channels), index, count);
    firstPanel = units.begin * unitPanels;
    first = firstPanel * panelChannels;
    this->count =
        std::min(units.end * unitPanels * panelChannels, channels) - first;
  }
  int64_t firstPanel;
  int64_t first;
  int64_t count;
};

/// Computes a matrix product; work items are channels.
class ProductRun {
public:
  ProductRun(const PackedHeader &header, const MatrixKernels &kernels,
             const mli_tensor &in, mli_tensor &out, int threads)
      : partition(
            partitionWork(static_cast<double>(header.in[2]) * header.out[2],
                          threads, getUnits(header.out[2]))),
        header(header), kernels(kernels), in(in), out(out) {}

  bool operator()(WorkItems &items) const {
    int64_t inputs = header.in[2];
    int64_t inputBytes = inputs * kernels.inputBytes;
    Scratch memory(inputBytes + slackBytes);
    if (!memory.get())
      return false;
    kernels.prepareInputs(
        CodeRows::one(getElements<char>(in), inputs, memory.get()),
        header.inParams.zeroPoint);
    std::memset(memory.get() + inputBytes, 0, slackBytes);
    for (int64_t index; items.take(index);)
      run(memory.get(), {header.out[2], index, partition.items});
    return true;
  }

  const Partition &getPartition() const { return partition; }

private:
  /// Bytes that the last group of inputs may read after them.
  static constexpr int64_t slackBytes = contiguousInputs * sizeof(int16_t);

  void run(const char *input, const ChannelRange &channels) const {
    PackedChannels packed = getPackedChannels(header);
    constexpr ptrdiff_t segment = 0;
    Grid grid = {};
    grid.input = input;
    grid.segments = &segment;
    grid.segmentCount = 1;
    grid.groups = (int64_t{header.in[2]} + kernels.group - 1) / kernels.group;
    grid.panelBytes = kernels.panelSegmentBytes(header.in[2]);
    grid.panels = packed.panels + channels.firstPanel * grid.panelBytes;
    grid.blocks = packed.blocks + channels.firstPanel;
    grid.inputOffset = header.inParams.zeroPoint + 128;
    grid.format = header.format;
    grid.out =
        getElements<char>(out) + channels.first * elementSize(header.type);
    grid.rows = grid.columns = 1;
    grid.channels = channels.count;
    kernels.run(grid);
  }

  Partition partition;
  const PackedHeader &header;
  const MatrixKernels &kernels;
  const mli_tensor &in;
  mli_tensor &out;
};

/// Computes a convolution; work items are channels or rows.
class PackedRun {
public:
  PackedRun(const PackedHeader &header, const PhaseAxis &axis,
            const MatrixKernels &kernels, const mli_tensor &in, mli_tensor &out,
            int threads)
      : header(header),
        convolution(in, header.in[2], kernels, axis, header.columns),
        packed(getPackedChannels(header)), out(out), rows(axis.count) {
    int64_t units = getUnits(header.out[2]);
    partition = partitionWork(
        static_cast<double>(convolution.products()) *
            static_cast<double>(rows * header.columns.count) * header.out[2],
        threads, std::max(units, rows));
    // By rows each thread reads all weights, by channels all inputs, or
    // prepares them for each work item. Inputs of rows are those that this
    // thread wrote, if the layer before goes by rows.
    int64_t least = int64_t{2} * partition.threads;
    bool hasMoreInputs = convolution.products() * header.out[2] <=
                         int64_t{in.shape[0]} * in.shape[1] * in.shape[2];
    bool byChannels = units >= least && convolution.preparesOnce() &&
                      (!hasMoreInputs || rows < least);
    if (byChannels)
      partition.items = std::min(partition.items, units);
    byRows = !byChannels && rows >= std::min(partition.items, units);
    if (byRows)
      partition.items = std::min(partition.items, rows);
  }

  bool operator()(WorkItems &items) const {
    int64_t maxRows =
        byRows ? (rows + partition.items - 1) / partition.items : rows;
    InputStrip strip(convolution.stripBytes(maxRows));
    bool isDone = true;
    for (int64_t index; isDone && items.take(index);)
      isDone = run(index, strip);
    return isDone;
  }

  const Partition &getPartition() const { return partition; }

private:
  bool run(int64_t index, InputStrip &strip) const {
    int64_t count = partition.items;
    Range range(rows, byRows ? index : 0, byRows ? count : 1);
    ChannelRange channels(header.out[2], byRows ? 0 : index,
                          byRows ? 1 : count);
    return convolution.run(
        {packed.panels + channels.firstPanel * convolution.panelBytes(),
         packed.blocks + channels.firstPanel, header.format, 0, channels.first,
         channels.count, range.begin, range.size()},
        strip, out);
  }

  const PackedHeader &header;
  MatrixConvolution convolution;
  PackedChannels packed;
  mli_tensor &out;
  /// Of the output.
  int64_t rows;
  Partition partition;
  bool byRows;
};

template <typename Work>
mli_status runWork(const Work &work) {
  return parallelFor(work, work.getPartition()) ? MLI_STATUS_OK
                                                : MLI_STATUS_NOT_ENGH_MEM;
}

/// The rows that a call of a checked layer has.
PhaseAxis getRows(const PackedHeader &header, const PackedCall &call) {
  PhaseAxis axis = header.rows;
  if (call.rows) {
    axis.in = call.in->shape[0];
    axis.count = call.out->shape[0];
    axis.padding = call.rows->padding_top;
  }
  return axis;
}

} // namespace

mli_status checkPackedMatrix(const PackedCall &call) {
  MLI_CHECK(checkPackedLayer(call.packed));
  const PackedHeader &header = getHeader(*call.packed);
  bool isMatrixProduct = header.isMatrixProduct != 0;
  Argument in = {call.in, "in"}, out = {call.out, "out"};
  PackedMaps maps = getMaps(header, isMatrixProduct);
  if (!call.rows)
    return checkPackedMaps(in, out, maps);
  if (isMatrixProduct)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'packed' to be a convolution, but got a matrix "
                "product");
  return checkPackedRows(in, out, maps,
                         {header.rows.taps, header.rows.stride,
                          header.rows.dilation, call.rows->padding_top,
                          call.rows->padding_bottom});
}

mli_status runPackedMatrix(const PackedCall &call) {
  const PackedHeader &header = getHeader(*call.packed);
  const MatrixKernels &kernels = getKernels(header);
  if (header.isMatrixProduct != 0)
    return runWork(
        ProductRun(header, kernels, *call.in, *call.out, call.threads));
  PhaseAxis rows = getRows(header, call);
  return runWork(
      PackedRun(header, rows, kernels, *call.in, *call.out, call.threads));
}

} // namespace mli::rt::simd
