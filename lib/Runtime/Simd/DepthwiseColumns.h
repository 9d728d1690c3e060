// SPDX-License-Identifier: Apache-2.0
//
// Depthwise convolutions of three rows by three columns without an interleaved
// copy of the input: columns of taps are interleaved in registers.

#ifndef MLI_LIB_RUNTIME_SIMD_DEPTHWISECOLUMNS_H
#define MLI_LIB_RUNTIME_SIMD_DEPTHWISECOLUMNS_H

#include "Runtime/Simd/Blocks.h"
#include "Runtime/Simd/Geometry.h"
#include "Runtime/Simd/Matrix.h"

namespace mli::rt::simd {

/// Channels that pass together at most, four panels: their inputs stay in the
/// first cache level.
inline constexpr int64_t columnChannels = int64_t{4} * panelChannels;

/// Nine weights of each channel, row by row of the kernel; zero where there is
/// no channel.
struct ColumnWeights {
  int8_t taps[9][columnChannels];
};

/// Some channels of a map. Steps are in bytes.
struct ColumnMap {
  /// Of the first channel of the first pixel.
  const int8_t *input;
  ptrdiff_t inRow;
  ptrdiff_t inColumn;
  int32_t zeroPoint;
  PhaseAxis rows;
  /// Stride 1 or 2, dilation 1.
  PhaseAxis columns;
  /// Up to `columnChannels`.
  int64_t channels;
  const ColumnWeights *weights;
  /// With second shifts of at least `smallestShift`.
  const ChannelBlock *blocks;
  OutputFormat format;
  int8_t *out;
  ptrdiff_t outRow;
  ptrdiff_t outColumn;
};

/// The kernels of one target.
struct ColumnKernels {
  int32_t smallestShift;
  /// Reads the weights of `channels` channels, `rowStep` and `columnStep` bytes
  /// from tap to tap, and sets `sums` to those of each channel.
  void (*load)(const int8_t *weights, ptrdiff_t rowStep, ptrdiff_t columnStep,
               int64_t channels, ColumnWeights &to, int32_t *sums);
  void (*run)(const ColumnMap &map);
};

/// Whether a convolution of `channels` channels may go by columns.
inline bool goesByColumns(const PhaseAxis &rows, const PhaseAxis &columns,
                          int64_t channels) {
  return rows.taps == 3 && columns.taps == 3 && columns.dilation == 1 &&
         columns.stride <= 2 && channels >= panelChannels;
}

class DepthwiseSplit;

/// Computes the convolution, as `split` says; false if another kernel has to.
bool convolveByColumns(const ColumnKernels &kernels,
                       const WeightedOperands &operands,
                       const BlockBuilder &builder, const PhaseAxis &columns,
                       const DepthwiseSplit &split, mli_tensor &out);

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_SIMD_DEPTHWISECOLUMNS_H
