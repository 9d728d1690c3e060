// SPDX-License-Identifier: Apache-2.0
//
// Convolutions and matrix products by the inner kernels.

#ifndef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_CONVOLUTION_H
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_CONVOLUTION_H

#include "Blocks.h"
#include "MatrixConvolution.h"
#include "Runtime/Convolution/Convolution.h"

namespace mli::rt::simd {

/// Computes what the scalar code does with rounding up and narrow accumulation,
/// bit by bit. False if that takes the scalar code, whatever is written.
bool convolve(const ConvolutionCall &call, ConvolutionKind kind,
              mli_tensor &out);

/// Packed weights and what belongs to them, one after another.
struct PackedChannels {
  ChannelBlock *blocks;
  int8_t *panels;
};
inline int64_t panelsOf(int64_t channels) {
  return (channels + panelChannels - 1) / panelChannels;
}
inline size_t packedBytes(int64_t panelBytes, int64_t channels) {
  return panelsOf(channels) * (sizeof(ChannelBlock) + panelBytes);
}
/// As they lie in `memory`, which is aligned to 64 bytes.
inline PackedChannels packedAt(char *memory, int64_t channels) {
  return {reinterpret_cast<ChannelBlock *>(memory),
          reinterpret_cast<int8_t *>(memory) +
              panelsOf(channels) * sizeof(ChannelBlock)};
}

/// Packs `channels` from `first` on, a cache line of weights at a time. False
/// if the inner kernel would not be exact.
bool packChannels(const MatrixConvolution &convolution,
                  const BlockBuilder &builder, const mli_tensor &weights,
                  int64_t first, int64_t channels, const PackedChannels &to);

/// Height or width of a call.
ConvolutionAxis axisOf(const ConvolutionCall &call, const mli_tensor &out,
                       bool isRows);

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_CONVOLUTION_H
