// SPDX-License-Identifier: Apache-2.0
//
// One phase of a convolution on the inner kernel: how its weights are packed,
// and how strips of prepared inputs pass through it.

#ifndef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_MATRIXCONVOLUTION_H
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_MATRIXCONVOLUTION_H

#include "Blocks.h"
#include "Geometry.h"
#include "Runtime/Simd/Scratch.h"

namespace mli::rt::simd {

/// Prepared inputs of some output rows, kept from one run to the next.
class InputStrip {
public:
  explicit InputStrip(size_t bytes) : memory(bytes) {}
  /// Null without memory.
  char *get() const { return memory.get(); }
  bool holds(int64_t row, int64_t count) const {
    return row == firstRow && count <= rowCount;
  }
  void set(int64_t row, int64_t count) {
    firstRow = row;
    rowCount = count;
  }

private:
  Scratch memory;
  int64_t firstRow = 0;
  int64_t rowCount = 0;
};

/// Bytes of a packed panel.
inline int64_t getPanelBytes(const MatrixKernels &kernels,
                             const Segments &segments) {
  return segments.count * kernels.panelSegmentBytes(segments.length);
}

/// Channels whose 8-bit weights are a cache line.
inline constexpr int64_t lineChannels = int64_t{4} * panelChannels;

/// Packed weights and what belongs to them, one after another.
struct PackedChannels {
  /// Finds them in `memory`, which is aligned to 64 bytes.
  PackedChannels(char *memory, int64_t channels)
      : blocks(reinterpret_cast<ChannelBlock *>(memory)),
        panels(reinterpret_cast<int8_t *>(memory) +
               getPanelCount(channels) * sizeof(ChannelBlock)) {}

  static size_t getBytes(int64_t panelBytes, int64_t channels) {
    return getPanelCount(channels) * (sizeof(ChannelBlock) + panelBytes);
  }

  ChannelBlock *blocks;
  int8_t *panels;
};

class MatrixConvolution {
public:
  /// Describes sums over `depth` channels of `in`. Refers to its arguments.
  MatrixConvolution(const mli_tensor &in, int64_t depth,
                    const MatrixKernels &kernels, const PhaseAxis &rows,
                    const PhaseAxis &columns);

  int64_t products() const { return rows.taps * columns.taps * depth; }
  int64_t panelBytes() const { return getPanelBytes(kernels, segments); }

  /// Packs `count` channels from `first` on, a cache line of weights at a time.
  /// False if the inner kernel would not be exact.
  bool pack(const mli_tensor &weights, const BlockBuilder &builder,
            int64_t first, int64_t count, const PackedChannels &to) const;

  /// The work of one run: outputs from `firstOutput` on of inputs from
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
  /// Inputs that `strip` holds from runs before are not prepared again. False
  /// without memory.
  bool run(const Part &part, InputStrip &strip, mli_tensor &out) const;

  /// Bytes of a strip of runs of up to `count` output rows.
  size_t stripBytes(int64_t count) const;
  /// Whether runs of all rows, one after another, prepare each input once.
  bool preparesOnce() const {
    return isInPlace || rowsPerStrip(rows.count) >= rows.count;
  }

  int64_t rowCount() const { return rows.count; }

private:
  /// Packs `count` channels from `channel` on into panels, and adds up the
  /// weights of each where kernels keep the zero point.
  void packPanels(const mli_tensor &weights, int64_t channel, int64_t count,
                  int8_t *panels, int32_t *sums) const;
  bool canReadInPlace() const;
  int64_t rowsPerStrip(int64_t count) const;
  const ptrdiff_t *setSegments(char *memory, int64_t firstInput) const;
  /// The inputs of `count` output rows from `first` on.
  const char *getInputs(int64_t first, int64_t count, InputStrip &strip) const;
  /// Prepares `count` input rows from `first` on, which may be padding.
  void prepare(int64_t first, int64_t count, char *to) const;
  /// Prepares so many pixels of so many rows, from the first one at `codes` on.
  void prepareInputs(const char *codes, int64_t count, int64_t pixels,
                     char *to) const;

  const mli_tensor &in;
  const MatrixKernels &kernels;
  const PhaseAxis &rows;
  const PhaseAxis &columns;
  int64_t depth;
  int64_t inputs;
  int32_t zeroPoint;
  Segments segments;
  /// Whether the kernel reads the caller's inputs directly.
  bool isInPlace;
  /// Steps from pixel to pixel and from row to row of the kernel's inputs.
  int64_t pixelBytes;
  int64_t rowBytes;
};

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_MATRIXCONVOLUTION_H
