// SPDX-License-Identifier: Apache-2.0
//
// The walk of a grid's channels by tiles, and those of a vector of channels and
// half of one: 24 channels with vectors of 512 bits. Included once per target.

#if defined(MLI_LIB_RUNTIME_CONVOLUTION_SIMD_GRID_INL_H) ==                    \
    defined(HWY_TARGET_TOGGLE)
#ifdef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_GRID_INL_H
#undef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_GRID_INL_H
#else
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_GRID_INL_H
#endif

#include "TileKernel-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// Tiles of a vector and half of one.
template <class A, class D>
struct MixedTiles;

#if HWY_TARGET == HWY_AVX3
/// A tile of the first channels, and another one of the same pixels.
struct MixedTile : Tile {
  Tile rest;
};

/// `Pixels` pixels times a vector and half a vector of channels, which multiply
/// the same inputs. Products with half a vector are those of two pixels at
/// once: Zen 5 multiplies as many vectors of 512 bits as of 256.
template <class A, class D, int Pixels>
class MixedTileKernel {
  using Narrow = hn::Half<D>;
  using Wide = TileChannels<A, D, 1>;
  using Few = TileChannels<A, Narrow, 1>;
  using WideKernel = TileKernel<A, D, 1, Pixels>;
  using NarrowKernel = TileKernel<A, Narrow, 1, Pixels>;
  static constexpr int64_t lanes = hn::MaxLanes(D());
  static constexpr int pairs = (Pixels + 1) / 2;
  static_assert(A::flushAfter == 0);

public:
  using Tile = MixedTile;

  static HWY_INLINE void prepare(const Grid &grid, MixedTile &tile) {
    WideKernel::prepare(grid, tile);
    tile.rest.channel = tile.channel + lanes;
    NarrowKernel::prepare(grid, tile.rest);
  }

  static HWY_NOINLINE void run(const Grid &grid, MixedTile &tile) {
    const D d;
    hn::Vec<D> wideSums[Pixels][1];
    hn::Vec<D> pairSums[pairs];
    auto wideStart = A::start(d, Wide::getChannels(grid, tile, 0));
    auto pairStart =
        twice(A::start(Narrow(), Few::getChannels(grid, tile.rest, 0)));
    each<Pixels>([&](auto pixel) HWY_ATTR {
      wideSums[pixel][0] = wideStart;
      tile.rest.outputs[pixel] = tile.outputs[pixel];
    });
    each<pairs>([&](auto pair) HWY_ATTR { pairSums[pair] = pairStart; });
    addProducts(grid, tile, wideSums, pairSums);
    TileOutputs<A, D, 1, Pixels>::finish(grid, tile, wideSums);
    finishPairs(grid, tile, pairSums);
  }

private:
  template <class V>
  static HWY_INLINE auto twice(V half) {
    return hn::Combine(hn::Twice<hn::DFromV<V>>(), half, half);
  }

  static HWY_INLINE void addProducts(const Grid &grid, const MixedTile &tile,
                                     hn::Vec<D> (&wideSums)[Pixels][1],
                                     hn::Vec<D> (&pairSums)[pairs]) {
    const D d;
    const int8_t *wideWeights = Wide::getWeights(grid, tile);
    const int8_t *narrowWeights = Few::getWeights(grid, tile.rest);
    for (int64_t s = 0; s < grid.segmentCount; ++s) {
      const char *inputs[Pixels];
      each<Pixels>([&](auto pixel) HWY_ATTR {
        inputs[pixel] = tile.inputs[pixel] + grid.segments[s] + 4 * grid.groups;
      });
      for (ptrdiff_t at = -4 * grid.groups; at != 0; at += 4) {
        auto wide = A::Dot::weights(d, wideWeights);
        auto few = twice(A::Dot::weights(Narrow(), narrowWeights));
        auto addWide = [&](auto pixel) MLI_SIMD_INLINED {
          auto input = broadcast(d, inputs[pixel] + at);
          // Else all of them are before the sums, which do not fit into
          // registers then.
          asm volatile("" : "+v"(input.raw));
          A::add(d, wideSums[pixel][0], input, wide);
          return input;
        };
        each<Pixels / 2>([&](auto pair) HWY_ATTR {
          constexpr int first = 2 * decltype(pair)::value;
          auto a = addWide(std::integral_constant<int, first>());
          auto b = addWide(std::integral_constant<int, first + 1>());
          A::add(d, pairSums[pair], hn::ConcatUpperLower(d, b, a), few);
        });
        if constexpr (Pixels % 2 != 0)
          A::add(d, pairSums[pairs - 1],
                 addWide(std::integral_constant<int, Pixels - 1>()), few);
        wideWeights += Wide::groupBytes;
        narrowWeights += Wide::groupBytes;
      }
    }
  }

  static HWY_INLINE void finishPairs(const Grid &grid, const MixedTile &tile,
                                     const hn::Vec<D> (&pairSums)[pairs]) {
    const Narrow narrow;
    hn::Vec<Narrow> sums[Pixels][1];
    each<Pixels>([&](auto pixel) HWY_ATTR {
      auto both = pairSums[pixel / 2];
      sums[pixel][0] = pixel % 2 == 0 ? hn::LowerHalf(narrow, both)
                                      : hn::UpperHalf(narrow, both);
    });
    TileOutputs<A, Narrow, 1, Pixels>::finish(grid, tile.rest, sums);
  }
};

template <class A, class D>
struct MixedTiles {
  template <int Pixels>
  using Kernel = MixedTileKernel<A, D, Pixels>;
};
#endif

/// Whether there are registers for the sums of each pixel by a vector and half
/// of one, or twice the sums of one.
template <class A>
inline constexpr bool hasManySums =
    HWY_TARGET == HWY_AVX3 && isFused<typename A::Dot> &&
    A::registersPerSum == 1 && A::flushAfter == 0;

/// The fewest groups, counted in whole pairs of each segment, for which tiles
/// of one vector take less time if they load inputs of two groups at once; as
/// measured on Zen 5, which loads no more vectors of 512 bits a cycle than it
/// multiplies.
inline constexpr int64_t minPairedGroups = 8;

/// Whether registers hold the sums of `Pixels` pixels by two vectors, their
/// weights, an input, and a product.
template <class A, int Pixels>
inline constexpr bool fitsTwoVectors =
    2 * (Pixels * A::registersPerSum + A::registersPerWeights) + 2 <=
    registerCount;

/// Splits the channels into vectors, as wide as they fill. Tiles have at most
/// `Pixels` pixels by two vectors. With 16 registers, tiles of one vector have
/// as many pixels as registers hold sums, but at most eight, as the input of
/// each pixel needs an address register. On Arm they have twice as many pixels,
/// up to twelve.
template <class A, int Pixels = tileSums /
                                (2 * A::registersPerSum + A::registersPerInput)>
void runGrid(const Grid &grid) {
  const hn::ScalableTag<int32_t> d;
  using D = hn::ScalableTag<int32_t>;
  using Narrow = hn::CappedTag<int32_t, 8>;
  constexpr int64_t lanes = hn::MaxLanes(d);
  constexpr int maxPixels = registerCount == 16
                                ? HWY_MIN(tileSums / A::registersPerSum, 8)
                            : addsPairsSplit ? HWY_MIN(2 * Pixels, tileSums / 2)
                                             : Pixels;
  constexpr bool hasTwoVectors = fitsTwoVectors<A, Pixels>;
  bool isVector = grid.rows * grid.columns == 1;
  for (int64_t channel = 0; channel < grid.channels;) {
    int64_t left = grid.channels - channel;
    if (isVector && left > 3 * lanes) {
      channel = PixelKernel<A>::run(grid, channel);
    } else if (hasManySums<A> && !isVector && left > lanes &&
               left <= lanes + lanes / 2) {
      if constexpr (hasManySums<A>)
        runTiles<MixedTiles<A, D>, Pixels>(grid, channel);
      channel += lanes + lanes / 2;
    } else if (hasTwoVectors &&
               (left > lanes + lanes / 2 || (lanes <= 8 && left > lanes))) {
      if constexpr (hasTwoVectors)
        runChannels<A, D, 2, Pixels>(grid, channel);
      channel += 2 * lanes;
    } else if (hasManySums<A> && !isVector && left > 8 &&
               grid.segmentCount * (grid.groups & ~1) >= minPairedGroups) {
      if constexpr (hasManySums<A>)
        runTiles<PairedTiles<A, D>, Pixels>(grid, channel);
      channel += lanes;
    } else if (lanes <= 8 || left > 8) {
      runChannels<A, D, 1, maxPixels>(grid, channel);
      channel += lanes;
    } else {
      runChannels<A, Narrow, 1, Pixels>(grid, channel);
      channel += 8;
    }
  }
}

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_GRID_INL_H
