// SPDX-License-Identifier: Apache-2.0
//
// Neighbouring rows of weights as groups that one lane multiplies at once.
// Included once per target.

#if defined(MLI_LIB_RUNTIME_CONVOLUTION_SIMD_INTERLEAVE_INL_H) ==              \
    defined(HWY_TARGET_TOGGLE)
#ifdef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_INTERLEAVE_INL_H
#undef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_INTERLEAVE_INL_H
#else
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_INTERLEAVE_INL_H
#endif

#include "Runtime/Simd/Dot-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// Blocks of 16 bytes of two vectors in turn: those of the first half, then
/// those of the second.
template <class D>
struct BlockPair {
  using V = hn::Vec<D>;

  HWY_INLINE BlockPair(V low, V high) : first(low), second(high) {
    const D d;
    constexpr size_t blocks = hn::MaxLanes(d) * sizeof(hn::TFromD<D>) / 16;
    if constexpr (blocks > 1) {
      first = hn::ConcatLowerLower(d, high, low);
      second = hn::ConcatUpperUpper(d, high, low);
    }
    if constexpr (blocks > 2) {
      first = inTurn(first);
      second = inTurn(second);
    }
  }

  V first;
  V second;

private:
  static HWY_INLINE V inTurn(V v) {
    const hn::Repartition<int64_t, D> d64;
    HWY_ALIGN static constexpr int64_t order[8] = {0, 1, 4, 5, 2, 3, 6, 7};
    return hn::BitCast(D(),
                       hn::TableLookupLanes(hn::BitCast(d64, v),
                                            hn::SetTableIndices(d64, order)));
  }
};

/// Interleaves vectors of a group of 8-bit rows: the weights of the first
/// channel together, then those of the second, and so on. Calls
/// `emit(index, vector)` for the vectors that they are.
template <int Group>
struct PackedBytes {
  using Weight = int8_t;
  static constexpr int group = Group;
  static constexpr int widening = 1;

  template <class D, class Emit>
  static HWY_INLINE void pack(D d, const int8_t *const *rows, int64_t channel,
                              Emit emit) {
    auto load = [&](int row)
                    HWY_ATTR { return hn::LoadU(d, rows[row] + channel); };
    if constexpr (Group == 2) {
      auto a = load(0);
      auto b = load(1);
      BlockPair<D> pairs(hn::InterleaveLower(d, a, b),
                         hn::InterleaveUpper(d, a, b));
      emit(std::integral_constant<int, 0>(), pairs.first);
      emit(std::integral_constant<int, 1>(), pairs.second);
    } else {
      const Codes16<D> d16;
      auto pair = [&](int row, bool isUpper) HWY_ATTR {
        auto a = load(row);
        auto b = load(row + 1);
        return hn::BitCast(d16, isUpper ? hn::InterleaveUpper(d, a, b)
                                        : hn::InterleaveLower(d, a, b));
      };
      auto lowA = pair(0, false);
      auto lowB = pair(2, false);
      auto highA = pair(0, true);
      auto highB = pair(2, true);
      using D16 = Codes16<D>;
      BlockPair<D16> even(hn::InterleaveLower(d16, lowA, lowB),
                          hn::InterleaveLower(d16, highA, highB));
      BlockPair<D16> odd(hn::InterleaveUpper(d16, lowA, lowB),
                         hn::InterleaveUpper(d16, highA, highB));
      BlockPair<D16> first(even.first, odd.first);
      BlockPair<D16> second(even.second, odd.second);
      emit(std::integral_constant<int, 0>(), hn::BitCast(d, first.first));
      emit(std::integral_constant<int, 1>(), hn::BitCast(d, first.second));
      emit(std::integral_constant<int, 2>(), hn::BitCast(d, second.first));
      emit(std::integral_constant<int, 3>(), hn::BitCast(d, second.second));
    }
  }
};

/// The same of pairs of rows of 16 bits, or of 8 bits that become 16.
template <typename From>
struct PackedWords {
  using Weight = From;
  static constexpr int group = 2;
  static constexpr int widening = 2 / sizeof(From);

  template <class D, class Emit>
  static HWY_INLINE void pack(D d, const From *const *rows, int64_t channel,
                              Emit emit) {
    auto a = hn::LoadU(d, rows[0] + channel);
    auto b = hn::LoadU(d, rows[1] + channel);
    BlockPair<D> pairs(hn::InterleaveLower(d, a, b),
                       hn::InterleaveUpper(d, a, b));
    if constexpr (sizeof(From) == 2) {
      emit(std::integral_constant<int, 0>(), pairs.first);
      emit(std::integral_constant<int, 1>(), pairs.second);
    } else {
      const Codes16<D> d16;
      const hn::Half<D> half;
      auto widen = [&](auto v) HWY_ATTR { return hn::PromoteTo(d16, v); };
      emit(std::integral_constant<int, 0>(),
           widen(hn::LowerHalf(half, pairs.first)));
      emit(std::integral_constant<int, 1>(),
           widen(hn::UpperHalf(half, pairs.first)));
      emit(std::integral_constant<int, 2>(),
           widen(hn::LowerHalf(half, pairs.second)));
      emit(std::integral_constant<int, 3>(),
           widen(hn::UpperHalf(half, pairs.second)));
    }
  }
};

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_INTERLEAVE_INL_H
