// SPDX-License-Identifier: Apache-2.0
//
// Tiles of output pixels times output channels, and the walk of a grid's pixels
// by them. Included once per target.

#if defined(MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILEKERNEL_INL_H) ==              \
    defined(HWY_TARGET_TOGGLE)
#ifdef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILEKERNEL_INL_H
#undef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILEKERNEL_INL_H
#else
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILEKERNEL_INL_H
#endif

#include "Runtime/Simd/Caches.h"
#include "TileOutputs-inl.h"
#include "TileSums-inl.h"

#include <array>

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// One tile: `Pixels` pixels times `Vectors` vectors of channels.
template <class A, class D, int Vectors, int Pixels>
class TileKernel {
  using TileSums = simd::HWY_NAMESPACE::TileSums<A, D, Vectors, Pixels>;
  using Outputs = TileOutputs<A, D, Vectors, Pixels>;

public:
  using Tile = simd::HWY_NAMESPACE::Tile;

  /// Sets what all tiles of these channels share.
  static HWY_INLINE void prepare(const Grid &grid, Tile &tile) {
    TileSums::prepare(grid, tile);
    Outputs::prepare(grid, tile);
  }

  static HWY_NOINLINE void run(const Grid &grid, const Tile &tile) {
    typename TileSums::Sums sums;
    TileSums::compute(grid, tile, sums);
    Outputs::finish(grid, tile, sums);
  }
};

/// One tile of a vector of channels, whose inputs are loaded for two groups.
template <class A, class D, int Pixels>
class PairedTileKernel {
  using Outputs = TileOutputs<A, D, 1, Pixels>;

public:
  using Tile = simd::HWY_NAMESPACE::Tile;

  static HWY_INLINE void prepare(const Grid &grid, Tile &tile) {
    Outputs::prepare(grid, tile);
  }

  static HWY_NOINLINE void run(const Grid &grid, const Tile &tile) {
    hn::Vec<D> sums[Pixels][1];
    PairedSums<A, D, Pixels>::compute(grid, tile, sums);
    Outputs::finish(grid, tile, sums);
  }
};

/// Tiles of one pixel, which have no others to prepare parameters for.
template <class A>
class PixelKernel {
  using D = hn::ScalableTag<int32_t>;
  static constexpr int vectors = 4;
  static constexpr int64_t lanes = hn::MaxLanes(D());
  static constexpr int64_t tileLanes = vectors * lanes;
  using Sums = TileSums<A, D, vectors, 1>;
  using Outputs = TileOutputs<A, D, vectors, 1>;

public:
  /// Walks the channels of the pixel from `channel` on, as long as a tile has a
  /// channel for each of its vectors. Returns the first channel that is left.
  static HWY_NOINLINE int64_t run(const Grid &grid, int64_t channel) {
    Tile tile;
    tile.inputs[0] = grid.input;
    tile.outputs[0] = grid.out;
    tile.channel = channel;
    int64_t tiles = (grid.channels - channel + lanes - 1) / tileLanes;
    if constexpr (isStreamed) {
      const CacheBytes caches = getCacheBytes();
      int64_t bytes = getPanelCount(grid.channels) * grid.panelBytes;
      if (bytes > caches.level1) {
        bytes > caches.level2 ? streamWeights<2048>(grid, tile, tiles)
                              : streamWeights<0>(grid, tile, tiles);
        return tile.channel;
      }
    }
    for (; tiles > 0; --tiles) {
      typename Sums::Sums sums;
      Sums::prepare(grid, tile);
      Sums::compute(grid, tile, sums);
      finish(grid, tile, sums);
      tile.channel += tileLanes;
    }
    return tile.channel;
  }

private:
  static HWY_INLINE void finish(const Grid &grid, const Tile &tile,
                                const typename Sums::Sums &sums) {
    if constexpr (A::isSa8)
      Outputs::finishOnce(grid, tile, sums);
    else
      Outputs::finish(grid, tile, sums);
  }

  /// Whether loading weights from farther than the first level of cache takes
  /// longer than multiplying them, and tiles have several panels of them.
  static constexpr bool isStreamed =
      A::isSa8 && isFused<typename A::Dot> && panelChannels < tileLanes;

  /// Walks tiles whose weights are not in the first level of cache. They are
  /// read as one stream, with nothing else in between: the prefetcher of Zen 5
  /// loses several streams of few lines each, and weights take twice as long
  /// then. Weights are prefetched `Ahead` bytes before they are multiplied,
  /// unless that is 0: from the third level they take a sixth less time then,
  /// from the second one a little more. The processor finishes tiles while it
  /// waits for the weights of the next ones, if these are not too far behind.
  template <int64_t Ahead>
  static HWY_INLINE void streamWeights(const Grid &grid, Tile &tile,
                                       int64_t tiles) {
    constexpr int64_t tilesAtOnce = 128 / tileLanes;
    HWY_ALIGN int32_t memory[tilesAtOnce * tileLanes];
    while (tiles > 0) {
      int64_t count = HWY_MIN(tiles, tilesAtOnce);
      addProducts<Ahead>(grid, tile, count, memory);
      finishTiles(grid, tile, count, memory);
      tiles -= count;
    }
  }

  template <int64_t Ahead>
  static HWY_INLINE void addProducts(const Grid &grid, Tile &tile,
                                     int64_t count, int32_t *to) {
    static_assert(!hasSignedInputs<typename A::Dot> && !A::isSplit &&
                      A::flushAfter == 0,
                  "sums begin at 0 and are stored as they are");
    constexpr int panelVectors = HWY_MAX(panelChannels / lanes, 1);
    const D d;
    const int64_t channel = tile.channel;
    for (int64_t i = count * vectors / panelVectors; i > 0; --i) {
      hn::Vec<D> sums[1][panelVectors];
      each<panelVectors>([&](auto vector)
                             HWY_ATTR { sums[0][vector] = hn::Zero(d); });
      PixelSums<A, D, panelVectors, Ahead>::add(grid, tile, sums);
      each<panelVectors>([&](auto vector) HWY_ATTR {
        hn::Store(sums[0][vector], d, to + vector * lanes);
      });
      to += panelVectors * lanes;
      tile.channel += panelVectors * lanes;
    }
    tile.channel = channel;
  }

  static HWY_INLINE void finishTiles(const Grid &grid, Tile &tile,
                                     int64_t count, const int32_t *from) {
    const D d;
    for (; count > 0; --count) {
      typename Sums::Sums sums;
      each<vectors>([&](auto vector) HWY_ATTR {
        sums[0][vector] =
            hn::Add(hn::Load(d, from + vector * lanes),
                    A::start(d, TileChannels<A, D, vectors>::getChannels(
                                    grid, tile, vector)));
      });
      finish(grid, tile, sums);
      from += tileLanes;
      tile.channel += tileLanes;
    }
  }
};

/// Tiles of so many vectors of channels.
template <class A, class D, int Vectors>
struct Tiles {
  template <int Pixels>
  using Kernel = TileKernel<A, D, Vectors, Pixels>;
};

template <class A, class D>
struct PairedTiles {
  template <int Pixels>
  using Kernel = PairedTileKernel<A, D, Pixels>;
};

template <class Kind, int... Pixels>
constexpr auto tileFunctions(std::integer_sequence<int, Pixels...>) {
  using Function = decltype(&Kind::template Kernel<1>::run);
  return std::array<Function, sizeof...(Pixels)>{
      Kind::template Kernel<Pixels + 1>::run...};
}

/// Walks all pixels of the grid for the channels from `channel` on.
template <class Kind, int MaxPixels>
void runTiles(const Grid &grid, int64_t channel) {
  static constexpr auto functions =
      tileFunctions<Kind>(std::make_integer_sequence<int, MaxPixels>());
  typename Kind::template Kernel<1>::Tile tile;
  tile.channel = channel;
  Kind::template Kernel<1>::prepare(grid, tile);
  int64_t row = 0;
  int64_t column = 0;
  const char *input = grid.input;
  char *out = grid.out;
  for (int64_t left = grid.rows * grid.columns; left > 0;) {
    // The last two tiles share what is left: none is small.
    int64_t count = left >= 2 * MaxPixels || left == MaxPixels ? MaxPixels
                    : left > MaxPixels                         ? (left + 1) / 2
                                                               : left;
    if (grid.rows == 1 || column + count < grid.columns) {
      // In one row, which is most often so.
      for (int64_t i = 0; i < count; ++i) {
        tile.inputs[i] = input + i * grid.columnStep;
        tile.outputs[i] = out + i * grid.outColumn;
      }
      input += count * grid.columnStep;
      out += count * grid.outColumn;
      column += count;
    } else {
      for (int64_t i = 0; i < count; ++i) {
        tile.inputs[i] = input;
        tile.outputs[i] = out;
        input += grid.columnStep;
        out += grid.outColumn;
        if (++column == grid.columns) {
          column = 0;
          ++row;
          input = grid.input + row * grid.rowStep;
          out = grid.out + row * grid.outRow;
        }
      }
    }
    functions[count - 1](grid, tile);
    left -= count;
  }
}

template <class A, class D, int Vectors, int MaxPixels>
void runChannels(const Grid &grid, int64_t channel) {
  runTiles<Tiles<A, D, Vectors>, MaxPixels>(grid, channel);
}

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILEKERNEL_INL_H
