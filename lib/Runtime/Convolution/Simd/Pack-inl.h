// SPDX-License-Identifier: Apache-2.0
//
// Packing of weight rows into panels. Included once per target.

#if defined(MLI_LIB_RUNTIME_CONVOLUTION_SIMD_PACK_INL_H) ==                    \
    defined(HWY_TARGET_TOGGLE)
#ifdef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_PACK_INL_H
#undef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_PACK_INL_H
#else
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_PACK_INL_H
#endif

#include "Interleave-inl.h"
#include "Matrix.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// Calls `visit(rows)` for each group of rows of a segment; rows beyond the
/// last are `zeros`.
template <int Group, typename Weight, class Visit>
HWY_INLINE void forEachGroup(const WeightRows &rows, const Weight *zeros,
                             Visit visit) {
  const Weight *group[Group];
  const auto *tap = static_cast<const Weight *>(rows.base);
  const Weight *next = tap;
  int64_t leftOfTap = rows.depth;
  auto advance = [&](int64_t count) {
    next += count * rows.rowStride;
    leftOfTap -= count;
    if (leftOfTap == 0) {
      tap += rows.tapStride;
      next = tap;
      leftOfTap = rows.depth;
    }
  };
  for (int64_t left = rows.count(); left > 0; left -= Group) {
    if (HWY_LIKELY(leftOfTap >= Group)) {
      for (int i = 0; i < Group; ++i)
        group[i] = next + i * rows.rowStride;
      advance(Group);
    } else {
      for (int i = 0; i < Group; ++i) {
        group[i] = i < left ? next : zeros;
        if (i < left)
          advance(1);
      }
    }
    visit(group);
  }
}

/// Computes no sums, for kernels that need none.
struct NoSums {
  template <int Vectors, class D>
  struct Of {
    explicit Of(int32_t * /*sums*/) {}
    template <class V>
    HWY_INLINE void add(int /*index*/, V /*packed*/) {}
    HWY_INLINE void store() {}
  };
};

/// The sums of the weights of each channel, of quads.
template <class Dot>
struct QuadSums {
  template <int Vectors, class D>
  class Of {
    using D32 = hn::Repartition<int32_t, D>;

  public:
    explicit HWY_INLINE Of(int32_t *sums) : sums(sums) {
      each<Vectors>([&](auto i) HWY_ATTR {
        totals[i] = hn::LoadU(D32(), sums + i * lanes);
      });
    }
    template <class V>
    HWY_INLINE void add(int index, V packed) {
      totals[index] = Dot::add(D32(), totals[index], hn::Set(D32(), 0x01010101),
                               hn::BitCast(D32(), packed));
    }
    HWY_INLINE void store() {
      each<Vectors>([&](auto i) HWY_ATTR {
        hn::StoreU(totals[i], D32(), sums + i * lanes);
      });
    }

  private:
    static constexpr int lanes = hn::MaxLanes(D32());
    int32_t *sums;
    hn::Vec<D32> totals[Vectors];
  };
};

/// Where packed vectors of a group lie: one after another in each panel.
template <int64_t VectorBytes, int64_t ChunkBytes>
struct PanelChunks {
  int8_t *panels;
  ptrdiff_t panelStep;

  template <class D>
  HWY_INLINE void store(D d, int64_t index, hn::Vec<D> v) const {
    using T = hn::TFromD<D>;
    auto at = [&](int64_t byte) {
      return reinterpret_cast<T *>(panels + byte / ChunkBytes * panelStep +
                                   byte % ChunkBytes);
    };
    if constexpr (VectorBytes > ChunkBytes) {
      const hn::Half<D> half;
      hn::StoreU(hn::LowerHalf(half, v), half, at(index * VectorBytes));
      hn::StoreU(hn::UpperHalf(half, v), half,
                 at(index * VectorBytes + ChunkBytes));
    } else {
      hn::StoreU(v, d, at(index * VectorBytes));
    }
  }
};

/// Packs groups of `Panels` whole panels, one after another.
template <class P, class Sums, int Panels>
class GroupPacker {
public:
  using Weight = typename P::Weight;

  HWY_INLINE GroupPacker(int8_t *panels, ptrdiff_t panelStep, int32_t *sums)
      : chunks({panels, panelStep}), totals(sums) {}

  HWY_INLINE void operator()(const Weight *const *rows) {
    each<Panels * panelChannels / lanes>([&](auto i) HWY_ATTR {
      P::pack(d, rows, i * lanes, [&](auto k, auto v) HWY_ATTR {
        int index = i * (P::group * P::widening) + k;
        chunks.store(Packed(), index, v);
        totals.add(index, v);
      });
    });
    chunks.panels += chunkBytes;
  }
  HWY_INLINE void storeSums() { totals.store(); }

private:
  using D = hn::CappedTag<Weight, Panels * panelChannels>;
  using Packed =
      std::conditional_t<P::widening == 2, hn::Repartition<int16_t, D>, D>;
  static constexpr D d = {};
  static constexpr int lanes = hn::MaxLanes(D());
  static constexpr int64_t vectorBytes = lanes * sizeof(Weight);
  static constexpr int64_t chunkBytes =
      P::group * P::widening * sizeof(Weight) * panelChannels;

  PanelChunks<vectorBytes, chunkBytes> chunks;
  typename Sums::template Of<Panels * chunkBytes / vectorBytes, D> totals;
};

/// Packs `Panels` whole panels of channels from `channel` on.
template <class P, class Sums, int Panels>
HWY_NOINLINE void packWhole(const WeightRows &rows, int64_t channel,
                            int8_t *panels, ptrdiff_t panelStep,
                            int32_t *sums) {
  using Weight = typename P::Weight;
  static constexpr Weight zeros[Panels * panelChannels] = {};
  GroupPacker<P, Sums, Panels> packer(panels, panelStep, sums);
  WeightRows shifted = rows;
  shifted.base = static_cast<const Weight *>(rows.base) + channel;
  forEachGroup<P::group>(shifted, zeros,
                         [&](const Weight *const *group)
                             HWY_ATTR { packer(group); });
  packer.storeSums();
}

/// The same of fewer channels than a panel has: the others are zero.
template <class P, class Sums>
HWY_NOINLINE void packPart(const WeightRows &rows, int64_t channel,
                           int64_t count, int8_t *panel, int32_t *sums) {
  using Weight = typename P::Weight;
  static constexpr Weight zeros[panelChannels] = {};
  Weight copies[P::group][panelChannels] = {};
  const Weight *pointers[P::group];
  for (int i = 0; i < P::group; ++i)
    pointers[i] = copies[i];
  GroupPacker<P, Sums, 1> packer(panel, 0, sums);
  WeightRows shifted = rows;
  shifted.base = static_cast<const Weight *>(rows.base) + channel;
  forEachGroup<P::group>(
      shifted, zeros, [&](const Weight *const *group) HWY_ATTR {
        for (int i = 0; i < P::group; ++i)
          std::memcpy(copies[i], group[i],
                      static_cast<size_t>(count) * sizeof(Weight));
        packer(pointers);
      });
  packer.storeSums();
}

/// Panels four at a time, so that each cache line of weights is read once.
template <class P, class Sums = NoSums>
void packPanels(const WeightRows &rows, int64_t channels, int8_t *panels,
                ptrdiff_t panelStep, int32_t *sums) {
  int64_t channel = 0;
  auto packMany = [&](auto count) {
    constexpr int n = decltype(count)::value;
    for (; channel + n * panelChannels <= channels;
         channel += n * panelChannels)
      packWhole<P, Sums, n>(rows, channel,
                            panels + channel / panelChannels * panelStep,
                            panelStep, sums + channel);
  };
  packMany(std::integral_constant<int, 4>());
  packMany(std::integral_constant<int, 1>());
  if (channel < channels)
    packPart<P, Sums>(rows, channel, channels - channel,
                      panels + channel / panelChannels * panelStep,
                      sums + channel);
}

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_PACK_INL_H
