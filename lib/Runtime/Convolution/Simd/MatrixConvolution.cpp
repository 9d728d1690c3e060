// SPDX-License-Identifier: Apache-2.0

#include "MatrixConvolution.h"

#include "PaddedStrip.h"

#include <algorithm>

namespace mli::rt::simd {

/// Prepared inputs of a strip of output rows should stay in the second cache
/// level, beside a panel.
static constexpr int64_t stripCacheBytes = 160 << 10;

/// Bytes that groups of multiplications may read after their last input.
static constexpr int64_t slackBytes = 16;

MatrixConvolution::MatrixConvolution(const mli_tensor &in, int64_t depth,
                                     const MatrixKernels &kernels,
                                     const PhaseAxis &rows,
                                     const PhaseAxis &columns)
    : in(in), kernels(kernels), rows(rows), columns(columns), depth(depth),
      inputs(in.shape[2]), zeroPoint(getParams(in).zeroPoint),
      segments(rows, columns, depth, inputs), isInPlace(canReadInPlace()),
      pixelBytes(inputs * kernels.inputBytes),
      rowBytes(columns.extent(columns.count) * pixelBytes) {
  if (!isInPlace)
    return;
  pixelBytes = int64_t{in.mem_stride[1]} * kernels.inputBytes;
  rowBytes = int64_t{in.mem_stride[0]} * kernels.inputBytes;
}

/// Inputs need no preparation, nothing is padding, and neither does a group of
/// multiplications reach beyond a segment nor a segment beyond a pixel.
bool MatrixConvolution::canReadInPlace() const {
  auto isInside = [](const PhaseAxis &axis) {
    return axis.padding <= 0 &&
           axis.extent(axis.count) - axis.padding <= axis.in;
  };
  bool hasGaps =
      segments.areMerged && columns.taps > 1 && in.mem_stride[1] != inputs;
  return !kernels.prepare && isInside(rows) && isInside(columns) &&
         segments.length % kernels.group == 0 && !hasGaps;
}

void MatrixConvolution::packPanels(const mli_tensor &weights, int64_t channel,
                                   int64_t count, int8_t *panels,
                                   int32_t *sums) const {
  for (int64_t s = 0; s < segments.count; ++s) {
    int64_t y = segments.areMerged ? s : s / columns.taps;
    int64_t x = segments.areMerged ? 0 : s % columns.taps;
    int64_t offset =
        (rows.tapFirst + y * rows.tapStep) * weights.mem_stride[0] +
        (columns.tapFirst + x * columns.tapStep) * weights.mem_stride[1] +
        channel;
    WeightRows segment = {
        getElements<char>(weights) + offset * kernels.weightBytes,
        segments.areMerged ? columns.taps : 1,
        columns.tapStep * weights.mem_stride[1], depth, weights.mem_stride[2]};
    kernels.pack(segment, count, panels, panelBytes(), sums);
    panels += kernels.panelSegmentBytes(segments.length);
  }
}

bool MatrixConvolution::pack(const mli_tensor &weights,
                             const BlockBuilder &builder, int64_t first,
                             int64_t count, const PackedChannels &to) const {
  for (int64_t at = 0; at < count; at += lineChannels) {
    int64_t panel = at / panelChannels;
    int64_t channels = std::min(lineChannels, count - at);
    int32_t sums[lineChannels] = {};
    packPanels(weights, first + at, channels, to.panels + panel * panelBytes(),
               sums);
    for (int64_t i = 0; i < channels; i += panelChannels, ++panel)
      if (!builder.fill(first + at + i,
                        std::min<int64_t>(panelChannels, channels - i),
                        sums + i, to.blocks[panel]))
        return false;
  }
  return true;
}

bool MatrixConvolution::run(const Part &part, InputStrip &strip,
                            mli_tensor &out) const {
  int64_t stripRows = rowsPerStrip(part.rowCount);
  Scratch offsets(segments.count * sizeof(ptrdiff_t));
  if (!strip.get() || !offsets.get())
    return false;
  int64_t codeBytes = elementSize(in.el_type);
  Grid grid = {};
  grid.rowStep = rows.stride * rowBytes;
  grid.columnStep = columns.stride * pixelBytes;
  grid.segments = setSegments(offsets.get(), part.firstInput);
  grid.segmentCount = segments.count;
  grid.groups = (segments.length + kernels.group - 1) / kernels.group;
  grid.panels = part.panels;
  grid.panelBytes = panelBytes();
  grid.blocks = part.blocks;
  grid.format = part.format;
  int64_t outRow = rows.outStep * out.mem_stride[0] * codeBytes;
  grid.outColumn = columns.outStep * out.mem_stride[1] * codeBytes;
  grid.channels = part.channels;
  // Rows without gaps are one long one.
  bool areRowsDense = grid.rowStep == columns.count * grid.columnStep &&
                      outRow == columns.count * grid.outColumn;
  char *target = getElements<char>(out) +
                 (rows.outFirst * out.mem_stride[0] +
                  columns.outFirst * out.mem_stride[1] + part.firstOutput) *
                     codeBytes;
  int64_t end = part.firstRow + part.rowCount;
  for (int64_t row = part.firstRow; row < end; row += stripRows) {
    int64_t count = std::min(stripRows, end - row);
    grid.rows = areRowsDense ? 1 : count;
    grid.columns = areRowsDense ? count * columns.count : columns.count;
    grid.outRow = areRowsDense ? count * outRow : outRow;
    grid.input = getInputs(row, count, strip);
    grid.out = target + row * outRow;
    kernels.run(grid);
  }
  return true;
}

int64_t MatrixConvolution::rowsPerStrip(int64_t count) const {
  // Divisions are long beside the products of a row.
  if (count <= 1 || rows.extent(count) * rowBytes <= stripCacheBytes)
    return std::max<int64_t>(count, 1);
  int64_t fitting = stripCacheBytes / std::max<int64_t>(rowBytes, 1);
  int64_t outputs = (fitting - rows.extent(1)) / rows.stride + 1;
  return std::max<int64_t>(outputs, 1);
}

size_t MatrixConvolution::stripBytes(int64_t count) const {
  if (isInPlace)
    return 0;
  return rows.extent(rowsPerStrip(count)) * rowBytes + slackBytes;
}

const ptrdiff_t *MatrixConvolution::setSegments(char *memory,
                                                int64_t firstInput) const {
  auto *offsets = reinterpret_cast<ptrdiff_t *>(memory);
  for (int64_t s = 0; s < segments.count; ++s) {
    int64_t y = segments.areMerged ? s : s / columns.taps;
    int64_t x = segments.areMerged ? 0 : s % columns.taps;
    offsets[s] = y * rows.dilation * rowBytes +
                 x * columns.dilation * pixelBytes +
                 firstInput * kernels.inputBytes;
  }
  return offsets;
}

const char *MatrixConvolution::getInputs(int64_t first, int64_t count,
                                         InputStrip &strip) const {
  int64_t row = first * rows.stride - rows.padding;
  if (isInPlace)
    return getElements<char>(in) + row * rowBytes -
           columns.padding * pixelBytes;
  if (!strip.holds(first, count)) {
    prepare(row, rows.extent(count), strip.get());
    strip.set(first, count);
  }
  return strip.get();
}

/// Writes padding, and after it inputs.
void MatrixConvolution::prepare(int64_t first, int64_t count, char *to) const {
  int64_t width = columns.extent(columns.count);
  const PaddedStrip strip(rows, first, count, columns, width, pixelBytes);
  strip.pad(kernels.padding(zeroPoint), slackBytes, to);
  if (!strip.hasInputs())
    return;
  const char *codes = getElements<char>(in) +
                      ((first + strip.firstRow) * in.mem_stride[0] +
                       (strip.begin - columns.padding) * in.mem_stride[1]) *
                          elementSize(in.el_type);
  prepareInputs(codes, strip.endRow - strip.firstRow, strip.end - strip.begin,
                to + strip.firstRow * rowBytes + strip.before);
}

void MatrixConvolution::prepareInputs(const char *codes, int64_t count,
                                      int64_t pixels, char *to) const {
  int64_t codeBytes = elementSize(in.el_type);
  int64_t rowStep = in.mem_stride[0] * codeBytes;
  CodeRows strip = {codes, rowStep, to, rowBytes, count, pixels * inputs};
  bool areRowsDense = in.mem_stride[1] == inputs;
  // Without gaps rows are one long one.
  if (areRowsDense && rowStep == strip.codes * codeBytes &&
      rowBytes == pixels * pixelBytes) {
    strip.codes *= count;
    strip.count = 1;
  }
  if (areRowsDense)
    return kernels.prepareInputs(strip, zeroPoint);
  for (int64_t row = 0; row < count; ++row)
    kernels.prepareInputs({codes + row * rowStep, in.mem_stride[1] * codeBytes,
                           to + row * rowBytes, pixelBytes, pixels, inputs},
                          zeroPoint);
}

} // namespace mli::rt::simd
