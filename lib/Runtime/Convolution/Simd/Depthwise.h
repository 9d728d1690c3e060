// SPDX-License-Identifier: Apache-2.0
//
// The inner kernel of depthwise convolutions: lanes are channels, and several
// taps of a column, four bytes in all, are multiplied at once.

#ifndef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISE_H
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISE_H

#include "DepthwiseColumns.h"
#include "Matrix.h"

namespace mli::rt::simd {

/// One row of outputs. Offsets and steps are in bytes, as for `Grid`.
struct DepthwiseRow {
  const char *input;
  ptrdiff_t columnStep;
  /// Where the groups of taps begin, from an output's first input.
  const ptrdiff_t *taps;
  int64_t tapCount;
  /// The groups of each 16 channels, one after another.
  const int8_t *weights;
  const ChannelBlock *blocks;
  OutputFormat format;
  char *out;
  ptrdiff_t outColumn;
  int64_t columns;
  int64_t channels;
};

/// The inputs to interleave: `count` values of each pixel of the rows of a
/// group. A missing fourth row is null.
struct DepthwiseInputs {
  const char *rows[4];
  /// Steps from pixel to pixel, in bytes.
  ptrdiff_t steps[4];
  int64_t pixels;
  int64_t count;
  int32_t zeroPoint;
};

/// The kernels of one arithmetic on one target. A group is the operand that a
/// lane multiplies at once: values of neighbouring rows, one after another.
struct DepthwiseKernels {
  int group;
  bool keepsZeroPoint;
  void (*prepare)(const DepthwiseInputs &inputs, void *to);
  /// Drops, in groups of three rows, the first `stride`, 1 or 2, and appends as
  /// many, which are the first of `inputs`. Null if there is no such kernel.
  void (*advance)(const DepthwiseInputs &inputs, int64_t stride, void *to);
  /// Interleaves `count` weights of each of the rows of a group.
  void (*pack)(const void *const *rows, int64_t count, void *to);
  /// Adds the weights of `tapCount` packed groups of 16 channels to `sums`;
  /// null if the arithmetic needs none.
  void (*sum)(const void *packed, int64_t tapCount, int32_t *sums);
  void (*run)(const DepthwiseRow &row);
  /// Faster kernels for three rows by three columns, or null.
  const ColumnKernels *columns = nullptr;
  /// The groups of taps that sums have room for; 0 if any number.
  int64_t maxTaps = 0;

  /// The amount by which prepared inputs of this zero point are too high.
  int32_t offset(int32_t zeroPoint) const {
    return keepsZeroPoint ? zeroPoint + 128 : 0;
  }
};

const DepthwiseKernels *sa8Depthwise();
const DepthwiseKernels *fx16Fx8Depthwise();
const DepthwiseKernels *fx16Depthwise();

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISE_H
