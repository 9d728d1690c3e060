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

#include "Tile-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// The sums of products of one pixel, whose inputs have 16 bits.
template <int Count>
HWY_INLINE void addContiguous(const Grid &grid, int32_t *totals) {
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
  each<Count>([&](auto channel) HWY_ATTR {
    totals[channel] = hn::GetLane(hn::SumOfLanes(d, sums[channel]));
  });
}

/// A matrix product of arithmetic `A` of up to `maxContiguousChannels` outputs.
template <class A>
void runContiguous(const Grid &grid) {
  using D = hn::CappedTag<int32_t, 8>;
  const D d;
  constexpr int64_t lanes = hn::MaxLanes(d);
  HWY_ALIGN int32_t totals[2 * lanes] = {};
  switch (grid.channels) {
  case 1:
    addContiguous<1>(grid, totals);
    break;
  case 2:
    addContiguous<2>(grid, totals);
    break;
  case 3:
    addContiguous<3>(grid, totals);
    break;
  default:
    addContiguous<maxContiguousChannels>(grid, totals);
    break;
  }
  Channels first = {grid.blocks[0], 0};
  Channels second = {grid.blocks[0], lanes};
  auto codes =
      A::finish(d, hn::Add(hn::Load(d, totals), A::start(d, first)), first,
                hn::Add(hn::Load(d, totals + lanes), A::start(d, second)),
                second, grid.format);
  storeCodes(typename A::template Codes<D>(), codes,
             reinterpret_cast<typename A::Code *>(grid.out), grid.channels);
}

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_CONTIGUOUS_INL_H
