// SPDX-License-Identifier: Apache-2.0
//
// The one inner kernel of everything that sums products over input channels:
// outputs of a grid of pixels, each a sum over segments of contiguous inputs
// times packed weights.

#ifndef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_MATRIX_H
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_MATRIX_H

#include "Runtime/Simd/ChannelBlock.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mli::rt::simd {

/// Channels that depthwise kernels compute together at most, four panels: their
/// inputs stay in the first cache level.
inline constexpr int64_t columnChannels = int64_t{4} * panelChannels;

/// The group of weights packed contiguously: so many of a channel together, for
/// matrix products that have at least `minContiguousInputs` and at most
/// `maxContiguousChannels`. Lanes are inputs there, as most lanes of a panel
/// would be empty.
inline constexpr int contiguousInputs = 16;
inline constexpr int64_t minContiguousInputs = 64;
inline constexpr int64_t maxContiguousChannels = 4;

/// The operands of 16 channels of sa8, where they lie: what they are made of is
/// in BlockBuilder.
struct BlockInputs {
  const int32_t *bias;
  const int16_t *scales;
  const int8_t *fracBits;
  const int32_t *weightSums;
  int32_t ratio;
  int32_t shift;
  /// The amount by which the inputs are too high.
  int32_t offset;
  /// The largest bias with which no sum saturates.
  int32_t biasLimit;
};

/// Fills a block; false if one of its channels needs the scalar code.
struct BlockFiller {
  bool (*fill)(const BlockInputs &inputs, ChannelBlock &block);
};
const BlockFiller *blockFiller();
/// The same without vectors.
bool fillScalarBlock(const BlockInputs &inputs, ChannelBlock &block);

/// Rows of a weight matrix: taps of `depth` rows. Strides are in elements.
struct WeightRows {
  const void *base;
  int64_t taps;
  int64_t tapStride;
  int64_t depth;
  int64_t rowStride;
  int64_t count() const { return taps * depth; }
};

/// A grid of output pixels. Strides and offsets are in bytes; `input` holds
/// prepared inputs, each segment readable to a whole number of groups.
struct Grid {
  const char *input;
  ptrdiff_t rowStep;
  ptrdiff_t columnStep;
  const ptrdiff_t *segments;
  int64_t segmentCount;
  /// Groups of inputs per segment.
  int64_t groups;
  const int8_t *panels;
  ptrdiff_t panelBytes;
  const ChannelBlock *blocks;
  /// The amount by which the inputs would be too high if all were offset by
  /// 128: for contiguously packed weights, whose blocks do not know it.
  int32_t inputOffset;
  OutputFormat format;
  char *out;
  ptrdiff_t outRow;
  ptrdiff_t outColumn;
  int64_t rows;
  int64_t columns;
  int64_t channels;
};

/// Rows of contiguous values, and where they go when they are prepared; steps
/// in bytes. They do not overlap.
struct CodeRows {
  const char *from;
  ptrdiff_t fromStep;
  char *to;
  ptrdiff_t toStep;
  int64_t count;
  int64_t codes;

  static CodeRows one(const void *from, int64_t codes, void *to) {
    return {static_cast<const char *>(from),
            0,
            static_cast<char *>(to),
            0,
            1,
            codes};
  }
};

/// The kernels of one arithmetic on one target. A group is what one lane
/// multiplies at once: in a panel, its weights of each channel lie together.
struct MatrixKernels {
  /// A power of two.
  int group;
  /// Bytes of a prepared input, of a weight, and of a weight in a panel.
  int inputBytes;
  int weightBytes;
  int panelWeightBytes;
  /// Inputs keep their zero point, and blocks are those of inputs that are
  /// offset by 128.
  bool keepsZeroPoint;
  /// Null if inputs are used unprepared: those that keep their zero point are
  /// signed then.
  void (*prepare)(const CodeRows &rows, int32_t zeroPoint);
  /// Packs a segment of neighbouring channels into panels `panelStep` bytes
  /// apart; adds the sum of each channel's weights to `sums`, of those that
  /// keep their zero point: room for whole panels.
  void (*pack)(const WeightRows &rows, int64_t channels, int8_t *panels,
               ptrdiff_t panelStep, int32_t *sums);
  void (*run)(const Grid &grid);

  /// The amount by which inputs of this zero point are too high for blocks.
  int32_t offset(int32_t zeroPoint) const {
    return keepsZeroPoint ? zeroPoint + 128 : 0;
  }
  /// The byte of a prepared input that is zero.
  uint8_t padding(int32_t zeroPoint) const {
    return static_cast<uint8_t>(offset(zeroPoint) -
                                (keepsZeroPoint && !prepare ? 128 : 0));
  }

  /// Prepares inputs, or copies them as they are.
  void prepareInputs(const CodeRows &rows, int32_t zeroPoint) const {
    if (prepare)
      return prepare(rows, zeroPoint);
    for (int64_t row = 0; row < rows.count; ++row)
      std::memcpy(rows.to + row * rows.toStep, rows.from + row * rows.fromStep,
                  static_cast<size_t>(rows.codes) * inputBytes);
  }

  int64_t panelSegmentBytes(int64_t length) const {
    return ((length + group - 1) & -int64_t{group}) * panelChannels *
           panelWeightBytes;
  }
};

/// The kernels of each arithmetic on the target of this moment, or null.
/// `group` chooses among those of sa8, pairs, quads or `contiguousInputs`; 0
/// takes the fastest of pairs and quads.
const MatrixKernels *sa8Kernels(int group = 0);
const MatrixKernels *sa8QuadKernels();
/// With panels of 8-bit weights, which become 16 bits where they are used, if
/// `isNarrow`: for weights of few uses. Else with panels of 16-bit weights.
const MatrixKernels *fx16Fx8Kernels(bool isNarrow);
const MatrixKernels *fx16Fx8Contiguous();
const MatrixKernels *fx16Kernels();

/// Packs weights of 8 bits contiguously: as `MatrixKernels::pack`.
void packContiguous(const WeightRows &rows, int64_t channels, int8_t *panels,
                    ptrdiff_t panelStep, int32_t *sums);

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_MATRIX_H
