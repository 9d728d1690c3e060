// SPDX-License-Identifier: Apache-2.0
//
// One phase of a convolution on the inner kernel: how its weights are packed,
// and how strips of prepared inputs pass through it.

#ifndef MLI_LIB_RUNTIME_SIMD_MATRIXCONVOLUTION_H
#define MLI_LIB_RUNTIME_SIMD_MATRIXCONVOLUTION_H

#include "Runtime/Simd/Geometry.h"
#include "Runtime/Simd/Matrix.h"
#include "Runtime/Tensor.h"

namespace mli::rt::simd {

class MatrixConvolution {
public:
  /// Of sums over `depth` channels of `in`.
  MatrixConvolution(const mli_tensor &in, int64_t depth,
                    const MatrixKernels &kernels, const PhaseAxis &rows,
                    const PhaseAxis &columns)
      : in(in), kernels(kernels), rows(rows), columns(columns), depth(depth),
        inputs(in.shape[2]), zeroPoint(paramsOf(in).zeroPoint),
        isMerged(columns.dilation == 1 && depth == inputs),
        length(isMerged ? columns.taps * depth : depth),
        segmentCount(isMerged ? rows.taps : rows.taps * columns.taps) {}

  int64_t products() const { return rows.taps * columns.taps * depth; }
  /// Bytes of a packed panel.
  int64_t panelBytes() const {
    return segmentCount * kernels.panelSegmentBytes(length);
  }

  /// Packs `count` channels from `channel` on, and adds up the weights of each
  /// where kernels keep the zero point.
  void pack(const mli_tensor &weights, int64_t channel, int64_t count,
            int8_t *panel, int32_t *sums) const;

  /// What one run computes: outputs from `firstOutput` on of inputs from
  /// `firstInput` on.
  struct Part {
    const int8_t *panels;
    const ChannelBlock *blocks;
    OutputFormat format;
    int64_t firstInput;
    int64_t firstOutput;
    int64_t channels;
    int64_t firstRow;
    int64_t rowCount;
  };
  /// False without memory.
  bool run(const Part &part, mli_tensor &out) const;

  int64_t rowCount() const { return rows.count; }

private:
  int64_t rowsPerStrip(int64_t rowBytes, int64_t count) const;
  const ptrdiff_t *setSegments(char *memory, int64_t rowBytes,
                               int64_t firstInput) const;
  /// Prepares `count` input rows from `first` on, which may be padding.
  void prepare(int64_t first, int64_t count, int64_t rowBytes,
               char *strip) const;
  void prepareRow(const char *codes, int64_t pixels, char *prepared) const;

  const mli_tensor &in;
  const MatrixKernels &kernels;
  PhaseAxis rows;
  PhaseAxis columns;
  int64_t depth;
  int64_t inputs;
  int32_t zeroPoint;
  /// Taps of a row are one segment.
  bool isMerged;
  int64_t length;
  int64_t segmentCount;
};

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_SIMD_MATRIXCONVOLUTION_H
