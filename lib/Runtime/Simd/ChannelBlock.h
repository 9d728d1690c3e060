// SPDX-License-Identifier: Apache-2.0
//
// The parameters that quantise the sums of output channels.

#ifndef MLI_LIB_RUNTIME_SIMD_CHANNELBLOCK_H
#define MLI_LIB_RUNTIME_SIMD_CHANNELBLOCK_H

#include <cstdint>

namespace mli::rt::simd {

/// Output channels of a panel of packed weights.
inline constexpr int panelChannels = 16;

/// Panels that `channels` take, of which the last may be incomplete.
inline int64_t getPanelCount(int64_t channels) {
  return (channels + panelChannels - 1) / panelChannels;
}

/// The scales of sa8, for which sums are shifted, multiplied, and shifted
/// again. The second shifts are 15 to 29, from which their rounding constants
/// follow; others, which may be in the bytes that are given for a layer, give
/// any number.
struct ChannelScales {
  int16_t multiplier[panelChannels];
  int8_t preShift[panelChannels];
  int8_t shift[panelChannels];
};

/// The start of the sums of a panel, and how they are quantised: in few bytes,
/// as one that is used once takes as long as they take to load.
struct alignas(64) ChannelBlock {
  /// sa8: the bias, the rounding constant of the first shift and, for inputs
  /// that keep their zero point, its share. fx: the bias, unless it comes last.
  int32_t start[panelChannels];
  union {
    /// sa8.
    ChannelScales scales;
    /// fx: the bias that comes last.
    int32_t lateBias[panelChannels];
  };
};
static_assert(sizeof(ChannelBlock) == 128);

/// The parameters that all channels share: the zero point (sa8) or the shift
/// (fx), and the bounds that the result is clipped to, the lower winning.
struct OutputFormat {
  int16_t zeroPoint;
  int16_t low;
  int16_t high;
  int shift;
  /// fx16 x fx8: sums may wrap, and their bias saturates; else the start has
  /// both the bias and the rounding constant.
  uint32_t hasLateBias;
};

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_SIMD_CHANNELBLOCK_H
