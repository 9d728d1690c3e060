// SPDX-License-Identifier: Apache-2.0
//
// The sums of a tile, of the products of groups of inputs with weights.
// Included once per target.

#if defined(MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILESUMS_INL_H) ==                \
    defined(HWY_TARGET_TOGGLE)
#ifdef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILESUMS_INL_H
#undef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILESUMS_INL_H
#else
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILESUMS_INL_H
#endif

#include "Tile-inl.h"

#include "hwy/cache_control.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// The sums of one pixel times `Vectors` vectors of channels: so many groups at
/// once that no sum waits for another one. Weights are prefetched `Ahead` bytes
/// before they are multiplied, unless that is 0.
template <class A, class D, int Vectors, int64_t Ahead = 0>
class PixelSums {
  using Place = TileChannels<A, D, Vectors>;

public:
  template <class Sums>
  static HWY_INLINE void add(const Grid &grid, const Tile &tile, Sums &sums) {
    // All sums stay in registers, and products that are not added yet.
    constexpr int maxSums =
        (registerCount == 32 || isFused<typename A::Dot> ? 8 : 4) /
        A::registersPerSum;
    constexpr int parts = HWY_MIN(8, maxSums / Vectors);
    const D d;
    typename A::template Split<D> more[parts][Vectors];
    each<Vectors>([&](auto vector) HWY_ATTR {
      more[0][vector] = A::split(d, sums[0][vector]);
      each<parts - 1>([&](auto part) HWY_ATTR {
        more[part + 1][vector] = A::split(d, hn::Zero(d));
      });
    });
    const int8_t *weights = Place::getWeights(grid, tile);
    auto add = [&](auto i, const char *input) MLI_SIMD_INLINED {
      auto group = broadcastInput(d, input + 4 * i);
      if constexpr (Ahead != 0)
        hwy::Prefetch(weights + Ahead + i * Place::groupBytes);
      each<Vectors>([&](auto vector) HWY_ATTR {
        A::add(d, more[i % parts][vector], group,
               A::Dot::weights(d, weights + Place::weightOffset(grid, vector) +
                                      i * Place::groupBytes));
      });
    };
    // One group alone is a loop too short to be fetched fast wherever it lies.
    constexpr int step = HWY_MAX(parts, 4);
    for (int64_t s = 0; s < grid.segmentCount; ++s) {
      const char *input = tile.inputs[0] + grid.segments[s];
      int64_t group = 0;
      for (; group + step <= grid.groups; group += step) {
        each<step>([&](auto i) HWY_ATTR { add(i, input + 4 * group); });
        weights += step * Place::groupBytes;
      }
      for (; group < grid.groups; ++group) {
        add(std::integral_constant<int, 0>(), input + 4 * group);
        weights += Place::groupBytes;
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
};

/// The sums of `Pixels` pixels times a vector of channels, of two groups at
/// once: an input of 64 bits is loaded for two products. So a channel has two
/// neighbouring lanes, the even channels in one vector, the odd ones in
/// another.
template <class A, class D, int Pixels>
class PairedSums {
  using Place = TileChannels<A, D, 1>;
  using V = hn::Vec<D>;

public:
  static HWY_INLINE void compute(const Grid &grid, const Tile &tile,
                                 V (&sums)[Pixels][1]) {
    static_assert(!hasSignedInputs<typename A::Dot> && !A::isSplit &&
                      A::flushAfter == 0,
                  "products are fused, and inputs unsigned");
    const D d;
    auto start = A::start(d, Place::getChannels(grid, tile, 0));
    V paired[Pixels][2];
    each<Pixels>([&](auto pixel) HWY_ATTR {
      paired[pixel][0] = hn::OddEven(hn::Zero(d), start);
      paired[pixel][1] = hn::OddEven(start, hn::Zero(d));
    });
    const int8_t *weights = Place::getWeights(grid, tile);
    for (int64_t s = 0; s < grid.segmentCount; ++s) {
      const char *inputs[Pixels];
      each<Pixels>([&](auto pixel) HWY_ATTR {
        inputs[pixel] = tile.inputs[pixel] + grid.segments[s] + 4 * grid.groups;
      });
      ptrdiff_t at = -4 * grid.groups;
      for (; at < -4; at += 8) {
        addTwo<int64_t>(inputs, at, loadWeights(weights),
                        loadWeights(weights + Place::groupBytes), paired);
        weights += 2 * Place::groupBytes;
      }
      if (at != 0) {
        addTwo<int32_t>(inputs, at, loadWeights(weights), hn::Zero(d), paired);
        weights += Place::groupBytes;
      }
    }
    each<Pixels>([&](auto pixel) HWY_ATTR {
      auto even = paired[pixel][0];
      auto odd = paired[pixel][1];
      sums[pixel][0] = hn::Add(hn::OddEven(odd, even),
                               hn::Shuffle2301(hn::OddEven(even, odd)));
    });
  }

private:
  static HWY_INLINE V loadWeights(const int8_t *from) {
    return hn::BitCast(D(), A::Dot::weights(D(), from));
  }

  /// The products with two groups of weights, of inputs in lanes of `Lane`.
  template <typename Lane>
  static HWY_INLINE void addTwo(const char *const (&inputs)[Pixels],
                                ptrdiff_t at, V first, V second,
                                V (&paired)[Pixels][2]) {
    const D d;
    using W = hn::DFromV<decltype(A::Dot::weights(d, nullptr))>;
    auto even = hn::BitCast(W(), hn::OddEven(hn::DupEven(second), first));
    auto odd = hn::BitCast(W(), hn::OddEven(second, hn::DupOdd(first)));
    each<Pixels>([&](auto pixel) HWY_ATTR {
      auto input = hn::BitCast(
          d, broadcast(hn::Repartition<Lane, D>(), inputs[pixel] + at));
      A::add(d, paired[pixel][0], input, even);
      A::add(d, paired[pixel][1], input, odd);
    });
  }
};

/// The sums of a tile of `Pixels` pixels times `Vectors` vectors of channels.
template <class A, class D, int Vectors, int Pixels>
class TileSums {
  using Place = TileChannels<A, D, Vectors>;
  static constexpr int64_t lanes = Place::lanes;

public:
  using Sums = typename A::template Sum<D>[Pixels][Vectors];

  /// Sets what the sums of all tiles of these channels start from.
  static HWY_INLINE void prepare(const Grid &grid, Tile &tile) {
    if constexpr (hasSignedInputs<typename A::Dot>)
      setStarts(grid, tile);
  }

  static HWY_INLINE void compute(const Grid &grid, const Tile &tile,
                                 Sums &sums) {
    each<Pixels>([&](auto pixel) HWY_ATTR {
      each<Vectors>([&](auto vector) HWY_ATTR {
        sums[pixel][vector] = getStart(grid, tile, vector);
      });
    });
    if constexpr (A::flushAfter == 0 && Pixels == 1)
      PixelSums<A, D, Vectors>::add(grid, tile, sums);
    else
      addAll(grid, tile, sums);
  }

private:
  /// Blocks are those of inputs that are 128 higher, on every target, as packed
  /// layers have them. So sums of signed inputs start 128 sums of weights
  /// higher, which are added up once for all pixels.
  static HWY_INLINE void setStarts(const Grid &grid, Tile &tile) {
    const D d;
    hn::Vec<D> weightSums[Vectors];
    each<Vectors>([&](auto vector)
                      HWY_ATTR { weightSums[vector] = hn::Zero(d); });
    const int8_t *weights = Place::getWeights(grid, tile);
    for (int64_t i = grid.segmentCount * grid.groups; i > 0; --i) {
      each<Vectors>([&](auto vector) HWY_ATTR {
        weightSums[vector] = A::Dot::add(
            d, weightSums[vector], hn::Set(d, 0x01010101),
            A::Dot::weights(d, weights + Place::weightOffset(grid, vector)));
      });
      weights += Place::groupBytes;
    }
    each<Vectors>([&](auto vector) HWY_ATTR {
      auto start = A::start(d, Place::getChannels(grid, tile, vector));
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
      return A::start(d, Place::getChannels(grid, tile, vector));
  }

  /// The products of a group of inputs, `at` bytes from where `inputs` point.
  template <class AnySums>
  static HWY_INLINE void
  addGroup(const Grid &grid, const char *const (&inputs)[Pixels], ptrdiff_t at,
           const int8_t *weights, AnySums &sums) {
    const D d;
    decltype(A::Dot::weights(d, weights)) loaded[Vectors];
    each<Vectors>([&](auto vector) HWY_ATTR {
      loaded[vector] =
          A::Dot::weights(d, weights + Place::weightOffset(grid, vector));
    });
    each<Pixels>([&](auto pixel) HWY_ATTR {
      auto input = broadcastInput(d, inputs[pixel] + at);
      each<Vectors>([&](auto vector) HWY_ATTR {
        A::add(d, sums[pixel][vector], input, loaded[vector]);
      });
    });
  }

  /// The products of four groups, whose inputs are loaded at once.
  template <class AnySums>
  static HWY_INLINE void
  addFourGroups(const Grid &grid, const char *const (&inputs)[Pixels],
                ptrdiff_t at, const int8_t *weights, AnySums &sums) {
    const D d;
    hn::Vec<D> loaded[Pixels];
    each<Pixels>([&](auto pixel) HWY_ATTR {
      loaded[pixel] = A::Dot::weights(
          d, reinterpret_cast<const int8_t *>(inputs[pixel] + at));
    });
    each<4>([&](auto group) HWY_ATTR {
      each<Vectors>([&](auto vector) HWY_ATTR {
        auto quads =
            A::Dot::weights(d, weights + Place::weightOffset(grid, vector) +
                                   group * Place::groupBytes);
        each<Pixels>([&](auto pixel) HWY_ATTR {
          sums[pixel][vector] = A::Dot::template addLane<group>(
              sums[pixel][vector], loaded[pixel], quads);
        });
      });
    });
  }

  static HWY_INLINE void addAll(const Grid &grid, const Tile &tile,
                                Sums &sums) {
    const D d;
    typename A::template Split<D> parts[Pixels][Vectors];
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

  template <class AnySums>
  static HWY_INLINE void addProducts(const Grid &grid, const Tile &tile,
                                     AnySums &sums) {
    const D d;
    const int8_t *weights = Place::getWeights(grid, tile);
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
            weights += 4 * Place::groupBytes;
          }
        for (; at != end; at += 4) {
          addGroup(grid, inputs, at, weights, sums);
          weights += Place::groupBytes;
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
};

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_TILESUMS_INL_H
