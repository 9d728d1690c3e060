// SPDX-License-Identifier: Apache-2.0
//
// Tiles of output pixels times output channels, whose sums stay in registers,
// and the walk of a grid by tiles. Included once per target.
//
// An arithmetic has a Dot; a Sum<D>, the accumulator of one vector; start and
// add; finish, which makes codes of two sums at once; and flush, which sums
// need before more than `flushAfter` groups, if that is not 0.

#if defined(MLI_LIB_RUNTIME_SIMD_TILE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef MLI_LIB_RUNTIME_SIMD_TILE_INL_H
#undef MLI_LIB_RUNTIME_SIMD_TILE_INL_H
#else
#define MLI_LIB_RUNTIME_SIMD_TILE_INL_H
#endif

#include "Runtime/Simd/Dot-inl.h"
#include "Runtime/Simd/Matrix.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// Sums in registers: 16 registers hold 12 beside weights and input, 32 hold
/// 24.
inline constexpr int tileSums = HWY_TARGET == HWY_AVX3 ? 24 : 12;

/// The pixels of a tile, and its first channel.
struct Tile {
  const char *inputs[tileSums];
  char *outputs[tileSums];
  int64_t channel;
};

/// Where a vector of channels finds its parameters.
struct Channels {
  const ChannelBlock &block;
  int64_t lane;
};

/// Stores the first `count` codes.
template <class D, typename Code>
HWY_INLINE void storeCodes(D d, hn::Vec<D> codes, Code *to, int64_t count) {
  if (HWY_LIKELY(count >= static_cast<int64_t>(hn::MaxLanes(d)))) {
    hn::StoreU(codes, d, to);
    return;
  }
  HWY_ALIGN Code lanes[hn::MaxLanes(d)];
  hn::Store(codes, d, lanes);
  std::memcpy(to, lanes, static_cast<size_t>(count) * sizeof(Code));
}

/// One tile: `Pixels` pixels times `Vectors` vectors of channels.
template <class A, class D, int Vectors, int Pixels>
class TileKernel {
public:
  static HWY_NOINLINE void run(const Grid &grid, const Tile &tile) {
    const D d;
    typename A::template Sum<D> sums[Pixels][Vectors];
    each<Pixels>([&](auto pixel) HWY_ATTR {
      each<Vectors>([&](auto vector) HWY_ATTR {
        sums[pixel][vector] = A::start(d, channelsOf(grid, tile, vector));
      });
    });
    const int8_t *weights = grid.panels +
                            tile.channel / panelChannels * grid.panelBytes +
                            tile.channel % panelChannels * laneBytes;
    int64_t untilFlush = A::flushAfter;
    for (int64_t s = 0; s < grid.segmentCount; ++s) {
      const char *inputs[Pixels];
      each<Pixels>([&](auto pixel) HWY_ATTR {
        inputs[pixel] = tile.inputs[pixel] + grid.segments[s] + 4 * grid.groups;
      });
      for (ptrdiff_t at = -4 * grid.groups; at != 0;) {
        ptrdiff_t end = 0;
        if constexpr (A::flushAfter != 0)
          end = HWY_MIN(at + 4 * untilFlush, ptrdiff_t{0});
        untilFlush -= (end - at) / 4;
        for (; at != end; at += 4) {
          decltype(A::Dot::weights(d, weights)) loaded[Vectors];
          each<Vectors>([&](auto vector) HWY_ATTR {
            loaded[vector] =
                A::Dot::weights(d, weights + weightOffset(grid, vector));
          });
          weights += panelChannels * laneBytes;
          each<Pixels>([&](auto pixel) HWY_ATTR {
            auto input = broadcast(d, inputs[pixel] + at);
#if HWY_COMPILER_GCC_ACTUAL
            // Else g++ hoists all broadcasts and spills the sums.
            asm("" : "+x"(input.raw));
#endif
            each<Vectors>([&](auto vector) HWY_ATTR {
              A::add(d, sums[pixel][vector], input, loaded[vector]);
            });
          });
        }
        if constexpr (A::flushAfter != 0)
          if (untilFlush == 0) {
            untilFlush = A::flushAfter;
            each<Pixels>([&](auto pixel) HWY_ATTR {
              each<Vectors>([&](auto vector)
                                HWY_ATTR { A::flush(d, sums[pixel][vector]); });
            });
          }
      }
    }
    finish(grid, tile, sums);
  }

private:
  static constexpr int64_t lanes = hn::MaxLanes(D());
  static constexpr int64_t laneBytes =
      A::Dot::group * sizeof(typename A::Weight);

  static HWY_INLINE Channels channelsOf(const Grid &grid, const Tile &tile,
                                        int64_t vector) {
    int64_t channel = tile.channel + vector * lanes;
    return {grid.blocks[channel / panelChannels], channel % panelChannels};
  }

  static HWY_INLINE ptrdiff_t weightOffset(const Grid &grid, int64_t vector) {
    int64_t channel = vector * lanes;
    return channel / panelChannels * grid.panelBytes +
           channel % panelChannels * laneBytes;
  }

  template <class Sums>
  static HWY_INLINE void finish(const Grid &grid, const Tile &tile,
                                const Sums &sums) {
    using Code = typename A::Code;
    const D d;
    const typename A::template Codes<D> both;
    const hn::Half<decltype(both)> one;
    int64_t left = grid.channels - tile.channel;
    auto target = [&](int pixel, int64_t channel) HWY_ATTR {
      return reinterpret_cast<Code *>(tile.outputs[pixel]) + channel;
    };
    if constexpr (Vectors == 1) {
      // Two pixels at once.
      Channels channels = channelsOf(grid, tile, 0);
      each<(Pixels + 1) / 2>([&](auto pair) HWY_ATTR {
        constexpr int first = 2 * decltype(pair)::value;
        constexpr int second = first + 1 < Pixels ? first + 1 : first;
        auto codes = A::finish(d, sums[first][0], channels, sums[second][0],
                               channels, grid.format);
        storeCodes(one, hn::LowerHalf(one, codes), target(first, tile.channel),
                   left);
        if (second != first)
          storeCodes(one, hn::UpperHalf(one, codes),
                     target(second, tile.channel), left);
      });
    } else {
      static_assert(Vectors % 2 == 0);
      each<Pixels>([&](auto pixel) HWY_ATTR {
        each<Vectors / 2>([&](auto pair) HWY_ATTR {
          constexpr int vector = 2 * decltype(pair)::value;
          auto codes =
              A::finish(d, sums[pixel][vector], channelsOf(grid, tile, vector),
                        sums[pixel][vector + 1],
                        channelsOf(grid, tile, vector + 1), grid.format);
          storeCodes(both, codes, target(pixel, tile.channel + vector * lanes),
                     left - vector * lanes);
        });
      });
    }
  }
};

using TileFunction = void (*)(const Grid &, const Tile &);

template <class A, class D, int Vectors, int... Pixels>
constexpr std::array<TileFunction, sizeof...(Pixels)>
tileFunctions(std::integer_sequence<int, Pixels...>) {
  return {TileKernel<A, D, Vectors, Pixels + 1>::run...};
}

/// Walks all pixels of the grid for the channels from `channel` on.
template <class A, class D, int Vectors, int MaxPixels>
void runChannels(const Grid &grid, int64_t channel) {
  static constexpr auto functions = tileFunctions<A, D, Vectors>(
      std::make_integer_sequence<int, MaxPixels>());
  Tile tile;
  tile.channel = channel;
  int64_t row = 0;
  int64_t column = 0;
  for (int64_t left = grid.rows * grid.columns; left > 0;) {
    // The last two tiles share what is left: none is small.
    int64_t count = left >= 2 * MaxPixels || left == MaxPixels ? MaxPixels
                    : left > MaxPixels                         ? (left + 1) / 2
                                                               : left;
    for (int64_t i = 0; i < count; ++i) {
      tile.inputs[i] =
          grid.input + row * grid.rowStep + column * grid.columnStep;
      tile.outputs[i] = grid.out + row * grid.outRow + column * grid.outColumn;
      if (++column == grid.columns) {
        column = 0;
        ++row;
      }
    }
    functions[count - 1](grid, tile);
    left -= count;
  }
}

/// Splits the channels into vectors, as wide as they fill.
template <class A>
void runGrid(const Grid &grid) {
  const hn::ScalableTag<int32_t> d;
  using D = hn::ScalableTag<int32_t>;
  using Narrow = hn::CappedTag<int32_t, 8>;
  constexpr int64_t lanes = hn::MaxLanes(d);
  constexpr int sums = tileSums / A::registersPerSum;
  bool isVector = grid.rows * grid.columns == 1;
  for (int64_t channel = 0; channel < grid.channels;) {
    int64_t left = grid.channels - channel;
    if (isVector && left > 3 * lanes) {
      runChannels<A, D, 4, 1>(grid, channel);
      channel += 4 * lanes;
    } else if (left > lanes + lanes / 2 || (lanes <= 8 && left > lanes)) {
      runChannels<A, D, 2, sums / 2>(grid, channel);
      channel += 2 * lanes;
    } else if (lanes <= 8 || left > 8) {
      runChannels<A, D, 1, sums / 2>(grid, channel);
      channel += lanes;
    } else {
      runChannels<A, Narrow, 1, sums / 2>(grid, channel);
      channel += 8;
    }
  }
}

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#endif // MLI_LIB_RUNTIME_SIMD_TILE_INL_H
