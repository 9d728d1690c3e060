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

/// What kernels by columns use of a layer: nothing in it depends on the call.
struct ColumnLayer {
  /// Those of the first channel, and the bytes from row to row and from column
  /// to column of the kernel.
  const int8_t *weights;
  ptrdiff_t weightRow;
  ptrdiff_t weightColumn;
  /// Of all channels; second shifts are at least `minShift`.
  const ChannelBlock *blocks;
  int32_t minShift;
  OutputFormat format;
  int32_t zeroPoint;
};

/// Some channels and rows of a map. Steps are in bytes.
struct ColumnMap {
  const ColumnLayer *layer;
  const PhaseAxis *rows;
  /// Stride 1 or 2, dilation 1.
  const PhaseAxis *columns;
  /// At most `columnChannels`, the first one a multiple of it.
  int64_t firstChannel;
  int64_t channels;
  /// Of the output.
  int64_t firstRow;
  int64_t endRow;
  /// Points to the first of the channels of the first pixel, as does `out`.
  const int8_t *input;
  ptrdiff_t inRow;
  ptrdiff_t inColumn;
  int8_t *out;
  ptrdiff_t outRow;
  ptrdiff_t outColumn;

  const int8_t *tap(int64_t row, int64_t column) const {
    return layer->weights + row * layer->weightRow +
           column * layer->weightColumn + firstChannel;
  }
  const ChannelBlock *blocks() const {
    return layer->blocks + firstChannel / panelChannels;
  }
};

/// Three rows of inputs: where there is none, zero points that are not walked.
struct ColumnRows {
  const int8_t *rows[3];
  ptrdiff_t steps[3];

  ColumnRows(const ColumnMap &map, int64_t y, const int8_t *padding) {
    const PhaseAxis &axis = *map.rows;
    for (int64_t i = 0; i < 3; ++i) {
      int64_t row = y * axis.stride - axis.padding + i * axis.dilation;
      bool isInside = row >= 0 && row < axis.in;
      rows[i] = isInside ? map.input + row * map.inRow : padding;
      steps[i] = isInside ? map.inColumn : 0;
    }
  }
};

/// The kernels of one target.
struct ColumnKernels {
  int32_t minShift;
  int64_t minChannels;
  void (*run)(const ColumnMap &map);
};

/// Whether a convolution of `channels` channels may go by columns.
inline bool goesByColumns(const ColumnKernels &kernels, const PhaseAxis &rows,
                          const PhaseAxis &columns, int64_t channels) {
  return rows.taps == 3 && columns.taps == 3 && columns.dilation == 1 &&
         columns.stride <= 2 && channels >= kernels.minChannels;
}

class DepthwisePartition;

/// Computes the blocks of all channels, and writes them where `to` is not null;
/// `minShift` becomes the smallest of their second shifts. False if they are
/// not exact.
bool fillBlocks(const BlockBuilder &builder, int64_t channels, ChannelBlock *to,
                int32_t &minShift);

/// Computes a convolution that may go by columns by `partition`; false if
/// another kernel has to.
bool convolveByColumns(const ColumnKernels &kernels, const ColumnLayer &layer,
                       const mli_tensor &in,
                       const DepthwisePartition &partition, mli_tensor &out);
/// The same of a layer that has not been prepared.
bool convolveByColumns(const ColumnKernels &kernels,
                       const WeightedOperands &operands,
                       const mli_relu_cfg &relu,
                       const DepthwisePartition &partition, mli_tensor &out);

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISECOLUMNS_H
