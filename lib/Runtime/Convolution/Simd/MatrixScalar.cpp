// SPDX-License-Identifier: Apache-2.0
//
// The inner kernel without vectors: packed layers run on every processor, from
// the same bytes. Plain calls have the scalar kernels.

#include "Blocks.h"
#include "Matrix.h"
#include "Runtime/Simd/Ratios.h"

#include <cstring>

namespace mli::rt::simd {
namespace {

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

/// Up to 16 channels from `first` on, of weights that become `Packed`.
template <typename Weight, typename Packed, int Group>
void packPanel(const WeightRows &rows, int64_t first, int64_t channels,
               int8_t *panel, int32_t *sums) {
  const auto *base = static_cast<const Weight *>(rows.base) + first;
  auto *to = reinterpret_cast<Packed *>(panel);
  int64_t whole = (rows.count() + Group - 1) / Group * Group;
  for (int64_t row = 0; row < whole; ++row)
    for (int64_t channel = 0; channel < panelChannels; ++channel) {
      Packed weight = 0;
      if (row < rows.count() && channel < channels)
        weight += base[row / rows.depth * rows.tapStride +
                       row % rows.depth * rows.rowStride + channel];
      to[(row / Group * panelChannels + channel) * Group + row % Group] =
          weight;
      if (Group == 4)
        sums[channel] += weight;
    }
}

template <typename Weight, typename Packed, int Group>
void packPanels(const WeightRows &rows, int64_t channels, int8_t *panels,
                ptrdiff_t panelStep, int32_t *sums) {
  for (int64_t first = 0; first < channels; first += panelChannels)
    packPanel<Weight, Packed, Group>(
        rows, first, std::min<int64_t>(panelChannels, channels - first),
        panels + first / panelChannels * panelStep, sums + first);
}

template <typename Code, typename Prepared, typename Prepare>
void prepareRows(const CodeRows &rows, Prepare prepare) {
  for (int64_t row = 0; row < rows.count; ++row) {
    const auto *from =
        reinterpret_cast<const Code *>(rows.from + row * rows.fromStep);
    auto *to = reinterpret_cast<Prepared *>(rows.to + row * rows.toStep);
    for (int64_t i = 0; i < rows.codes; ++i)
      to[i] = static_cast<Prepared>(prepare(from[i]));
  }
}

void prepareWidened(const CodeRows &rows, int32_t zeroPoint) {
  prepareRows<int8_t, int16_t>(rows,
                               [=](int8_t code) { return code - zeroPoint; });
}

void prepareOffset(const CodeRows &rows, int32_t /*zeroPoint*/) {
  prepareRows<uint8_t, uint8_t>(rows, [](uint8_t code) { return code ^ 128; });
}

//===----------------------------------------------------------------------===//
// Quantisation of sums
//===----------------------------------------------------------------------===//

int32_t clip(int32_t code, const OutputFormat &format) {
  return std::max<int32_t>(std::min<int32_t>(code, format.high), format.low);
}

template <typename InputType, int GroupSize>
struct Sa8 {
  using Input = InputType;
  using Weight = int8_t;
  using Packed = int8_t;
  using Code = int8_t;
  static constexpr int group = GroupSize;

  static Code finish(int64_t sum, const ChannelBlock &block, int64_t lane,
                     const OutputFormat &format) {
    // The start has the rounding constant of the first shift.
    auto total = quant::wrap<int32_t>(sum + block.start[lane]);
    const ChannelScales &scales = block.scales;
    int32_t narrow =
        quant::saturate<int16_t>(total >> (scales.preShift[lane] & 31));
    int shift = scales.shift[lane] & 31;
    // Only what a damaged layer has reaches 31 bits.
    int64_t product =
        int64_t{narrow} * scales.multiplier[lane] + (int64_t{1} << shift >> 1);
    int32_t code = quant::saturate<int16_t>(product >> shift);
    code = quant::saturate<int16_t>(code + format.zeroPoint);
    return static_cast<Code>(clip(code, format));
  }
};

template <typename PackedType, int GroupSize = 2>
struct Fx16Fx8 {
  using Input = int16_t;
  using Weight = int8_t;
  using Packed = PackedType;
  using Code = int16_t;
  static constexpr int group = GroupSize;

  static Code finish(int64_t sum, const ChannelBlock &block, int64_t lane,
                     const OutputFormat &format) {
    auto total = quant::wrap<int32_t>(sum + block.start[lane]);
    // Else the start has both.
    if (format.hasLateBias != 0)
      total = quant::saturatingAdd(
          quant::saturatingAdd(total, block.lateBias[lane]),
          getRoundingHalf(format.shift));
    int32_t code = quant::saturate<int16_t>(total >> format.shift);
    return static_cast<Code>(clip(code, format));
  }
};

struct Fx16Fx16 {
  using Input = int16_t;
  using Weight = int16_t;
  using Packed = int16_t;
  using Code = int16_t;
  static constexpr int group = 2;

  static Code finish(int64_t sum, const ChannelBlock &block, int64_t lane,
                     const OutputFormat &format) {
    int64_t code =
        quant::roundShiftRight(sum + block.start[lane], format.shift);
    return static_cast<Code>(clip(quant::saturate<int16_t>(code), format));
  }
};

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The sum of products of one output, which its arithmetic wraps.
template <class A>
int64_t sumProducts(const Grid &grid, const char *pixel, int64_t channel) {
  const auto *weights = reinterpret_cast<const typename A::Packed *>(
      grid.panels + channel / panelChannels * grid.panelBytes);
  weights += channel % panelChannels * A::group;
  int64_t sum = 0;
  for (int64_t s = 0; s < grid.segmentCount; ++s) {
    const char *inputs = pixel + grid.segments[s];
    for (int64_t g = 0; g < grid.groups; ++g) {
      typename A::Input group[A::group];
      std::memcpy(group, inputs, sizeof(group));
      for (int i = 0; i < A::group; ++i)
        sum += int64_t{group[i]} * weights[i];
      inputs += sizeof(group);
      weights += panelChannels * A::group;
    }
  }
  return sum;
}

template <class A>
void runGrid(const Grid &grid) {
  for (int64_t row = 0; row < grid.rows; ++row)
    for (int64_t column = 0; column < grid.columns; ++column) {
      const char *pixel =
          grid.input + row * grid.rowStep + column * grid.columnStep;
      auto *out = reinterpret_cast<typename A::Code *>(
          grid.out + row * grid.outRow + column * grid.outColumn);
      for (int64_t channel = 0; channel < grid.channels; ++channel)
        out[channel] = A::finish(sumProducts<A>(grid, pixel, channel),
                                 grid.blocks[channel / panelChannels],
                                 channel % panelChannels, grid.format);
    }
}

template <class A, bool KeepsZeroPoint>
constexpr MatrixKernels getKernels(decltype(MatrixKernels::prepare) prepare) {
  return {A::group,
          sizeof(typename A::Input),
          sizeof(typename A::Weight),
          sizeof(typename A::Packed),
          KeepsZeroPoint,
          prepare,
          packPanels<typename A::Weight, typename A::Packed, A::group>,
          runGrid<A>};
}

constexpr MatrixKernels sa8Pairs =
    getKernels<Sa8<int16_t, 2>, false>(prepareWidened);
constexpr MatrixKernels sa8Contiguous =
    getKernels<Sa8<int16_t, contiguousInputs>, false>(prepareWidened);
constexpr MatrixKernels sa8Quads =
    getKernels<Sa8<uint8_t, 4>, true>(prepareOffset);
constexpr MatrixKernels fx16Fx8Bytes =
    getKernels<Fx16Fx8<int8_t>, false>(nullptr);
constexpr MatrixKernels fx16Fx8Words =
    getKernels<Fx16Fx8<int16_t>, false>(nullptr);
constexpr MatrixKernels scalarFx16Fx8Runs =
    getKernels<Fx16Fx8<int8_t, contiguousInputs>, false>(nullptr);
constexpr MatrixKernels fx16 = getKernels<Fx16Fx16, false>(nullptr);

} // namespace

const MatrixKernels *scalarKernels(mli_element_type in,
                                   mli_element_type weights, bool isNarrow,
                                   int group) {
  if (group == contiguousInputs)
    return in == MLI_EL_SA_8 ? &sa8Contiguous : &scalarFx16Fx8Runs;
  if (in == MLI_EL_SA_8)
    return group == 4 ? &sa8Quads : &sa8Pairs;
  if (weights != MLI_EL_FX_8)
    return &fx16;
  return isNarrow ? &fx16Fx8Bytes : &fx16Fx8Words;
}

void packContiguous(const WeightRows &rows, int64_t channels, int8_t *panels,
                    ptrdiff_t panelStep, int32_t *sums) {
  packPanels<int8_t, int8_t, contiguousInputs>(rows, channels, panels,
                                               panelStep, sums);
}

bool fillScalarBlock(const BlockInputs &inputs, ChannelBlock &block) {
  quant::ChannelBase base = {static_cast<int16_t>(inputs.ratio), inputs.shift};
  for (int64_t lane = 0; lane < panelChannels; ++lane) {
    int32_t scale = inputs.scales[lane];
    int32_t bias = inputs.bias[lane];
    if (int64_t{base.ratio} * scale < 1 ||
        (bias < 0 ? ~bias : bias) > inputs.biasLimit)
      return false;
    quant::ChannelRequantization channel =
        quant::channelRequantization(quant::channelScale(
            base, {static_cast<int16_t>(scale), inputs.fracBits[lane], 0}));
    if (channel.shift < 15 || channel.shift > 29)
      return false;
    int32_t rounding = (1 << channel.preShift) >> 1;
    block.start[lane] =
        quant::wrap<int32_t>(int64_t{quant::biasTerm(bias)} + rounding -
                             int64_t{inputs.weightSums[lane]} * inputs.offset);
    // Below 2^15, as halves go up here and never beyond the 31 bits.
    block.scales.multiplier[lane] = static_cast<int16_t>(channel.multiplier);
    block.scales.preShift[lane] = static_cast<int8_t>(channel.preShift);
    block.scales.shift[lane] = static_cast<int8_t>(channel.shift);
  }
  return true;
}

} // namespace mli::rt::simd
