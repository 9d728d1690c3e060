// SPDX-License-Identifier: Apache-2.0

#include "Runtime/Simd/MatrixConvolution.h"

#include <algorithm>
#include <cstring>

namespace mli::rt::simd {

/// Prepared inputs of a strip of output rows should stay in the second cache
/// level, beside a panel.
static constexpr int64_t stripCacheBytes = 160 << 10;

/// What groups of multiplications may read behind their last input.
static constexpr int64_t slackBytes = 16;

MatrixConvolution::MatrixConvolution(const mli_tensor &in, int64_t depth,
                                     const MatrixKernels &kernels,
                                     const PhaseAxis &rows,
                                     const PhaseAxis &columns)
    : in(in), kernels(kernels), rows(rows), columns(columns), depth(depth),
      inputs(in.shape[2]), zeroPoint(paramsOf(in).zeroPoint),
      isMerged(columns.dilation == 1 && depth == inputs),
      length(isMerged ? columns.taps * depth : depth),
      segmentCount(isMerged ? rows.taps : rows.taps * columns.taps),
      isInPlace(canReadInPlace()), pixelBytes(inputs * kernels.inputBytes),
      rowBytes(columns.extent(columns.count) * pixelBytes) {
  if (!isInPlace)
    return;
  pixelBytes = int64_t{in.mem_stride[1]} * kernels.inputBytes;
  rowBytes = int64_t{in.mem_stride[0]} * kernels.inputBytes;
}

/// Inputs need no preparation, nothing is padding, and neither does a group of
/// multiplications reach behind a segment nor a segment behind a pixel.
bool MatrixConvolution::canReadInPlace() const {
  auto isInside = [](const PhaseAxis &axis) {
    return axis.padding <= 0 &&
           axis.extent(axis.count) - axis.padding <= axis.in;
  };
  bool hasGaps = isMerged && columns.taps > 1 && in.mem_stride[1] != inputs;
  return !kernels.prepare && isInside(rows) && isInside(columns) &&
         length % kernels.group == 0 && !hasGaps;
}

void MatrixConvolution::pack(const mli_tensor &weights, int64_t channel,
                             int64_t count, int8_t *panels,
                             int32_t *sums) const {
  for (int64_t s = 0; s < segmentCount; ++s) {
    int64_t y = isMerged ? s : s / columns.taps;
    int64_t x = isMerged ? 0 : s % columns.taps;
    int64_t offset =
        (rows.tapFirst + y * rows.tapStep) * weights.mem_stride[0] +
        (columns.tapFirst + x * columns.tapStep) * weights.mem_stride[1] +
        channel;
    WeightRows segment = {
        elementsOf<char>(weights) + offset * kernels.weightBytes,
        isMerged ? columns.taps : 1, columns.tapStep * weights.mem_stride[1],
        depth, weights.mem_stride[2]};
    kernels.pack(segment, count, panels, panelBytes(), sums);
    panels += kernels.panelSegmentBytes(length);
  }
}

bool MatrixConvolution::run(const Part &part, InputStrip &strip,
                            mli_tensor &out) const {
  int64_t stripRows = rowsPerStrip(part.rowCount);
  Scratch offsets(segmentCount * sizeof(ptrdiff_t));
  if (!strip.get() || !offsets.get())
    return false;
  int64_t codeBytes = elementSize(in.el_type);
  Grid grid = {};
  grid.rowStep = rows.stride * rowBytes;
  grid.columnStep = columns.stride * pixelBytes;
  grid.segments = setSegments(offsets.get(), part.firstInput);
  grid.segmentCount = segmentCount;
  grid.groups = (length + kernels.group - 1) / kernels.group;
  grid.panels = part.panels;
  grid.panelBytes = panelBytes();
  grid.blocks = part.blocks;
  grid.format = part.format;
  grid.outRow = rows.outStep * out.mem_stride[0] * codeBytes;
  grid.outColumn = columns.outStep * out.mem_stride[1] * codeBytes;
  grid.columns = columns.count;
  grid.channels = part.channels;
  char *target = elementsOf<char>(out) +
                 (rows.outFirst * out.mem_stride[0] +
                  columns.outFirst * out.mem_stride[1] + part.firstOutput) *
                     codeBytes;
  int64_t end = part.firstRow + part.rowCount;
  for (int64_t row = part.firstRow; row < end; row += stripRows) {
    grid.rows = std::min(stripRows, end - row);
    grid.input = inputsOf(row, grid.rows, strip);
    grid.out = target + row * grid.outRow;
    kernels.run(grid);
  }
  return true;
}

int64_t MatrixConvolution::rowsPerStrip(int64_t count) const {
  int64_t fitting = stripCacheBytes / std::max<int64_t>(rowBytes, 1);
  int64_t outputs = (fitting - rows.extent(1)) / rows.stride + 1;
  return std::max<int64_t>(std::min(outputs, count), 1);
}

size_t MatrixConvolution::stripBytes(int64_t count) const {
  if (isInPlace)
    return 0;
  return rows.extent(rowsPerStrip(count)) * rowBytes + slackBytes;
}

const ptrdiff_t *MatrixConvolution::setSegments(char *memory,
                                                int64_t firstInput) const {
  auto *segments = reinterpret_cast<ptrdiff_t *>(memory);
  for (int64_t s = 0; s < segmentCount; ++s) {
    int64_t y = isMerged ? s : s / columns.taps;
    int64_t x = isMerged ? 0 : s % columns.taps;
    segments[s] = y * rows.dilation * rowBytes +
                  x * columns.dilation * pixelBytes +
                  firstInput * kernels.inputBytes;
  }
  return segments;
}

const char *MatrixConvolution::inputsOf(int64_t first, int64_t count,
                                        InputStrip &strip) const {
  int64_t row = first * rows.stride - rows.padding;
  if (isInPlace)
    return elementsOf<char>(in) + row * rowBytes - columns.padding * pixelBytes;
  if (!strip.holds(first, count)) {
    prepare(row, rows.extent(count), strip.get());
    strip.set(first, count);
  }
  return strip.get();
}

void MatrixConvolution::prepare(int64_t first, int64_t count, char *to) const {
  int pad = static_cast<uint8_t>(kernels.offset(zeroPoint));
  int64_t width = rowBytes / std::max<int64_t>(pixelBytes, 1);
  int64_t begin = std::clamp<int64_t>(columns.padding, 0, width);
  int64_t end = std::clamp(columns.in + columns.padding, begin, width);
  for (int64_t row = 0; row < count; ++row, to += rowBytes) {
    if (first + row < 0 || first + row >= rows.in || begin == end) {
      std::memset(to, pad, static_cast<size_t>(rowBytes));
      continue;
    }
    std::memset(to, pad, static_cast<size_t>(begin * pixelBytes));
    const char *codes =
        elementsOf<char>(in) + ((first + row) * in.mem_stride[0] +
                                (begin - columns.padding) * in.mem_stride[1]) *
                                   elementSize(in.el_type);
    prepareRow(codes, end - begin, to + begin * pixelBytes);
    std::memset(to + end * pixelBytes, pad,
                static_cast<size_t>((width - end) * pixelBytes));
  }
  std::memset(to, pad, slackBytes);
}

void MatrixConvolution::prepareRow(const char *codes, int64_t pixels,
                                   char *prepared) const {
  // Without gaps pixels are one long one.
  bool isDense = in.mem_stride[1] == inputs;
  int64_t count = isDense ? pixels * inputs : inputs;
  for (int64_t x = 0; x < (isDense ? 1 : pixels); ++x) {
    if (kernels.prepare)
      kernels.prepare(codes, count, zeroPoint, prepared);
    else
      std::memcpy(prepared, codes,
                  static_cast<size_t>(count) * kernels.inputBytes);
    codes += int64_t{in.mem_stride[1]} * elementSize(in.el_type);
    prepared += pixelBytes;
  }
}

} // namespace mli::rt::simd
