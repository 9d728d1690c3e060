// SPDX-License-Identifier: Apache-2.0
//
// The blocks that packed depthwise layers keep: what takes long to compute of
// the parameters of a channel, in few bytes, and the same for all instruction
// sets, which offset their inputs differently.

#ifndef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_COMPACTBLOCK_H
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_COMPACTBLOCK_H

#include "Runtime/Simd/ChannelBlock.h"

#include <algorithm>
#include <cstring>

namespace mli::rt::simd {

/// A block of sa8 for inputs without an offset.
struct CompactBlock {
  int32_t start[panelChannels];
  /// Their rounding constants follow from the second shifts.
  int16_t multiplier[panelChannels];
  int8_t preShift[panelChannels];
  int8_t shift[panelChannels];

  CompactBlock() = default;
  explicit CompactBlock(const ChannelBlock &block) {
    std::copy(std::begin(block.start), std::end(block.start), start);
    for (int64_t lane = 0; lane < panelChannels; ++lane) {
      multiplier[lane] = block.scale[2 * lane];
      preShift[lane] = static_cast<int8_t>(block.preShift[lane]);
      shift[lane] = static_cast<int8_t>(block.shift[lane]);
    }
  }

  /// The block for inputs that are `offset` too high, with the sums of the
  /// weights of `count` channels. Lanes without a channel repeat the last one.
  void expand(int32_t offset, const int32_t *sums, int64_t count,
              ChannelBlock &block) const {
    for (int64_t lane = 0; lane < panelChannels; ++lane) {
      block.scale[2 * lane] = multiplier[lane];
      block.scale[2 * lane + 1] = getRounding(shift[lane]);
      block.preShift[lane] = preShift[lane];
      block.shift[lane] = shift[lane];
    }
    for (int64_t lane = 0; lane < count; ++lane)
      block.start[lane] = addShare(start[lane], offset, sums[lane]);
    for (int64_t lane = count; lane < panelChannels; ++lane)
      block.start[lane] = block.start[count - 1];
  }

private:
  /// Shifts are 15 to 29; others, which may be in the bytes that are given for
  /// a layer, give any number.
  static int16_t getRounding(int8_t shift) {
    return static_cast<int16_t>(1U << ((shift - 15) & 15));
  }

  /// As unsigned numbers, which wrap.
  static int32_t addShare(int32_t start, int32_t offset, int32_t sum) {
    return static_cast<int32_t>(static_cast<uint32_t>(start) -
                                static_cast<uint32_t>(offset) *
                                    static_cast<uint32_t>(sum));
  }
};
static_assert(sizeof(CompactBlock) == 128);

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_COMPACTBLOCK_H
