// SPDX-License-Identifier: Apache-2.0
//
// What tiles of output pixels times output channels have in common, whose sums
// stay in registers. Included once per target.
//
// An arithmetic has a Dot; a Sum<D>, the accumulator of one vector; a Split<D>
// of it, what tiles add to, with split and join; start and add; scales, and
// finish, which quantises two sums at once with them; flush, which sums need
// before more than `flushAfter` groups, if that is not 0; and the registers
// that a sum, an input and a vector of weights take. With `isSa8` sums are
// vectors of 32-bit lanes that K11 quantises.

#if defined(MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILE_INL_H) ==                    \
    defined(HWY_TARGET_TOGGLE)
#ifdef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILE_INL_H
#undef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILE_INL_H
#else
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILE_INL_H
#endif

#include "Runtime/Simd/Dot-inl.h"
#include "Runtime/Simd/Requantize-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

#undef MLI_SIMD_INLINED
#define MLI_SIMD_INLINED HWY_ATTR __attribute__((always_inline))

/// Sums in registers, beside weights and input.
inline constexpr int tileSums = 3 * registerCount / 4;

/// The most channels of a tile.
inline constexpr int64_t tileChannels =
    4 * hn::MaxLanes(hn::ScalableTag<int32_t>());

/// The pixels of a tile, and its first channel.
struct Tile {
  const char *inputs[tileSums];
  char *outputs[tileSums];
  int64_t channel;
  /// Whether the outputs of all pixels follow one another.
  bool isDense;
  /// sa8: whether a HighRequantizer is exact for its channels, and what each
  /// pair of vectors has for it.
  bool areHigh;
  HWY_ALIGN int32_t preShifts[tileChannels];
  HWY_ALIGN int16_t multipliers[tileChannels];
  HWY_ALIGN int16_t powers[tileChannels];
  /// Signed inputs: what the sums of its channels start from.
  HWY_ALIGN int32_t starts[tileChannels];
};

/// Where a vector of channels finds its parameters.
struct Channels {
  const ChannelBlock &block;
  int64_t lane;
};

/// Sums in one vector of 32-bit lanes, of products that `DotType` adds.
template <class DotType>
struct VectorSums {
  using Dot = DotType;
  template <class D>
  using Sum = hn::Vec<D>;
  static constexpr bool isSplit = Dot::isSplit;
  template <class D>
  using Split = std::conditional_t<isSplit, SplitSums<hn::Vec<D>>, hn::Vec<D>>;
  static constexpr int registersPerSum = Dot::registersPerSum;
  static constexpr int registersPerInput = Dot::registersPerInput;
  static constexpr int registersPerWeights = 1;
  static constexpr int64_t flushAfter = 0;

  template <class D>
  static HWY_INLINE hn::Vec<D> start(D d, const Channels &channels) {
    return hn::LoadU(d, channels.block.start + channels.lane);
  }
  template <class D, class S, class W>
  static HWY_INLINE void add(D d, S &sum, hn::Vec<D> input, W weights) {
    sum = Dot::add(d, sum, input, weights);
  }
  template <class D>
  static HWY_INLINE Split<D> split(D d, hn::Vec<D> sum) {
    if constexpr (isSplit)
      return splitSums(d, sum);
    else
      return sum;
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> join(D d, Split<D> sum) {
    if constexpr (isSplit)
      return joinSums(d, sum);
    else
      return sum;
  }
};

/// Stores the first `count` values.
template <class D, typename Code>
HWY_INLINE void storeCodes(D d, hn::Vec<D> codes, Code *to, int64_t count) {
  if (HWY_LIKELY(count >= static_cast<int64_t>(hn::MaxLanes(d)))) {
    hn::StoreU(codes, d, to);
    return;
  }
#if HWY_TARGET == HWY_AVX3
  hn::BlendedStore(codes, hn::FirstN(d, static_cast<size_t>(count)), d, to);
#else
  HWY_ALIGN Code lanes[hn::MaxLanes(d)];
  hn::Store(codes, d, lanes);
  std::memcpy(to, lanes, static_cast<size_t>(count) * sizeof(Code));
#endif
}

/// A group of inputs in all lanes.
template <class D>
HWY_INLINE hn::Vec<D> broadcastInput(D d, const char *from) {
  auto input = broadcast(d, from);
#if HWY_TARGET == HWY_NEON
  // Else compilers see that both halves are alike, and move upper halves of
  // weights down, into registers that sums need.
  asm("" : "+w"(input.raw));
#elif HWY_COMPILER_GCC_ACTUAL
  // Else g++ hoists all broadcasts and spills the sums.
  asm("" : "+x"(input.raw));
#endif
  return input;
}

/// Where tiles of so many vectors of channels find weights and parameters.
template <class A, class D, int Vectors>
struct TileChannels {
  static constexpr int64_t lanes = hn::MaxLanes(D());
  static constexpr int64_t laneBytes =
      A::Dot::group * sizeof(typename A::Weight);
  static constexpr int64_t groupBytes = panelChannels * laneBytes;

  /// The first channel. Without a sign and, where a vector has all channels of
  /// a panel, as a multiple of these, its panel takes one shift to find.
  static HWY_INLINE uint64_t getFirst(const Tile &tile) {
    auto first = static_cast<uint64_t>(tile.channel);
    return lanes < panelChannels ? first
                                 : first / panelChannels * panelChannels;
  }

  static HWY_INLINE const int8_t *getWeights(const Grid &grid,
                                             const Tile &tile) {
    uint64_t channel = getFirst(tile);
    return grid.panels +
           static_cast<int64_t>(channel / panelChannels) * grid.panelBytes +
           static_cast<int64_t>(channel % panelChannels) * laneBytes;
  }

  static HWY_INLINE Channels getChannels(const Grid &grid, const Tile &tile,
                                         int64_t vector) {
    uint64_t channel = getFirst(tile) + static_cast<uint64_t>(vector * lanes);
    return {grid.blocks[channel / panelChannels],
            static_cast<int64_t>(channel % panelChannels)};
  }

  static HWY_INLINE ptrdiff_t weightOffset(const Grid &grid, int64_t vector) {
    int64_t channel = vector * lanes;
    return channel / panelChannels * grid.panelBytes +
           channel % panelChannels * laneBytes;
  }
};

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILE_INL_H
