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

/// Tiles of one pixel, which have no others to prepare parameters for.
template <class A>
class PixelKernel {
  using D = hn::ScalableTag<int32_t>;
  static constexpr int vectors = 4;
  static constexpr int64_t lanes = hn::MaxLanes(D());
  using Sums = TileSums<A, D, vectors, 1>;
  using Outputs = TileOutputs<A, D, vectors, 1>;

public:
  /// Walks the channels of the pixel from `channel` on, as long as a tile has a
  /// channel for each of its vectors. Returns the first channel that is left.
  static HWY_NOINLINE int64_t run(const Grid &grid, int64_t channel) {
    Tile tile;
    tile.inputs[0] = grid.input;
    tile.outputs[0] = grid.out;
    for (; grid.channels - channel > (vectors - 1) * lanes;
         channel += vectors * lanes) {
      tile.channel = channel;
      compute(grid, tile);
    }
    return channel;
  }

private:
  static HWY_INLINE void compute(const Grid &grid, Tile &tile) {
    typename Sums::Sums sums;
    Sums::prepare(grid, tile);
    Sums::compute(grid, tile, sums);
    if constexpr (A::isSa8)
      Outputs::finishOnce(grid, tile, sums);
    else
      Outputs::finish(grid, tile, sums);
  }
};

/// Tiles of so many vectors of channels.
template <class A, class D, int Vectors>
struct Tiles {
  template <int Pixels>
  using Kernel = TileKernel<A, D, Vectors, Pixels>;
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
