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

/// The start of the sums of a panel, and how they are quantised.
struct alignas(64) ChannelBlock {
  /// sa8: the bias, the rounding constant of the first shift and, for inputs
  /// that keep their zero point, its share. fx: the bias, unless it comes last.
  int32_t start[panelChannels];
  /// sa8: the first shift. fx: the bias that comes last.
  int32_t preShift[panelChannels];
  /// sa8: pairs of the multiplier and the rounding constant over 2^14.
  int16_t scale[2 * panelChannels];
  /// sa8: the second shift, 15 to 29.
  int32_t shift[panelChannels];
};

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
