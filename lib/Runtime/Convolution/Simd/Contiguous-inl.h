// SPDX-License-Identifier: Apache-2.0
//
// Matrix products of few outputs, of contiguously packed weights: lanes are
// inputs, not channels. Included once per target.

#if defined(MLI_LIB_RUNTIME_CONVOLUTION_SIMD_CONTIGUOUS_INL_H) ==              \
    defined(HWY_TARGET_TOGGLE)
#ifdef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_CONTIGUOUS_INL_H
#undef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_CONTIGUOUS_INL_H
#else
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_CONTIGUOUS_INL_H
#endif

#include "Runtime/Simd/Rows-inl.h"
#include "Tile-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// A lane for the sum of each output.
using ContiguousTotals = hn::Full128<int32_t>;

/// The vector of 128 bits of as many sums.
template <class D>
HWY_INLINE hn::Vec<ContiguousTotals> foldBlocks(D d, hn::Vec<D> sums) {
  if constexpr (hn::MaxLanes(d) == hn::MaxLanes(ContiguousTotals())) {
    return sums;
  } else {
    const ContiguousTotals total;
    return hn::Add(hn::LowerHalf(total, sums), hn::UpperHalf(total, sums));
  }
}

/// Vectors `a` and `b` of sums, added in pairs: a, b, a, b.
HWY_INLINE hn::Vec<ContiguousTotals> addPairs(hn::Vec<ContiguousTotals> a,
                                              hn::Vec<ContiguousTotals> b) {
  const ContiguousTotals d;
  return hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
}

/// The sum of the lanes of each vector.
HWY_INLINE hn::Vec<ContiguousTotals> addLanes(hn::Vec<ContiguousTotals> a,
                                              hn::Vec<ContiguousTotals> b,
                                              hn::Vec<ContiguousTotals> c,
                                              hn::Vec<ContiguousTotals> d) {
  const ContiguousTotals total;
  auto first = addPairs(a, b);
  auto second = addPairs(c, d);
  return hn::Add(hn::ConcatLowerLower(total, second, first),
                 hn::ConcatUpperUpper(total, second, first));
}

/// The sums of products of one pixel, whose inputs have 16 bits: a lane for
/// each output. They stay in registers: a vector that is loaded from lanes just
/// stored waits for all of them.
template <int Count>
HWY_INLINE hn::Vec<ContiguousTotals> sumContiguous(const Grid &grid) {
  const hn::CappedTag<int32_t, 8> d;
  const Codes16<decltype(d)> d16;
  const hn::Rebind<int8_t, decltype(d16)> d8;
  constexpr int64_t lanes = hn::MaxLanes(d16);
  const auto *inputs =
      reinterpret_cast<const int16_t *>(grid.input + grid.segments[0]);
  const int8_t *weights = grid.panels;
  hn::Vec<decltype(d)> sums[Count];
  each<Count>([&](auto channel) HWY_ATTR { sums[channel] = hn::Zero(d); });
  for (int64_t group = 0; group < grid.groups; ++group) {
    each<contiguousInputs / lanes>([&](auto part) HWY_ATTR {
      auto input = hn::LoadU(d16, inputs + part * lanes);
      each<Count>([&](auto channel) HWY_ATTR {
        auto run = hn::PromoteTo(
            d16,
            hn::LoadU(d8, weights + channel * contiguousInputs + part * lanes));
        sums[channel] = multiplyAddPairs<false>(d, sums[channel], input, run);
      });
    });
    inputs += contiguousInputs;
    weights += panelChannels * contiguousInputs;
  }
  const ContiguousTotals total;
  hn::Vec<ContiguousTotals> folded[maxContiguousChannels];
  each<maxContiguousChannels>([&](auto channel) HWY_ATTR {
    if constexpr (channel < Count)
      folded[channel] = foldBlocks(d, sums[channel]);
    else
      folded[channel] = hn::Zero(total);
  });
  return addLanes(folded[0], folded[1], folded[2], folded[3]);
}

template <class A>
HWY_INLINE void finishContiguous(const Grid &grid,
                                 hn::Vec<ContiguousTotals> totals) {
  using D = ContiguousTotals;
  const D d;
  static_assert(hn::MaxLanes(d) == maxContiguousChannels);
  Channels first = {grid.blocks[0], 0};
  Channels second = {grid.blocks[0], hn::MaxLanes(d)};
  auto codes =
      A::finish(d, hn::Add(totals, A::start(d, first)), A::scales(d, first),
                A::start(d, second), A::scales(d, second), grid.format);
  storeN(typename A::template Codes<D>(), codes,
         reinterpret_cast<typename A::Code *>(grid.out), grid.channels);
}

/// A matrix product of arithmetic `A` of up to `maxContiguousChannels` outputs.
template <class A>
void runContiguous(const Grid &grid) {
  switch (grid.channels) {
  case 1:
    return finishContiguous<A>(grid, sumContiguous<1>(grid));
  case 2:
    return finishContiguous<A>(grid, sumContiguous<2>(grid));
  case 3:
    return finishContiguous<A>(grid, sumContiguous<3>(grid));
  default:
    return finishContiguous<A>(grid,
                               sumContiguous<maxContiguousChannels>(grid));
  }
}

#if MLI_SIMD_HAS_PAIR_DOT
/// Block `I` of 128 bits of vectors of sums; zeros if they have no such block.
template <int I, int Vectors, class D>
HWY_INLINE hn::Vec<ContiguousTotals>
getBlock(D d, const hn::Vec<D> (&vectors)[Vectors]) {
  const hn::Half<D> half;
  constexpr int blocks = hn::MaxLanes(d) / hn::MaxLanes(ContiguousTotals());
  if constexpr (I >= Vectors * blocks) {
    return hn::Zero(ContiguousTotals());
  } else {
    constexpr int block = I % blocks;
    auto vector = vectors[I / blocks];
    hn::Vec<hn::Half<D>> part[1];
    if constexpr (block < blocks / 2)
      part[0] = hn::LowerHalf(half, vector);
    else
      part[0] = hn::UpperHalf(half, vector);
    if constexpr (blocks == 2)
      return part[0];
    else
      return getBlock<block % 2>(half, part);
  }
}

/// The vectors of weights of 16 inputs of `channels` outputs.
constexpr int getContiguousVectors(int channels) {
  constexpr int outputs =
      HWY_MAX(hn::MaxLanes(hn::ScalableTag<uint8_t>()) / contiguousInputs, 1);
  return (channels + outputs - 1) / outputs;
}

/// The sums of products of one pixel, whose inputs are too high by
/// `grid.inputOffset`: each block of 128 bits is an output. The offset times
/// the sum of the weights, which a packed layer has not got, is subtracted.
/// Sixteen inputs have `Vectors` vectors of weights.
template <int Vectors>
HWY_INLINE hn::Vec<ContiguousTotals> sumContiguousQuads(const Grid &grid) {
  const hn::ScalableTag<int32_t> d;
  const hn::ScalableTag<uint8_t> d8;
  constexpr int bytes = hn::MaxLanes(d8);
  const auto *inputs =
      reinterpret_cast<const uint8_t *>(grid.input + grid.segments[0]);
  const auto ones = hn::BitCast(d, hn::Set(d8, 1));
  // An addition waits for the one before it: four are on their way at once.
  constexpr int chains = 4;
  constexpr int steps = chains / Vectors;
  hn::Vec<decltype(d)> products[chains], weightSums[chains];
  each<chains>([&](auto chain) HWY_ATTR {
    products[chain] = weightSums[chain] = hn::Zero(d);
  });
  auto add = [&](int64_t group, auto step) HWY_ATTR {
    auto input =
        hn::BitCast(d, hn::LoadDup128(d8, inputs + group * contiguousInputs));
    each<Vectors>([&](auto vector) HWY_ATTR {
      constexpr int chain = decltype(step)::value * Vectors + vector;
      auto weights = QuadDot<QuadInputs::Unsigned>::weights(
          d, grid.panels + group * panelChannels * contiguousInputs +
                 vector * bytes);
      products[chain] = QuadDot<QuadInputs::Unsigned>::add(d, products[chain],
                                                           input, weights);
      weightSums[chain] = QuadDot<QuadInputs::Unsigned>::add(
          d, weightSums[chain], ones, weights);
    });
  };
  int64_t group = 0;
  for (; group + steps <= grid.groups; group += steps)
    each<steps>([&](auto step) HWY_ATTR { add(group + step, step); });
  for (; group < grid.groups; ++group)
    add(group, std::integral_constant<int, 0>());
  hn::Vec<decltype(d)> sums[Vectors];
  each<Vectors>([&](auto vector) HWY_ATTR {
    each<steps - 1>([&](auto step) HWY_ATTR {
      constexpr int chain = (step + 1) * Vectors + vector;
      products[vector] = hn::Add(products[vector], products[chain]);
      weightSums[vector] = hn::Add(weightSums[vector], weightSums[chain]);
    });
    sums[vector] =
        hn::Sub(products[vector],
                hn::Mul(weightSums[vector], hn::Set(d, grid.inputOffset)));
  });
  return addLanes(getBlock<0>(d, sums), getBlock<1>(d, sums),
                  getBlock<2>(d, sums), getBlock<3>(d, sums));
}

/// As `runContiguous`, of inputs of 8 bits that are offset.
template <class A>
void runContiguousQuads(const Grid &grid) {
  constexpr int vectors = getContiguousVectors(maxContiguousChannels);
  constexpr int half = getContiguousVectors(maxContiguousChannels / 2);
  finishContiguous<A>(grid, grid.channels <= maxContiguousChannels / 2
                                ? sumContiguousQuads<half>(grid)
                                : sumContiguousQuads<vectors>(grid));
}
#endif

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_CONTIGUOUS_INL_H
