// SPDX-License-Identifier: Apache-2.0
//
// Convolutions of every kind as plain ones: those outputs along an axis that
// see the same taps of the kernel.

#ifndef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_GEOMETRY_H
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_GEOMETRY_H

#include "Runtime/Core/SpatialAxis.h"

namespace mli::rt::simd {

/// Output `i` of `count` is output `outFirst + i * outStep` of the whole axis,
/// and sees input `i * stride - padding + t * dilation` through tap `t`, which
/// is `tapFirst + t * tapStep` of the kernel.
struct PhaseAxis {
  int64_t in;
  int64_t count;
  int64_t outFirst;
  int64_t outStep;
  int64_t stride;
  int64_t padding;
  int64_t dilation;
  int64_t taps;
  int64_t tapFirst;
  int64_t tapStep;

  /// Inputs from the first to the last that `outputs` neighbours see.
  int64_t extent(int64_t outputs) const {
    return (outputs - 1) * stride + (taps > 0 ? taps - 1 : 0) * dilation + 1;
  }
};

/// The phase of an axis of a convolution that is not transposed.
inline PhaseAxis plainPhase(const SpatialAxis &axis) {
  return {axis.in,       axis.out,    0, 1, axis.stride, axis.paddingBefore,
          axis.dilation, axis.kernel, 0, 1};
}

/// A phase of a transposed one: the outputs that taps `phase`, `phase +
/// stride`, ... spread to, of which each sees one input further.
inline PhaseAxis spreadPhase(const SpatialAxis &axis, int64_t phase) {
  int64_t stride = axis.stride;
  int64_t taps =
      axis.kernel > phase ? (axis.kernel - phase - 1) / stride + 1 : 0;
  int64_t first = ((phase - axis.paddingBefore) % stride + stride) % stride;
  int64_t count = axis.out > first ? (axis.out - first - 1) / stride + 1 : 0;
  int64_t base = (first + axis.paddingBefore - phase) / stride;
  return {axis.in, count, first,
          stride,  1,     taps - 1 - base,
          1,       taps,  phase + (taps - 1) * stride,
          -stride};
}

/// Inputs that lie together under the kernel: of each tap, or of a row of taps
/// where there is nothing between them.
struct Segments {
  /// Describes sums over `depth` of so many input channels.
  Segments(const PhaseAxis &rows, const PhaseAxis &columns, int64_t depth,
           int64_t inputs)
      : areMerged(columns.dilation == 1 && depth == inputs),
        length(areMerged ? columns.taps * depth : depth),
        count(areMerged ? rows.taps : rows.taps * columns.taps) {}

  bool areMerged;
  int64_t length;
  int64_t count;
};

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_GEOMETRY_H
