// SPDX-License-Identifier: Apache-2.0

#include "Runtime/Simd/MatrixConvolution.h"

#include "Runtime/Simd/Scratch.h"

#include <algorithm>
#include <cstring>

namespace mli::rt::simd {

/// Prepared inputs of a strip of output rows should stay in the second cache
/// level, beside a panel.
static constexpr int64_t stripBytes = 160 << 10;

/// What groups of multiplications may read behind their last input.
static constexpr int64_t slackBytes = 16;

void MatrixConvolution::pack(const mli_tensor &weights, int64_t channel,
                             int64_t count, int8_t *panel,
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
    kernels.pack(segment, count, panel, sums);
    panel += kernels.panelSegmentBytes(length);
  }
}

bool MatrixConvolution::run(const Part &part, mli_tensor &out) const {
  int64_t rowBytes =
      columns.extent(columns.count) * inputs * kernels.inputBytes;
  int64_t stripRows = rowsPerStrip(rowBytes, part.rowCount);
  Scratch strip(rows.extent(stripRows) * rowBytes + slackBytes);
  Scratch offsets(segmentCount * sizeof(ptrdiff_t));
  if (!strip.get() || !offsets.get())
    return false;
  int64_t codeBytes = elementSize(in.el_type);
  Grid grid = {};
  grid.input = strip.get();
  grid.rowStep = rows.stride * rowBytes;
  grid.columnStep = columns.stride * inputs * kernels.inputBytes;
  grid.segments = setSegments(offsets.get(), rowBytes, part.firstInput);
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
    prepare(row * rows.stride - rows.padding, rows.extent(grid.rows), rowBytes,
            strip.get());
    grid.out = target + row * grid.outRow;
    kernels.run(grid);
  }
  return true;
}

int64_t MatrixConvolution::rowsPerStrip(int64_t rowBytes, int64_t count) const {
  int64_t fitting = stripBytes / std::max<int64_t>(rowBytes, 1);
  int64_t outputs = (fitting - rows.extent(1)) / rows.stride + 1;
  return std::max<int64_t>(std::min(outputs, count), 1);
}

const ptrdiff_t *MatrixConvolution::setSegments(char *memory, int64_t rowBytes,
                                                int64_t firstInput) const {
  auto *segments = reinterpret_cast<ptrdiff_t *>(memory);
  for (int64_t s = 0; s < segmentCount; ++s) {
    int64_t y = isMerged ? s : s / columns.taps;
    int64_t x = isMerged ? 0 : s % columns.taps;
    segments[s] =
        y * rows.dilation * rowBytes +
        (x * columns.dilation * inputs + firstInput) * kernels.inputBytes;
  }
  return segments;
}

void MatrixConvolution::prepare(int64_t first, int64_t count, int64_t rowBytes,
                                char *strip) const {
  int pad = kernels.keepsZeroPoint ? static_cast<uint8_t>(zeroPoint + 128) : 0;
  int64_t pixelBytes = inputs * kernels.inputBytes;
  int64_t width = rowBytes / std::max<int64_t>(pixelBytes, 1);
  int64_t begin = std::clamp<int64_t>(columns.padding, 0, width);
  int64_t end = std::clamp(columns.in + columns.padding, begin, width);
  for (int64_t row = 0; row < count; ++row, strip += rowBytes) {
    if (first + row < 0 || first + row >= rows.in || begin == end) {
      std::memset(strip, pad, static_cast<size_t>(rowBytes));
      continue;
    }
    std::memset(strip, pad, static_cast<size_t>(begin * pixelBytes));
    const char *codes =
        elementsOf<char>(in) + ((first + row) * in.mem_stride[0] +
                                (begin - columns.padding) * in.mem_stride[1]) *
                                   elementSize(in.el_type);
    prepareRow(codes, end - begin, strip + begin * pixelBytes);
    std::memset(strip + end * pixelBytes, pad,
                static_cast<size_t>((width - end) * pixelBytes));
  }
  std::memset(strip, pad, slackBytes);
}

void MatrixConvolution::prepareRow(const char *codes, int64_t pixels,
                                   char *prepared) const {
  if (in.mem_stride[1] == inputs) {
    kernels.prepare(codes, pixels * inputs, zeroPoint, prepared);
    return;
  }
  for (int64_t x = 0; x < pixels; ++x) {
    kernels.prepare(codes, inputs, zeroPoint, prepared);
    codes += int64_t{in.mem_stride[1]} * elementSize(in.el_type);
    prepared += inputs * kernels.inputBytes;
  }
}

} // namespace mli::rt::simd
