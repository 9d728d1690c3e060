// SPDX-License-Identifier: Apache-2.0
//
// Packed convolutions and matrix products at work, in shares that threads take.

#include "PackedHeader.h"
#include "Runtime/Simd/Scratch.h"
#include "Runtime/Simd/Threads.h"

#include <cstring>

namespace mli::rt::simd {
namespace {

/// Panels that are one unit of work: a cache line of sa8 codes, as many as the
/// inner kernel runs at once.
constexpr int64_t unitPanels = 4;
int64_t unitsOf(int64_t channels) {
  return (getPanelCount(channels) + unitPanels - 1) / unitPanels;
}

/// Channels of a layer: those of a share of its units.
struct ChannelRange {
  ChannelRange(int64_t channels, int64_t index, int64_t count) {
    Range units(unitsOf(channels), index, count);
    firstPanel = units.begin * unitPanels;
    first = firstPanel * panelChannels;
    this->count =
        std::min(units.end * unitPanels * panelChannels, channels) - first;
  }
  int64_t firstPanel;
  int64_t first;
  int64_t count;
};

/// A matrix product in shares of its channels.
class ProductRun {
public:
  ProductRun(const PackedHeader &header, const MatrixKernels &kernels,
             const mli_tensor &in, mli_tensor &out, int threads)
      : split(splitOf(static_cast<double>(header.in[2]) * header.out[2],
                      threads, unitsOf(header.out[2]))),
        header(header), kernels(kernels), in(in), out(out) {}

  bool operator()(Shares &shares) const {
    int64_t inputs = header.in[2];
    int64_t inputBytes = inputs * kernels.inputBytes;
    Scratch memory(inputBytes + slackBytes);
    if (!memory.get())
      return false;
    kernels.prepareInputs(
        CodeRows::one(elementsOf<char>(in), inputs, memory.get()),
        header.inParams.zeroPoint);
    std::memset(memory.get() + inputBytes, 0, slackBytes);
    for (int64_t index; shares.take(index);)
      run(memory.get(), {header.out[2], index, split.shares});
    return true;
  }

  const Split &getSplit() const { return split; }

private:
  /// What the last group of inputs may read behind them.
  static constexpr int64_t slackBytes = inputRun * sizeof(int16_t);

  void run(const char *input, const ChannelRange &channels) const {
    PackedChannels packed = packedOf(header);
    constexpr ptrdiff_t segment = 0;
    Grid grid = {};
    grid.input = input;
    grid.segments = &segment;
    grid.segmentCount = 1;
    grid.groups = (int64_t{header.in[2]} + kernels.group - 1) / kernels.group;
    grid.panelBytes = kernels.panelSegmentBytes(header.in[2]);
    grid.panels = packed.panels + channels.firstPanel * grid.panelBytes;
    grid.blocks = packed.blocks + channels.firstPanel;
    grid.format = header.format;
    grid.out =
        elementsOf<char>(out) + channels.first * elementSize(header.type);
    grid.rows = grid.columns = 1;
    grid.channels = channels.count;
    kernels.run(grid);
  }

  Split split;
  const PackedHeader &header;
  const MatrixKernels &kernels;
  const mli_tensor &in;
  mli_tensor &out;
};

/// A convolution in shares of its channels, or of its rows.
class PackedRun {
public:
  PackedRun(const PackedHeader &header, const MatrixKernels &kernels,
            const mli_tensor &in, mli_tensor &out, int threads)
      : header(header), convolution(convolutionOf(header, kernels, in)),
        packed(packedOf(header)), out(out) {
    int64_t rows = header.rows.count;
    int64_t units = unitsOf(header.out[2]);
    split = splitOf(static_cast<double>(convolution.products()) *
                        static_cast<double>(rows * header.columns.count) *
                        header.out[2],
                    threads, std::max(units, rows));
    // By channels each thread reads its own weights only; but not if that
    // prepares inputs for each share.
    bool byChannels =
        units >= int64_t{2} * split.threads && convolution.preparesOnce();
    if (byChannels)
      split.shares = std::min(split.shares, units);
    byRows = !byChannels && rows >= std::min(split.shares, units);
  }

  bool operator()(Shares &shares) const {
    int64_t rows = header.rows.count;
    int64_t mostRows = byRows ? (rows + split.shares - 1) / split.shares : rows;
    InputStrip strip(convolution.stripBytes(mostRows));
    bool isDone = true;
    for (int64_t index; isDone && shares.take(index);)
      isDone = run(index, strip);
    return isDone;
  }

  const Split &getSplit() const { return split; }

private:
  bool run(int64_t index, InputStrip &strip) const {
    int64_t count = split.shares;
    Range rows(header.rows.count, byRows ? index : 0, byRows ? count : 1);
    ChannelRange channels(header.out[2], byRows ? 0 : index,
                          byRows ? 1 : count);
    return convolution.run(
        {packed.panels + channels.firstPanel * convolution.panelBytes(),
         packed.blocks + channels.firstPanel, header.format, 0, channels.first,
         channels.count, rows.begin, rows.size()},
        strip, out);
  }

  const PackedHeader &header;
  MatrixConvolution convolution;
  PackedChannels packed;
  mli_tensor &out;
  Split split;
  bool byRows;
};

template <typename Work>
mli_status runWork(const Work &work) {
  return runThreads(work, work.getSplit()) ? MLI_STATUS_OK
                                           : MLI_STATUS_NOT_ENGH_MEM;
}

} // namespace

mli_status runPackedMatrix(const mli_tensor *in,
                           const mli_data_container *container, int threads,
                           mli_tensor *out) {
  const MatrixKernels *kernels = nullptr;
  if (checksEnabled()) {
    MLI_CHECK(checkPackedLayer(container, kernels));
    const PackedHeader &header = headerOf(*container);
    MLI_CHECK(checkPackedMaps({in, "in"}, {out, "out"},
                              mapsOf(header, header.isMatrixProduct != 0)));
  }
  const PackedHeader &header = headerOf(*container);
  if (!kernels)
    kernels = &kernelsOf(header);
  if (header.isMatrixProduct != 0)
    return runWork(ProductRun(header, *kernels, *in, *out, threads));
  return runWork(PackedRun(header, *kernels, *in, *out, threads));
}

} // namespace mli::rt::simd
