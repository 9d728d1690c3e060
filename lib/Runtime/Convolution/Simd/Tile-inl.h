// SPDX-License-Identifier: Apache-2.0
//
// Tiles of output pixels times output channels, whose sums stay in registers,
// and the walk of a grid by tiles. Included once per target.
//
// An arithmetic has a Dot; a Sum<D>, the accumulator of one vector; a Split<D>
// of it, what tiles add to, with split and join; start and add; finish, which
// quantises two sums at once; and flush, which sums need before more than
// `flushAfter` groups, if that is not 0. With `isSa8` sums are vectors of
// 32-bit lanes that K11 quantises.

#if defined(MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILE_INL_H) ==                    \
    defined(HWY_TARGET_TOGGLE)
#ifdef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILE_INL_H
#undef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILE_INL_H
#else
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILE_INL_H
#endif

#include "Matrix.h"
#include "Runtime/Simd/Dot-inl.h"
#include "Runtime/Simd/Requantize-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// For lambdas that see arrays of vectors: one that is not inlined keeps them
/// in memory.
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

template <class A, class D, int Pixels>
class MixedTileKernel;

/// One tile: `Pixels` pixels times `Vectors` vectors of channels. A tile that
/// `isAlone`, of one pixel, has no others to prepare parameters for.
template <class A, class D, int Vectors, int Pixels, bool isAlone = false>
class TileKernel {
  friend class MixedTileKernel<A, hn::ScalableTag<int32_t>, Pixels>;

public:
  using Tile = simd::HWY_NAMESPACE::Tile;

  /// Sets what all tiles of these channels share.
  static HWY_INLINE void prepare(const Grid &grid, Tile &tile) {
    tile.isDense = grid.outColumn == lanes * Vectors &&
                   grid.outRow == grid.columns * grid.outColumn;
    if constexpr (hasSignedInputs<typename A::Dot>)
      setStarts(grid, tile);
    if constexpr (A::isSa8 && !isAlone) {
      tile.areHigh = true;
      each<Vectors>([&](auto vector) MLI_SIMD_INLINED {
        Channels channels = getChannels(grid, tile, vector);
        tile.areHigh =
            tile.areHigh && hasHighShifts(D(), channels.block, channels.lane);
      });
      each<pairs>([&](auto pair) MLI_SIMD_INLINED {
        Channels a = getChannels(grid, tile, 2 * pair);
        Channels b =
            getChannels(grid, tile, HWY_MIN(2 * pair + 1, Vectors - 1));
        HighRequantizer<D> requantizer;
        requantizer.set(a.block, a.lane, b.block, b.lane);
        requantizer.store(tile.multipliers + pair * 2 * lanes,
                          tile.powers + pair * 2 * lanes);
      });
    }
  }

  static HWY_NOINLINE void run(const Grid &grid, const Tile &tile) {
    compute(grid, tile);
  }

  /// Walks the channels of one pixel from `channel` on, as long as a tile has a
  /// channel for each of its vectors. Returns the first channel that is left.
  static HWY_NOINLINE int64_t runAlone(const Grid &grid, int64_t channel) {
    static_assert(isAlone);
    Tile tile;
    tile.inputs[0] = grid.input;
    tile.outputs[0] = grid.out;
    for (; grid.channels - channel > (Vectors - 1) * lanes;
         channel += Vectors * lanes) {
      tile.channel = channel;
      prepare(grid, tile);
      compute(grid, tile);
    }
    return channel;
  }

private:
  static HWY_INLINE void compute(const Grid &grid, const Tile &tile) {
    typename A::template Sum<D> sums[Pixels][Vectors];
    each<Pixels>([&](auto pixel) HWY_ATTR {
      each<Vectors>([&](auto vector) HWY_ATTR {
        sums[pixel][vector] = getStart(grid, tile, vector);
      });
    });
    if constexpr (A::flushAfter == 0 && Pixels == 1)
      addInParts(grid, tile, sums);
    else
      addAll(grid, tile, sums);
    finish(grid, tile, sums);
  }

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

  /// Blocks are those of inputs that are 128 higher, on every target, as packed
  /// layers have them. So sums of signed inputs start 128 sums of weights
  /// higher, which are added up once for all pixels.
  static HWY_INLINE void setStarts(const Grid &grid, Tile &tile) {
    const D d;
    hn::Vec<D> weightSums[Vectors];
    each<Vectors>([&](auto vector)
                      HWY_ATTR { weightSums[vector] = hn::Zero(d); });
    const int8_t *weights = getWeights(grid, tile);
    for (int64_t i = grid.segmentCount * grid.groups; i > 0; --i) {
      each<Vectors>([&](auto vector) HWY_ATTR {
        weightSums[vector] = A::Dot::add(
            d, weightSums[vector], hn::Set(d, 0x01010101),
            A::Dot::weights(d, weights + weightOffset(grid, vector)));
      });
      weights += groupBytes;
    }
    each<Vectors>([&](auto vector) HWY_ATTR {
      auto start = A::start(d, getChannels(grid, tile, vector));
      hn::Store(hn::Add(start, hn::ShiftLeft<7>(weightSums[vector])), d,
                tile.starts + vector * lanes);
    });
  }

  static HWY_INLINE auto getStart(const Grid &grid, const Tile &tile,
                                  int64_t vector) {
    const D d;
    if constexpr (hasSignedInputs<typename A::Dot>)
      return hn::Load(d, tile.starts + vector * lanes);
    else
      return A::start(d, getChannels(grid, tile, vector));
  }

  /// One pixel: so many groups at once that no sum waits for another one.
  template <class Sums>
  static HWY_INLINE void addInParts(const Grid &grid, const Tile &tile,
                                    Sums &sums) {
    // All sums stay in registers.
    constexpr int most = (registerCount == 32 ? 8 : 4) / A::registersPerSum;
    constexpr int parts = HWY_MIN(8, most / Vectors);
    const D d;
    typename A::template Split<D> more[parts][Vectors];
    each<Vectors>([&](auto vector) HWY_ATTR {
      more[0][vector] = A::split(d, sums[0][vector]);
      each<parts - 1>([&](auto part) HWY_ATTR {
        more[part + 1][vector] = A::split(d, hn::Zero(d));
      });
    });
    const int8_t *weights = getWeights(grid, tile);
    auto add = [&](auto i, const char *input) MLI_SIMD_INLINED {
      auto group = getInput(input + 4 * i);
      each<Vectors>([&](auto vector) HWY_ATTR {
        A::add(d, more[i % parts][vector], group,
               A::Dot::weights(d, weights + weightOffset(grid, vector) +
                                      i * groupBytes));
      });
    };
    // One group alone is a loop too short to be fetched fast wherever it lies.
    constexpr int step = HWY_MAX(parts, 4);
    for (int64_t s = 0; s < grid.segmentCount; ++s) {
      const char *input = tile.inputs[0] + grid.segments[s];
      int64_t group = 0;
      for (; group + step <= grid.groups; group += step) {
        each<step>([&](auto i) HWY_ATTR { add(i, input + 4 * group); });
        weights += step * groupBytes;
      }
      for (; group < grid.groups; ++group) {
        add(std::integral_constant<int, 0>(), input + 4 * group);
        weights += groupBytes;
      }
    }
    each<Vectors>([&](auto vector) HWY_ATTR {
      sums[0][vector] = A::join(d, more[0][vector]);
      each<parts - 1>([&](auto part) HWY_ATTR {
        sums[0][vector] =
            hn::Add(sums[0][vector], A::join(d, more[part + 1][vector]));
      });
    });
  }

  /// A group of inputs in all lanes.
  static HWY_INLINE hn::Vec<D> getInput(const char *from) {
    auto input = broadcast(D(), from);
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

  /// The products of a group of inputs, `at` bytes from where `inputs` point.
  template <class Sums>
  static HWY_INLINE void
  addGroup(const Grid &grid, const char *const (&inputs)[Pixels], ptrdiff_t at,
           const int8_t *weights, Sums &sums) {
    const D d;
    decltype(A::Dot::weights(d, weights)) loaded[Vectors];
    each<Vectors>([&](auto vector) HWY_ATTR {
      loaded[vector] = A::Dot::weights(d, weights + weightOffset(grid, vector));
    });
    each<Pixels>([&](auto pixel) HWY_ATTR {
      auto input = getInput(inputs[pixel] + at);
      each<Vectors>([&](auto vector) HWY_ATTR {
        A::add(d, sums[pixel][vector], input, loaded[vector]);
      });
    });
  }

  /// The products of four groups, whose inputs are loaded at once.
  template <class Sums>
  static HWY_INLINE void
  addFourGroups(const Grid &grid, const char *const (&inputs)[Pixels],
                ptrdiff_t at, const int8_t *weights, Sums &sums) {
    const D d;
    hn::Vec<D> loaded[Pixels];
    each<Pixels>([&](auto pixel) HWY_ATTR {
      loaded[pixel] = A::Dot::weights(
          d, reinterpret_cast<const int8_t *>(inputs[pixel] + at));
    });
    each<4>([&](auto group) HWY_ATTR {
      each<Vectors>([&](auto vector) HWY_ATTR {
        auto quads = A::Dot::weights(d, weights + weightOffset(grid, vector) +
                                            group * groupBytes);
        each<Pixels>([&](auto pixel) HWY_ATTR {
          sums[pixel][vector] = A::Dot::template addLane<group>(
              sums[pixel][vector], loaded[pixel], quads);
        });
      });
    });
  }

  template <class Sums>
  static HWY_INLINE void addAll(const Grid &grid, const Tile &tile,
                                Sums &sums) {
    using Split = typename A::template Split<D>;
    if constexpr (std::is_same_v<Split, typename A::template Sum<D>>) {
      addProducts(grid, tile, sums);
    } else {
      const D d;
      Split parts[Pixels][Vectors];
      each<Pixels>([&](auto pixel) HWY_ATTR {
        each<Vectors>([&](auto vector) HWY_ATTR {
          parts[pixel][vector] = A::split(d, sums[pixel][vector]);
        });
      });
      addProducts(grid, tile, parts);
      each<Pixels>([&](auto pixel) HWY_ATTR {
        each<Vectors>([&](auto vector) HWY_ATTR {
          sums[pixel][vector] = A::join(d, parts[pixel][vector]);
        });
      });
    }
  }

  template <class Sums>
  static HWY_INLINE void addProducts(const Grid &grid, const Tile &tile,
                                     Sums &sums) {
    const D d;
    const int8_t *weights = getWeights(grid, tile);
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
        if constexpr (A::Dot::takesLanes)
          for (; end - at >= 16; at += 16) {
            addFourGroups(grid, inputs, at, weights, sums);
            weights += 4 * groupBytes;
          }
        for (; at != end; at += 4) {
          addGroup(grid, inputs, at, weights, sums);
          weights += groupBytes;
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
  }

  static constexpr int64_t lanes = hn::MaxLanes(D());
  static constexpr int pairs = (Vectors + 1) / 2;
  static constexpr int64_t laneBytes =
      A::Dot::group * sizeof(typename A::Weight);
  static constexpr int64_t groupBytes = panelChannels * laneBytes;

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

  /// Finishes four vectors of sums of one pixel, with the parameters of blocks.
  template <class Sums>
  static HWY_INLINE void finishAlone(const Grid &grid, const Tile &tile,
                                     const Sums &sums) {
    static_assert(Pixels == 1 && Vectors == 4);
    auto pair = [&](auto first) MLI_SIMD_INLINED {
      constexpr int at = decltype(first)::value;
      Channels a = getChannels(grid, tile, at);
      Channels b = getChannels(grid, tile, at + 1);
      return requantize(D(), sums[0][at], a.block, a.lane, sums[0][at + 1],
                        b.block, b.lane);
    };
    using std::integral_constant;
    storeHigh(grid, tile, integral_constant<int, 0>(),
              finishTwo(Codes16<D>(), pair(integral_constant<int, 0>()),
                        pair(integral_constant<int, 2>()), grid.format));
  }

  /// Finishes four vectors of sums at once, whose results fill a vector.
  template <class Sums>
  static HWY_INLINE void finishHigh(const Grid &grid, const Tile &tile,
                                    const Sums &sums) {
    constexpr int count = Pixels * Vectors;
    HighRequantizer<D> requantizers[pairs];
    each<pairs>([&](auto pair) HWY_ATTR {
      Channels a = getChannels(grid, tile, 2 * pair);
      Channels b = getChannels(grid, tile, HWY_MIN(2 * pair + 1, Vectors - 1));
      requantizers[pair].load(
          a.block.preShift + a.lane, b.block.preShift + b.lane,
          tile.multipliers + pair * 2 * lanes, tile.powers + pair * 2 * lanes);
    });
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
          grid.format);
      storeHigh(grid, tile, group, codes);
    });
  }

  /// Stores the results of up to four vectors of sums, of which each block of
  /// 128 bits has four.
  template <class Group, class V8>
  static HWY_INLINE void storeHigh(const Grid &grid, const Tile &tile,
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
    int64_t left = grid.channels - tile.channel;
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
  static HWY_INLINE void finish(const Grid &grid, const Tile &tile,
                                const Sums &sums) {
    if constexpr (A::isSa8 && isAlone) {
      finishAlone(grid, tile, sums);
    } else if constexpr (A::isSa8) {
      if (HWY_LIKELY(tile.areHigh)) {
        finishHigh(grid, tile, sums);
        return;
      }
      finishApart(grid, tile, sums);
    } else {
      finishAny(grid, tile, sums);
    }
  }

  /// From a copy of the sums: the rare case must not keep them in memory.
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
      Channels channels = getChannels(grid, tile, 0);
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
              A::finish(d, sums[pixel][vector], getChannels(grid, tile, vector),
                        sums[pixel][vector + 1],
                        getChannels(grid, tile, vector + 1), grid.format);
          storeCodes(both, codes, target(pixel, tile.channel + vector * lanes),
                     left - vector * lanes);
        });
      });
    }
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

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILE_INL_H
