// SPDX-License-Identifier: Apache-2.0
//
// Quantises the sums of a tile and stores them. Included once per target.

#if defined(MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILEOUTPUTS_INL_H) ==             \
    defined(HWY_TARGET_TOGGLE)
#ifdef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILEOUTPUTS_INL_H
#undef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILEOUTPUTS_INL_H
#else
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILEOUTPUTS_INL_H
#endif

#include "Tile-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// The outputs of a tile of `Pixels` pixels times `Vectors` vectors of
/// channels.
template <class A, class D, int Vectors, int Pixels>
class TileOutputs {
  using Place = TileChannels<A, D, Vectors>;
  static constexpr int64_t lanes = Place::lanes;
  static constexpr int pairs = (Vectors + 1) / 2;

public:
  /// Sets what all tiles of these channels share.
  static HWY_INLINE void prepare(const Grid &grid, Tile &tile) {
    tile.isDense = grid.outColumn == lanes * Vectors &&
                   grid.outRow == grid.columns * grid.outColumn;
    if constexpr (A::isSa8) {
      const D d;
      VectorScales<D> scales[Vectors];
      tile.areHigh = true;
      each<Vectors>([&](auto vector) MLI_SIMD_INLINED {
        scales[vector] = A::scales(d, Place::getChannels(grid, tile, vector));
        tile.areHigh = tile.areHigh && hasHighShifts(d, scales[vector]);
      });
      each<pairs>([&](auto pair) MLI_SIMD_INLINED {
        HighRequantizer<D> requantizer;
        requantizer.set(scales[2 * pair],
                        scales[HWY_MIN(2 * pair + 1, Vectors - 1)]);
        constexpr int64_t at = pair * 2 * lanes;
        requantizer.store(tile.preShifts + at, tile.multipliers + at,
                          tile.powers + at);
      });
    }
  }

  /// Finishes four vectors of sums of one pixel, with the parameters of blocks.
  /// Nothing has to be prepared.
  template <class Sums>
  static HWY_INLINE void finishOnce(const Grid &grid, const Tile &tile,
                                    const Sums &sums) {
    static_assert(Pixels == 1 && Vectors == 4);
    auto pair = [&](auto first) MLI_SIMD_INLINED {
      constexpr int at = decltype(first)::value;
      return requantize(D(), sums[0][at],
                        A::scales(D(), Place::getChannels(grid, tile, at)),
                        sums[0][at + 1],
                        A::scales(D(), Place::getChannels(grid, tile, at + 1)));
    };
    using std::integral_constant;
    storeHigh(tile, grid.channels - tile.channel, integral_constant<int, 0>(),
              finishTwo(Codes16<D>(), pair(integral_constant<int, 0>()),
                        pair(integral_constant<int, 2>()), grid.format));
  }

  template <class Sums>
  static HWY_INLINE void finish(const Grid &grid, const Tile &tile,
                                const Sums &sums) {
    if constexpr (A::isSa8) {
      if (HWY_LIKELY(tile.areHigh)) {
        finishHigh(grid, tile, sums);
        return;
      }
      finishApart(grid, tile, sums);
    } else {
      finishAny(grid, tile, sums);
    }
  }

private:
  /// Finishes four vectors of sums at once, whose results fill a vector.
  template <class Sums>
  static HWY_INLINE void finishHigh(const Grid &grid, const Tile &tile,
                                    const Sums &sums) {
    constexpr int count = Pixels * Vectors;
    HighRequantizer<D> requantizers[pairs];
    each<pairs>([&](auto pair) HWY_ATTR {
      constexpr int64_t at = pair * 2 * lanes;
      requantizers[pair].load(tile.preShifts + at, tile.multipliers + at,
                              tile.powers + at);
    });
    // Copies: results may be stored where these lie, for all that compilers
    // know.
    const OutputFormat format = grid.format;
    const int64_t left = grid.channels - tile.channel;
    each<(count + 3) / 4>([&](auto group) MLI_SIMD_INLINED {
      constexpr int first = 4 * decltype(group)::value;
      auto sum = [&](auto i) MLI_SIMD_INLINED {
        constexpr int at = HWY_MIN(first + decltype(i)::value, count - 1);
        return sums[at / Vectors][at % Vectors];
      };
      using std::integral_constant;
      auto codes = finishTwo(
          Codes16<D>(),
          requantizers[first / 2 % pairs](sum(integral_constant<int, 0>()),
                                          sum(integral_constant<int, 1>())),
          requantizers[(first / 2 + 1) % pairs](
              sum(integral_constant<int, 2>()),
              sum(integral_constant<int, 3>())),
          format);
      storeHigh(tile, left, group, codes);
    });
  }

  /// Stores the results of up to four vectors of sums, of which each block of
  /// 128 bits has four; `left` channels are left from the first one on.
  template <class Group, class V8>
  static HWY_INLINE void storeHigh(const Tile &tile, int64_t left,
                                   Group /*group*/, V8 codes) {
    constexpr int first = 4 * Group::value / Vectors;
    constexpr int pixels = HWY_MIN(4 / Vectors, Pixels - first);
    constexpr int64_t bytes = lanes * Vectors;
    const D d;
    const Codes8<D> d8;
    auto ordered = hn::BitCast(d8, inPixelOrder(hn::BitCast(d, codes)));
    auto target = [&](auto pixel) MLI_SIMD_INLINED {
      return reinterpret_cast<int8_t *>(tile.outputs[first + pixel]) +
             tile.channel;
    };
    if (Vectors == 1 && pixels == 4 && left >= bytes && tile.isDense) {
      hn::StoreU(ordered, d8, target(std::integral_constant<int, 0>()));
      return;
    }
    const hn::Simd<int8_t, bytes, 0> part;
    each<pixels>([&](auto pixel) MLI_SIMD_INLINED {
      storeCodes(part, getPart<4 / Vectors>(pixel, d8, ordered), target(pixel),
                 left);
    });
  }

  /// Stores blocks of 128 bits that have four values of each of four vectors.
  static HWY_INLINE hn::Vec<D> inPixelOrder(hn::Vec<D> codes) {
    const D d;
    HWY_ALIGN static constexpr int32_t four[16] = {0, 4, 8,  12, 1, 5, 9,  13,
                                                   2, 6, 10, 14, 3, 7, 11, 15};
    HWY_ALIGN static constexpr int32_t two[8] = {0, 4, 1, 5, 2, 6, 3, 7};
    if constexpr (lanes == 4)
      return codes;
    else
      return hn::TableLookupLanes(
          codes, hn::SetTableIndices(d, lanes == 16 ? four : two));
  }

  /// Slice `I` of `Count` of a vector, 1, 2 or 4.
  template <int Count, class I, class DV>
  static HWY_INLINE auto getPart(I /*index*/, DV /*d*/, hn::Vec<DV> vector) {
    if constexpr (Count == 1) {
      return vector;
    } else {
      const hn::Half<DV> half;
      constexpr int parts = Count / 2;
      using Rest = std::integral_constant<int, I::value % parts>;
      if constexpr (I::value < parts)
        return getPart<parts>(Rest(), half, hn::LowerHalf(half, vector));
      else
        return getPart<parts>(Rest(), half, hn::UpperHalf(half, vector));
    }
  }

  template <class Sums>
  static HWY_INLINE void finishApart(const Grid &grid, const Tile &tile,
                                     const Sums &sums) {
    Sums copies;
    each<Pixels>([&](auto pixel) MLI_SIMD_INLINED {
      each<Vectors>([&](auto vector) MLI_SIMD_INLINED {
        copies[pixel][vector] = sums[pixel][vector];
      });
    });
    finishCopies(grid, tile, copies);
  }
  template <class Sums>
  static HWY_NOINLINE void finishCopies(const Grid &grid, const Tile &tile,
                                        const Sums &sums) {
    finishAny(grid, tile, sums);
  }

  template <class Sums>
  static HWY_INLINE void finishAny(const Grid &grid, const Tile &tile,
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
      auto scales = A::scales(d, Place::getChannels(grid, tile, 0));
      each<(Pixels + 1) / 2>([&](auto pair) HWY_ATTR {
        constexpr int first = 2 * decltype(pair)::value;
        constexpr int second = first + 1 < Pixels ? first + 1 : first;
        auto codes = A::finish(d, sums[first][0], scales, sums[second][0],
                               scales, grid.format);
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
          auto getScales = [&](int64_t at) HWY_ATTR {
            return A::scales(d, Place::getChannels(grid, tile, at));
          };
          auto codes = A::finish(d, sums[pixel][vector], getScales(vector),
                                 sums[pixel][vector + 1], getScales(vector + 1),
                                 grid.format);
          storeCodes(both, codes, target(pixel, tile.channel + vector * lanes),
                     left - vector * lanes);
        });
      });
    }
  }
};

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILEOUTPUTS_INL_H
