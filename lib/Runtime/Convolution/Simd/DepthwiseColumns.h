// SPDX-License-Identifier: Apache-2.0
//
// Depthwise convolutions of three rows by three columns without an interleaved
// copy of the input: columns of taps are interleaved in registers.

#ifndef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISECOLUMNS_H
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISECOLUMNS_H

#include "Blocks.h"
#include "Geometry.h"
#include "Matrix.h"

namespace mli::rt::simd {

/// Nine weights of each channel, row by row of the kernel; zero where there is
/// no channel.
struct ColumnWeights {
  int8_t taps[9][columnChannels];
};

/// Some channels of a map. Steps are in bytes.
struct ColumnMap {
  /// Points to the first channel of the first pixel.
  const int8_t *input;
  ptrdiff_t inRow;
  ptrdiff_t inColumn;
  int32_t zeroPoint;
  PhaseAxis rows;
  /// Stride 1 or 2, dilation 1.
  PhaseAxis columns;
  /// At most `columnChannels`.
  int64_t channels;
  const ColumnWeights *weights;
  /// They have second shifts of at least `minShift`.
  const ChannelBlock *blocks;
  OutputFormat format;
  int8_t *out;
  ptrdiff_t outRow;
  ptrdiff_t outColumn;
};

/// Three rows of inputs: where there is none, zero points that are not walked.
struct ColumnRows {
  const int8_t *rows[3];
  ptrdiff_t steps[3];

  ColumnRows(const ColumnMap &map, int64_t y, const int8_t *padding) {
    for (int64_t i = 0; i < 3; ++i) {
      int64_t row =
          y * map.rows.stride - map.rows.padding + i * map.rows.dilation;
      bool isInside = row >= 0 && row < map.rows.in;
      rows[i] = isInside ? map.input + row * map.inRow : padding;
      steps[i] = isInside ? map.inColumn : 0;
    }
  }
};

/// The kernels of one target.
struct ColumnKernels {
  int32_t minShift;
  int64_t minChannels;
  /// The constant to add to inputs, which keep their zero point.
  int32_t offset;
  /// Reads the weights of `channels` channels, `rowStep` and `columnStep` bytes
  /// from tap to tap, and sets `sums` to those of each channel.
  void (*load)(const int8_t *weights, ptrdiff_t rowStep, ptrdiff_t columnStep,
               int64_t channels, ColumnWeights &to, int32_t *sums);
  void (*run)(const ColumnMap &map);
};

/// Whether a convolution of `channels` channels may go by columns.
inline bool goesByColumns(const ColumnKernels &kernels, const PhaseAxis &rows,
                          const PhaseAxis &columns, int64_t channels) {
  return rows.taps == 3 && columns.taps == 3 && columns.dilation == 1 &&
         columns.stride <= 2 && channels >= kernels.minChannels;
}

class DepthwisePartition;

/// Computes the convolution by `partition`; false if another kernel has to.
bool convolveByColumns(const ColumnKernels &kernels,
                       const WeightedOperands &operands,
                       const mli_relu_cfg &relu, const PhaseAxis &columns,
                       const DepthwisePartition &partition, mli_tensor &out);

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISECOLUMNS_H
