// SPDX-License-Identifier: Apache-2.0
//
// Exact sums of products of 8- and 16-bit integers, as each target does them
// best. Included once per target.

#if defined(MLI_LIB_RUNTIME_SIMD_DOT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef MLI_LIB_RUNTIME_SIMD_DOT_INL_H
#undef MLI_LIB_RUNTIME_SIMD_DOT_INL_H
#else
#define MLI_LIB_RUNTIME_SIMD_DOT_INL_H
#endif

#include "Runtime/Simd/Target.h"

#include "hwy/highway.h"

#include <cstring>
#include <utility>

/// Whether this target has kernels: not the emulated baseline.
#undef MLI_SIMD_HAS_KERNELS
#if HWY_TARGET == HWY_SSSE3 || HWY_TARGET == HWY_SSE4 ||                       \
    HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON
#define MLI_SIMD_HAS_KERNELS 1
#else
#define MLI_SIMD_HAS_KERNELS 0
#endif

/// Whether processors of this target may have more: instructions for products
/// of quads of bytes, and for pairs, too.
#undef MLI_SIMD_HAS_DOT
#undef MLI_SIMD_HAS_PAIR_DOT
#define MLI_SIMD_HAS_PAIR_DOT (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3)
#define MLI_SIMD_HAS_DOT (MLI_SIMD_HAS_PAIR_DOT || HWY_TARGET == HWY_NEON)

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Whether a target has instructions for products of pairs.
template <QuadInputs Quads>
inline constexpr bool hasPairDot =
    MLI_SIMD_HAS_PAIR_DOT && Quads != QuadInputs::None;

/// The vectors that registers hold.
inline constexpr int registerCount =
    HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON ? 32 : 16;

template <class D>
using Codes16 = hn::Repartition<int16_t, D>;
template <class D>
using Codes8 = hn::Repartition<int8_t, D>;

template <class F, int... I>
HWY_INLINE void getEach(std::integer_sequence<int, I...>, F &&f) {
  (f(std::integral_constant<int, I>()), ...);
}
/// Calls `f` with the constants 0 to N - 1: a loop that is surely unrolled, as
/// arrays of vectors need to stay in registers.
template <int N, class F>
HWY_INLINE void each(F &&f) {
  getEach(std::make_integer_sequence<int, N>(), f);
}

/// Highway 1.0 has no names for these, and compilers may not take the
/// intrinsics in functions for AVX2, AVX3 or NEON. The encoding decides whether
/// AVX-512 or AVX-VNNI is needed.
#if MLI_SIMD_HAS_PAIR_DOT
#if HWY_TARGET == HWY_AVX3
#define MLI_SIMD_ENCODING "%{evex%} "
#else
#define MLI_SIMD_ENCODING "%{vex%} "
#endif
#define MLI_SIMD_DOT(name, instruction)                                        \
  template <class V32, class V>                                                \
  HWY_INLINE V32 name(V32 sum, V a, V b) {                                     \
    asm(MLI_SIMD_ENCODING instruction " %2, %1, %0"                            \
        : "+v"(sum.raw)                                                        \
        : "v"(a.raw), "v"(b.raw));                                             \
    return sum;                                                                \
  }
MLI_SIMD_DOT(addPairProducts, "vpdpwssd")
MLI_SIMD_DOT(addQuadProducts, "vpdpbusd")
#undef MLI_SIMD_DOT
#undef MLI_SIMD_ENCODING
#elif HWY_TARGET == HWY_NEON
/// `name`Lane multiplies quads of signed `b` by one quad of `a`.
#define MLI_SIMD_DOT(name, instruction, laneInstruction, feature)              \
  template <class V>                                                           \
  HWY_INLINE V name(V sum, V a, V b) {                                         \
    asm(".arch armv8.2-a+" feature "+crypto\n\t" instruction                   \
        " %0.4s, %1.16b, %2.16b"                                               \
        : "+w"(sum.raw)                                                        \
        : "w"(a.raw), "w"(b.raw));                                             \
    return sum;                                                                \
  }                                                                            \
  template <int Lane, class V>                                                 \
  HWY_INLINE V name##Lane(V sum, V a, V b) {                                   \
    asm(".arch armv8.2-a+" feature "+crypto\n\t" laneInstruction               \
        " %0.4s, %2.16b, %1.4b[%c3]"                                           \
        : "+w"(sum.raw)                                                        \
        : "w"(a.raw), "w"(b.raw), "i"(Lane));                                  \
    return sum;                                                                \
  }
MLI_SIMD_DOT(addQuadProducts, "usdot", "sudot", "i8mm")
MLI_SIMD_DOT(addSignedQuadProducts, "sdot", "sdot", "dotprod")
#undef MLI_SIMD_DOT
#endif

/// a[2i] * b[2i] + a[2i + 1] * b[2i + 1], of which the first is exact unless
/// all four are -32768.
template <class D, class V>
HWY_INLINE hn::Vec<D> multiplyPairs([[maybe_unused]] D d, V a, V b) {
#if HWY_TARGET == HWY_NEON
  // Highway adds products of lanes that are apart there.
  return hn::Vec<D>{
      vpaddq_s32(vmull_s16(vget_low_s16(a.raw), vget_low_s16(b.raw)),
                 vmull_high_s16(a.raw, b.raw))};
#else
  auto unused = hn::Zero(d);
  return hn::ReorderWidenMulAccumulate(d, a, b, hn::Zero(d), unused);
#endif
}

template <bool HasDot, class D, class V>
HWY_INLINE hn::Vec<D> multiplyAddPairs(D d, hn::Vec<D> sum, V a, V b) {
#if HWY_TARGET == HWY_NEON
  return hn::Add(sum, multiplyPairs(d, a, b));
#else
#if MLI_SIMD_HAS_PAIR_DOT
  if constexpr (HasDot)
    return addPairProducts(sum, a, b);
#endif
  auto unused = hn::Zero(d);
  return hn::ReorderWidenMulAccumulate(d, a, b, sum, unused);
#endif
}

/// Sums of pairs of products, each in two neighbouring lanes while products are
/// added: so in two vectors, of the lower and of the upper channels.
template <class V>
struct SplitSums {
  V lower;
  V upper;
};

#if HWY_TARGET == HWY_NEON
/// NEON adds products to lanes, but no neighbours in the same instruction.
inline constexpr bool addsPairsSplit = true;

template <bool HasDot, class V32, class D, class V>
HWY_INLINE SplitSums<V32> multiplyAddPairs(D /*d*/, SplitSums<V32> sum, V a,
                                           V b) {
  return {
      V32{vmlal_s16(sum.lower.raw, vget_low_s16(a.raw), vget_low_s16(b.raw))},
      V32{vmlal_high_s16(sum.upper.raw, a.raw, b.raw)}};
}
template <class D>
HWY_INLINE SplitSums<hn::Vec<D>> splitSums(D d, hn::Vec<D> sums) {
  return {hn::InterleaveLower(d, sums, hn::Zero(d)),
          hn::InterleaveUpper(d, sums, hn::Zero(d))};
}
template <class D>
HWY_INLINE hn::Vec<D> joinSums(D /*d*/, SplitSums<hn::Vec<D>> sums) {
  return hn::Vec<D>{vpaddq_s32(sums.lower.raw, sums.upper.raw)};
}
#else
inline constexpr bool addsPairsSplit = false;
#endif

/// Lanes of 32 or 64 bits that all hold the bytes at `from`.
template <class D>
HWY_INLINE hn::Vec<D> broadcast(D d, const void *from) {
  using Lane = hn::TFromD<D>;
#if HWY_TARGET == HWY_AVX3 && HWY_COMPILER_CLANG && !HWY_IS_ASAN
  // clang does not know that the instructions of products take integers, and
  // chooses the broadcast of floats. Where each product has an input of its
  // own, that takes a third more time on Zen 4, in vectors of 512 bits.
  if constexpr (hn::MaxLanes(D()) == hn::MaxLanes(hn::ScalableTag<Lane>())) {
    struct __attribute__((packed, may_alias)) Group {
      Lane bytes;
    };
    const auto &group = *static_cast<const Group *>(from);
    hn::Vec<D> lanes;
    if constexpr (sizeof(Lane) == 4)
      asm("vpbroadcastd %1, %0" : "=v"(lanes.raw) : "m"(group));
    else
      asm("vpbroadcastq %1, %0" : "=v"(lanes.raw) : "m"(group));
    return lanes;
  }
#endif
  Lane bytes;
  std::memcpy(&bytes, from, sizeof(bytes));
  return hn::Set(d, bytes);
}

/// Pairs of 16-bit inputs times pairs of weights of type `Weight`, in 32 bits.
template <typename Weight, bool HasDot>
struct PairDot {
  static constexpr int group = 2;
  static constexpr bool isSplit = addsPairsSplit;
  static constexpr bool takesLanes = false;
  static constexpr int registersPerSum = isSplit ? 2 : 1;
  static constexpr int registersPerInput = 0;

  template <class D>
  static HWY_INLINE auto weights(D /*d*/, const int8_t *from) {
    const Codes16<D> d16;
    if constexpr (sizeof(Weight) == 1) {
      const hn::Rebind<int8_t, Codes16<D>> d8;
      return hn::PromoteTo(d16, hn::LoadU(d8, from));
    } else {
      return hn::LoadU(d16, reinterpret_cast<const int16_t *>(from));
    }
  }
  template <class D, class S, class W>
  static HWY_INLINE S add(D d, S sum, hn::Vec<D> input, W weights) {
    return multiplyAddPairs<HasDot>(d, sum, hn::BitCast(Codes16<D>(), input),
                                    weights);
  }
};

/// Quads of 8-bit inputs times quads of 8-bit weights, in 32 bits. The inputs
/// are unsigned, unless the target's instruction takes signed ones.
template <QuadInputs Quads>
struct QuadDot {
  static constexpr int group = 4;
  static constexpr bool isSplit = addsPairsSplit && Quads == QuadInputs::None;
  /// Whether one instruction multiplies all weights by one of four quads of
  /// inputs: a load that fills all lanes takes longer than others there.
  static constexpr bool takesLanes =
      HWY_TARGET == HWY_NEON && Quads != QuadInputs::None;
  static constexpr int registersPerSum = isSplit ? 2 : 1;
  /// For four quads, or what makes pairs of one.
  static constexpr int registersPerInput = takesLanes || isSplit ? 1 : 0;

  template <class D>
  static HWY_INLINE auto weights(D d, const int8_t *from) {
    return hn::BitCast(d, hn::LoadU(Codes8<D>(), from));
  }
  template <class D, class S>
  static HWY_INLINE S add(D d, S sum, hn::Vec<D> input, hn::Vec<D> weights) {
#if MLI_SIMD_HAS_DOT
    if constexpr (Quads == QuadInputs::Unsigned)
      return addQuadProducts(sum, input, weights);
#endif
#if HWY_TARGET == HWY_NEON
    if constexpr (Quads == QuadInputs::Signed)
      return addSignedQuadProducts(sum, input, weights);
#endif
    static_assert(Quads != QuadInputs::Signed || HWY_TARGET == HWY_NEON);
    const Codes16<D> d16;
    const hn::RebindToUnsigned<Codes16<D>> u16;
    auto w = hn::BitCast(d16, weights);
    auto x = hn::BitCast(u16, input);
    sum = multiplyAddPairs<false>(
        d, sum, hn::BitCast(d16, hn::And(x, hn::Set(u16, 255))),
        hn::ShiftRight<8>(hn::ShiftLeft<8>(w)));
    return multiplyAddPairs<false>(
        d, sum, hn::BitCast(d16, hn::ShiftRight<8>(x)), hn::ShiftRight<8>(w));
  }
#if HWY_TARGET == HWY_NEON
  /// Products with quad `Lane` of four quads of inputs.
  template <int Lane, class V>
  static HWY_INLINE V addLane(V sum, V inputs, V weights) {
    if constexpr (Quads == QuadInputs::Unsigned)
      return addQuadProductsLane<Lane>(sum, inputs, weights);
    else
      return addSignedQuadProductsLane<Lane>(sum, inputs, weights);
  }
#endif
};

/// Whether one instruction multiplies and adds: others need more registers.
template <class Dot>
inline constexpr bool isFused = false;
template <typename Weight>
inline constexpr bool isFused<PairDot<Weight, true>> = true;
template <>
inline constexpr bool isFused<QuadDot<QuadInputs::Unsigned>> = true;

/// Whether the inputs of quads are codes as they are, not 128 higher.
template <class Dot>
inline constexpr bool hasSignedInputs = false;
template <>
inline constexpr bool hasSignedInputs<QuadDot<QuadInputs::Signed>> = true;

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#endif // MLI_LIB_RUNTIME_SIMD_DOT_INL_H
