// SPDX-License-Identifier: Apache-2.0

#include "Depthwise.h"

#include "Blocks.h"
#include "Convolution.h"
#include "DepthwisePartition.h"
#include "Runtime/Simd/Scratch.h"

#include <cstring>

namespace mli::rt::simd {
namespace {

/// Bytes that vectors may read after the last channel.
constexpr int64_t slackBytes = 64;

constexpr int maxGroup = 4;

class DepthwiseConvolution {
public:
  DepthwiseConvolution(const mli_tensor &in, const mli_tensor &weights,
                       const DepthwiseKernels &kernels, const PhaseAxis &rows,
                       const PhaseAxis &columns)
      : in(in), weights(weights), kernels(kernels), rows(rows),
        columns(columns), channels(in.shape[2]),
        groups((rows.taps + kernels.group - 1) / kernels.group),
        width(columns.extent(columns.count)),
        zeroPoint(getParams(in).zeroPoint) {}

  int64_t tapCount() const { return groups * columns.taps; }
  int64_t weightBytes() const {
    return getPanelCount(channels) * tapCount() * panelChannels * groupBytes;
  }

  /// Interleaves the weights; `zeros` is a row of them.
  void pack(const char *zeros, char *packed) const {
    int64_t bytes = elementSize(weights.el_type);
    for (int64_t channel = 0; channel < channels; channel += panelChannels) {
      int64_t count = std::min<int64_t>(panelChannels, channels - channel);
      for (int64_t x = 0; x < columns.taps; ++x)
        for (int64_t group = 0; group < groups; ++group) {
          const void *pointers[maxGroup] = {};
          for (int i = 0; i < kernels.group; ++i) {
            int64_t y = group * kernels.group + i;
            pointers[i] = y < rows.taps
                              ? getElements<char>(weights) +
                                    (y * weights.mem_stride[0] +
                                     x * weights.mem_stride[1] + channel) *
                                        bytes
                              : zeros;
          }
          kernels.pack(pointers, count, packed);
          packed += panelChannels * groupBytes;
        }
    }
  }

  /// Computes work items of `partition`. `row` has what is the same for all
  /// rows and channels.
  bool run(const DepthwiseRow &row, const DepthwisePartition &partition,
           WorkItems &items, mli_tensor &out) const {
    int64_t most = std::min(channels, columnChannels);
    int64_t groupRowBytes = width * most * groupBytes;
    int64_t paddingBytes = width * most * elementSize(in.el_type);
    Scratch prepared(groups * groupRowBytes + slackBytes);
    Scratch offsets(tapCount() * sizeof(ptrdiff_t));
    Scratch padding(paddingBytes);
    if (!prepared.get() || !offsets.get() || !padding.get())
      return false;
    std::memset(padding.get(), zeroPoint, paddingBytes);
    std::memset(prepared.get() + groups * groupRowBytes, 0, slackBytes);
    for (int64_t index; items.take(index);)
      runPart(row, partition.part(index), prepared.get(), offsets.get(),
              padding.get(), out);
    return true;
  }

private:
  void runPart(DepthwiseRow row, const DepthwisePartition::Part &part,
               char *prepared, char *offsets, const char *padding,
               mli_tensor &out) const {
    int64_t first = part.first;
    int64_t count = part.channels;
    int64_t codeBytes = elementSize(in.el_type);
    int64_t pixelBytes = count * groupBytes;
    int64_t groupRowBytes = width * pixelBytes;
    auto *taps = reinterpret_cast<ptrdiff_t *>(offsets);
    for (int64_t tap = 0; tap < tapCount(); ++tap)
      taps[tap] = tap % groups * groupRowBytes +
                  tap / groups * columns.dilation * pixelBytes;
    row.input = prepared;
    row.columnStep = columns.stride * pixelBytes;
    row.taps = taps;
    row.tapCount = tapCount();
    row.weights +=
        first / panelChannels * tapCount() * panelChannels * groupBytes;
    row.blocks += first / panelChannels;
    row.outColumn = out.mem_stride[1] * codeBytes;
    row.columns = columns.count;
    row.channels = count;
    for (int64_t y = part.firstRow; y < part.endRow; ++y) {
      int64_t firstRow = y * rows.stride - rows.padding;
      if (y > part.firstRow && canAdvance())
        advance(firstRow, first, count, padding, prepared);
      else
        for (int64_t group = 0; group < groups; ++group)
          prepareGroup(firstRow, group, first, count, padding,
                       prepared + group * groupRowBytes);
      row.out =
          getElements<char>(out) + (y * out.mem_stride[0] + first) * codeBytes;
      kernels.run(row);
    }
  }

  /// Whether the inputs of the row before are most of those of a row.
  bool canAdvance() const {
    return kernels.advance && rows.taps == 3 && rows.dilation == 1 &&
           rows.stride <= 2;
  }

  /// The inputs that are not padding, in each row.
  struct Span {
    int64_t begin;
    int64_t end;
  };
  Span span() const {
    int64_t begin = std::clamp<int64_t>(columns.padding, 0, width);
    return {begin, std::clamp(columns.in + columns.padding, begin, width)};
  }

  /// Row `y` of the input as the `i`th of `inputs`.
  void setRow(int64_t y, int i, int64_t first, const char *padding,
              DepthwiseInputs &inputs) const {
    inputs.rows[i] = padding;
    inputs.steps[i] = 0;
    if (y < 0 || y >= rows.in || span().begin == span().end)
      return;
    int64_t codeBytes = elementSize(in.el_type);
    inputs.rows[i] =
        getElements<char>(in) +
        (y * in.mem_stride[0] +
         (span().begin - columns.padding) * in.mem_stride[1] + first) *
            codeBytes;
    inputs.steps[i] = in.mem_stride[1] * codeBytes;
  }

  DepthwiseInputs getInputs(int64_t count) const {
    DepthwiseInputs inputs = {};
    int64_t pixels = span().end - span().begin;
    // Pixels without gaps are one long one.
    bool isDense = in.mem_stride[1] == count;
    inputs.pixels = isDense ? std::min<int64_t>(pixels, 1) : pixels;
    inputs.count = isDense ? pixels * count : count;
    inputs.zeroPoint = zeroPoint;
    return inputs;
  }

  /// Interleaves the rows of a group of taps, padding included.
  void prepareGroup(int64_t firstRow, int64_t group, int64_t first,
                    int64_t count, const char *padding, char *to) const {
    int64_t pixelBytes = count * groupBytes;
    DepthwiseInputs inputs = getInputs(count);
    for (int i = 0; i < maxGroup; ++i) {
      int64_t tap = group * kernels.group + i;
      bool isTap = i < kernels.group && tap < rows.taps;
      if (isTap || i < 3)
        setRow(isTap ? firstRow + tap * rows.dilation : -1, i, first, padding,
               inputs);
    }
    int pad = static_cast<uint8_t>(kernels.offset(zeroPoint));
    std::memset(to, pad, span().begin * pixelBytes);
    std::memset(to + span().end * pixelBytes, pad,
                (width - span().end) * pixelBytes);
    kernels.prepare(inputs, to + span().begin * pixelBytes);
  }

  /// Makes of the inputs of the row before those of the row whose first input
  /// is `firstRow`.
  void advance(int64_t firstRow, int64_t first, int64_t count,
               const char *padding, char *to) const {
    DepthwiseInputs inputs = getInputs(count);
    for (int i = 0; i < rows.stride; ++i)
      setRow(firstRow + 3 - rows.stride + i, i, first, padding, inputs);
    kernels.advance(inputs, rows.stride,
                    to + span().begin * count * groupBytes);
  }

  static constexpr int64_t groupBytes = 4;

  const mli_tensor &in;
  const mli_tensor &weights;
  const DepthwiseKernels &kernels;
  const PhaseAxis &rows;
  const PhaseAxis &columns;
  int64_t channels;
  /// Groups of taps of a column.
  int64_t groups;
  int64_t width;
  int32_t zeroPoint;
};

const DepthwiseKernels *depthwiseFor(const WeightedOperands &operands) {
  if (operands.in.el_type == MLI_EL_SA_8)
    return sa8Depthwise();
  if (operands.in.el_type != MLI_EL_FX_16)
    return nullptr;
  return operands.weights.el_type == MLI_EL_FX_8 ? fx16Fx8Depthwise()
                                                 : fx16Depthwise();
}

} // namespace

bool convolveDepthwise(const ConvolutionCall &call, mli_tensor &out,
                       int threads, const ChannelBlock *blocks) {
  WeightedOperands operands = {*call.args.in, *call.args.weights,
                               *call.args.bias, out, blocks};
  const DepthwiseKernels *kernels = depthwiseFor(operands);
  if (!kernels)
    return false;
  PhaseAxis rows = plainPhase(getRows(call, out));
  PhaseAxis columns = plainPhase(getColumns(call, out));
  int64_t channels = operands.in.shape[2];
  DepthwisePartition partition(rows, columns, channels, threads);
  if (kernels->columns &&
      goesByColumns(*kernels->columns, rows, columns, channels) &&
      convolveByColumns(*kernels->columns, operands, call.cfg->relu, partition,
                        out))
    return true;
  BlockBuilder builder(operands, call.cfg->relu,
                       kernels->offset(getParams(operands.in).zeroPoint),
                       rows.taps * columns.taps);
  DepthwiseConvolution convolution(operands.in, operands.weights, *kernels,
                                   rows, columns);
  int64_t panels = getPanelCount(channels);
  Scratch memory(panels * sizeof(ChannelBlock) + convolution.weightBytes());
  if (!builder.isExact() || !memory.get())
    return false;
  auto *filled = reinterpret_cast<ChannelBlock *>(memory.get());
  char *packed = memory.get() + panels * sizeof(ChannelBlock);
  if (kernels->maxTaps != 0 && convolution.tapCount() > kernels->maxTaps)
    return false;
  constexpr char zeros[2 * panelChannels] = {};
  convolution.pack(zeros, packed);
  for (int64_t i = 0; i < panels; ++i) {
    int64_t first = i * panelChannels;
    int64_t count = std::min<int64_t>(panelChannels, channels - first);
    int32_t sums[panelChannels] = {};
    if (kernels->sum)
      kernels->sum(packed + i * convolution.weightBytes() / panels,
                   convolution.tapCount(), sums);
    if (!builder.fill(first, count, sums, filled[i]))
      return false;
  }
  DepthwiseRow row = {};
  row.weights = reinterpret_cast<const int8_t *>(packed);
  row.blocks = filled;
  row.format = builder.format();
  return parallelFor(
      [&](WorkItems &items) {
        return convolution.run(row, partition, items, out);
      },
      partition.getPartition());
}

} // namespace mli::rt::simd
