// SPDX-License-Identifier: Apache-2.0
//
// Maps of depthwise outputs by columns of taps, by pairs of 16 bits: a lane is
// a channel, and two values of it are multiplied at once, those of the first
// two rows of a column, or those of the third row of two columns. Two
// neighbouring outputs are computed together. Included once per target.

#if defined(MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISEPAIRS_INL_H) ==          \
    defined(HWY_TARGET_TOGGLE)
#ifdef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISEPAIRS_INL_H
#undef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISEPAIRS_INL_H
#else
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISEPAIRS_INL_H
#endif

#include "DepthwiseColumns.h"
#include "DepthwiseInputs.h"
#include "PaddedInputs.h"
#include "Runtime/Simd/Requantize-inl.h"
#include "Runtime/Simd/Rows-inl.h"
#include "Tile-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// Channels that pass together.
using PairD = hn::CappedTag<int32_t, 8>;
inline constexpr int64_t pairLanes = hn::MaxLanes(PairD());
using PairD16 = Codes16<PairD>;
/// The values of a pixel, and pairs of them.
using PairCodes = hn::Rebind<int8_t, PairD>;
using PairBytes = hn::Rebind<int8_t, PairD16>;
using PairVector = hn::Vec<PairD16>;

/// Interleaves the values of two pixels, as 16 bits.
HWY_INLINE PairVector pairUp(hn::Vec<PairCodes> a, hn::Vec<PairCodes> b) {
  const PairBytes d;
  return hn::PromoteTo(PairD16(),
                       hn::InterleaveLower(d, hn::Vec<PairBytes>{a.raw},
                                           hn::Vec<PairBytes>{b.raw}));
}

/// The parameters of the channels from `channel` on, as vectors have them.
struct PairParameters {
  HWY_ALIGN int32_t start[pairLanes];
  HWY_ALIGN int16_t multiplier[pairLanes];
  HWY_ALIGN int8_t preShift[pairLanes];
  HWY_ALIGN int8_t shift[pairLanes];

  PairParameters(const ChannelBlock *blocks, int64_t channel) {
    constexpr std::integral_constant<int64_t, pairLanes> all;
    const ChannelBlock &block = blocks[channel / panelChannels];
    int64_t lane = channel % panelChannels;
    int64_t count = panelChannels - lane;
    if (HWY_LIKELY(count >= pairLanes)) {
      copy(block, lane, 0, all);
      return;
    }
    copy(block, lane, 0, count);
    copy(blocks[channel / panelChannels + 1], 0, count, pairLanes - count);
  }

private:
  template <class Count>
  HWY_INLINE void copy(const ChannelBlock &block, int64_t lane, int64_t to,
                       Count count) {
    auto copyTo = [&](auto *target, const auto *from) {
      std::memcpy(target + to, from + lane, count * sizeof(*target));
    };
    copyTo(start, block.start);
    copyTo(multiplier, block.scales.multiplier);
    copyTo(preShift, block.scales.preShift);
    copyTo(shift, block.scales.shift);
  }
};

/// Requantises sums of `pairLanes` channels.
template <int Stride, bool IsPartial>
class PairArithmetic {
public:
  using V = hn::Vec<PairD>;

  HWY_INLINE void set(const ColumnMap &map, int64_t channel) {
    const PairD d;
    const PairParameters parameters(map.blocks(), channel);
    auto widen = [&](const auto *from) HWY_ATTR {
      using Element =
          std::remove_const_t<std::remove_pointer_t<decltype(from)>>;
      return hn::PromoteTo(d, hn::LoadU(hn::Rebind<Element, PairD>(), from));
    };
    const VectorScales<PairD> scales = {widen(parameters.multiplier),
                                        widen(parameters.preShift),
                                        widen(parameters.shift)};
    requantizer.set(scales, scales);
    auto tap = [&](int row, int column) HWY_ATTR {
      const int8_t *from = map.tap(row, column) + channel;
      if constexpr (IsPartial)
        return loadN(PairCodes(), from, map.channels);
      else
        return hn::LoadU(PairCodes(), from);
    };
    const auto none = hn::Zero(PairCodes());
    each<3>([&](auto x) HWY_ATTR { upper[x] = pairUp(tap(0, x), tap(1, x)); });
    lower[0] = pairUp(tap(2, 0), tap(2, 1));
    lower[1] = pairUp(tap(2, 2), none);
    if constexpr (Stride == 1) {
      lower[2] = pairUp(none, tap(2, 0));
      lower[3] = pairUp(tap(2, 1), tap(2, 2));
    }
    // Inputs keep their zero point.
    const auto offset =
        hn::Set(PairD16(), static_cast<int16_t>(map.layer->zeroPoint));
    auto share = hn::Zero(d);
    each<3>([&](auto x) HWY_ATTR { addUpper(share, x, offset); });
    each<2>([&](auto part) HWY_ATTR { addLower(share, part, offset); });
    first = hn::Sub(hn::Load(d, parameters.start), share);
  }

  HWY_INLINE V start() const { return first; }
  /// Adds the products of the first two rows of the `x`th column of taps.
  HWY_INLINE void addUpper(V &sum, int x, PairVector codes) const {
    sum = multiplyAddPairs<false>(PairD(), sum, codes, upper[x]);
  }
  /// Those of the third row: of the first and second column of taps or of the
  /// third one; 2 and 3 are those of an output that begins inside of a pair.
  HWY_INLINE void addLower(V &sum, int part, PairVector codes) const {
    sum = multiplyAddPairs<false>(PairD(), sum, codes, lower[part]);
  }
  /// The quantised values of two outputs, one after another.
  HWY_INLINE hn::Vec<PairBytes> finish(V a, V b,
                                       const OutputFormat &format) const {
    auto narrow = requantizer(a, b);
    auto codes = finishTwo(PairD16(), narrow, narrow, format);
    const hn::Half<Codes8<PairD>> half;
    if constexpr (pairLanes == 4) {
      return hn::LowerHalf(half, codes);
    } else {
      const hn::Repartition<int32_t, decltype(half)> quads;
      return hn::BitCast(
          half, hn::InterleaveLower(
                    quads, hn::BitCast(quads, hn::LowerHalf(half, codes)),
                    hn::BitCast(quads, hn::UpperHalf(half, codes))));
    }
  }

private:
  V first;
  PairVector upper[3];
  PairVector lower[Stride == 1 ? 4 : 2];
  HighRequantizer<PairD> requantizer;
};

/// Rows of outputs of `pairLanes` channels, of fewer if `IsPartial`. Everything
/// is copied: what bytes are stored to might be what is referred to.
template <int Stride, bool IsPartial, class Inputs>
class PairRows {
public:
  HWY_INLINE PairRows(const ColumnMap &map,
                      const PairArithmetic<Stride, IsPartial> &arithmetic)
      : arithmetic(arithmetic), format(map.layer->format),
        count(map.columns->count), channels(map.channels),
        outColumn(map.outColumn) {}

  HWY_INLINE void run(Inputs inputs, int8_t *out) const {
    // The first columns that outputs share with those before.
    Shared shared;
    each<3 - Stride>(
        [&](auto i) HWY_ATTR { shared.upper[i] = upper<true>(inputs, i); });
    shared.lower = lower<true>(inputs, 0);
    int64_t left = count;
    for (; left >= 2; left -= 2) {
      auto codes = someTwo(inputs, shared);
      store(hn::LowerHalf(PairCodes(), codes), out);
      store(hn::UpperHalf(PairCodes(), codes), out + outColumn);
      out += 2 * outColumn;
      inputs.advance(2 * Stride);
    }
    if (left > 0)
      store(hn::LowerHalf(PairCodes(), someTwo(inputs, shared)), out);
  }

private:
  using V = hn::Vec<PairD>;

  struct Shared {
    PairVector upper[3 - Stride];
    PairVector lower;
  };

  HWY_INLINE hn::Vec<PairBytes> someTwo(const Inputs &inputs,
                                        Shared &shared) const {
    return HWY_LIKELY(inputs.areInside(2 * Stride + 2))
               ? two<false>(inputs, shared)
               : two<true>(inputs, shared);
  }

  /// The quantised values of two outputs; `IsChecked` if they may see padding.
  template <bool IsChecked>
  HWY_INLINE hn::Vec<PairBytes> two(const Inputs &inputs,
                                    Shared &shared) const {
    V a = arithmetic.start();
    V b = a;
    if constexpr (Stride == 1) {
      PairVector second = lower<IsChecked>(inputs, 2);
      PairVector third = upper<IsChecked>(inputs, 2);
      PairVector fourth = upper<IsChecked>(inputs, 3);
      arithmetic.addUpper(a, 0, shared.upper[0]);
      arithmetic.addUpper(b, 0, shared.upper[1]);
      arithmetic.addLower(a, 0, shared.lower);
      arithmetic.addLower(b, 2, shared.lower);
      arithmetic.addUpper(a, 1, shared.upper[1]);
      arithmetic.addUpper(b, 1, third);
      arithmetic.addUpper(a, 2, third);
      arithmetic.addUpper(b, 2, fourth);
      arithmetic.addLower(a, 1, second);
      arithmetic.addLower(b, 3, second);
      shared.upper[0] = third;
      shared.upper[1] = fourth;
      shared.lower = second;
    } else {
      PairVector second = lower<IsChecked>(inputs, 2);
      PairVector third = lower<IsChecked>(inputs, 4);
      PairVector middle = upper<IsChecked>(inputs, 2);
      PairVector last = upper<IsChecked>(inputs, 4);
      arithmetic.addUpper(a, 0, shared.upper[0]);
      arithmetic.addUpper(b, 0, middle);
      arithmetic.addUpper(a, 1, upper<IsChecked>(inputs, 1));
      arithmetic.addUpper(b, 1, upper<IsChecked>(inputs, 3));
      arithmetic.addUpper(a, 2, middle);
      arithmetic.addUpper(b, 2, last);
      arithmetic.addLower(a, 0, shared.lower);
      arithmetic.addLower(b, 0, second);
      arithmetic.addLower(a, 1, second);
      arithmetic.addLower(b, 1, third);
      shared.upper[0] = last;
      shared.lower = third;
    }
    return arithmetic.finish(a, b, format);
  }

  /// The pairs of the first two rows in a column.
  template <bool IsChecked>
  HWY_INLINE PairVector upper(const Inputs &inputs, int64_t column) const {
    return pairUp(load<IsChecked>(inputs, 0, column),
                  load<IsChecked>(inputs, 1, column));
  }
  /// Those of the third row in this column and the one after.
  template <bool IsChecked>
  HWY_INLINE PairVector lower(const Inputs &inputs, int64_t column) const {
    return pairUp(load<IsChecked>(inputs, 2, column),
                  load<IsChecked>(inputs, 2, column + 1));
  }

  template <bool IsChecked>
  HWY_INLINE hn::Vec<PairCodes> load(const Inputs &inputs, int row,
                                     int64_t column) const {
    const int8_t *from = inputs.template at<IsChecked>(row, column);
    if constexpr (IsPartial)
      return loadN(PairCodes(), from, channels);
    else
      return hn::LoadU(PairCodes(), from);
  }

  HWY_INLINE void store(hn::Vec<PairCodes> codes, int8_t *out) const {
    if constexpr (IsPartial)
      storeN(PairCodes(), codes, out, channels);
    else
      hn::StoreU(codes, PairCodes(), out);
  }

  PairArithmetic<Stride, IsPartial> arithmetic;
  OutputFormat format;
  int64_t count;
  int64_t channels;
  ptrdiff_t outColumn;
};

/// One row of some channels.
template <int Stride, bool IsPartial>
HWY_NOINLINE void
runPairRow(const ColumnMap &map,
           const PairArithmetic<Stride, IsPartial> &arithmetic,
           const ColumnRows &rows, int64_t channel, const int8_t *padding,
           int8_t *out) {
  PairRows<Stride, IsPartial, SparseInputs>(map, arithmetic)
      .run({map, rows, channel, padding}, out);
}

/// All rows of some channels of copies that have their padding.
template <int Stride, bool IsPartial>
HWY_NOINLINE void
runPairRows(const ColumnMap &map,
            const PairArithmetic<Stride, IsPartial> &arithmetic,
            int64_t channel) {
  const PairRows<Stride, IsPartial, DenseInputs> rows(map, arithmetic);
  const int8_t *in = map.input + channel;
  int8_t *out = map.out + channel;
  ptrdiff_t inRow = map.inRow * map.rows->dilation;
  ptrdiff_t inStep = map.inRow * map.rows->stride;
  ptrdiff_t inColumn = map.inColumn;
  ptrdiff_t outRow = map.outRow;
  int64_t end = map.endRow;
  for (int64_t y = 0; y < end; ++y)
    rows.run({in + y * inStep, inRow, inColumn}, out + y * outRow);
}

template <int Stride, bool IsPartial>
HWY_INLINE void runPairs(const ColumnMap &map, bool isPadded,
                         const int8_t *padding) {
  PairArithmetic<Stride, IsPartial> parts[columnChannels / pairLanes];
  int64_t channels[columnChannels / pairLanes];
  int64_t count = (map.channels + pairLanes - 1) / pairLanes;
  for (int64_t i = 0; i < count; ++i) {
    // The last channels may overlap those before.
    channels[i] =
        IsPartial ? 0 : HWY_MIN(i * pairLanes, map.channels - pairLanes);
    parts[i].set(map, channels[i]);
    if (isPadded)
      runPairRows<Stride, IsPartial>(map, parts[i], channels[i]);
  }
  for (int64_t y = map.firstRow; !isPadded && y < map.endRow; ++y) {
    const ColumnRows rows(map, y, padding);
    for (int64_t i = 0; i < count; ++i)
      runPairRow<Stride, IsPartial>(map, parts[i], rows, channels[i], padding,
                                    map.out + y * map.outRow + channels[i]);
  }
}

inline void runPairMap(const ColumnMap &map) {
  PaddedInputs inputs;
  ColumnMap padded = map;
  bool isPadded = inputs.set(padded);
  int8_t padding[columnChannels];
  std::memset(padding, map.layer->zeroPoint, columnChannels);
  bool isPartial = map.channels < pairLanes;
  if (map.columns->stride == 1)
    isPartial ? runPairs<1, true>(padded, isPadded, padding)
              : runPairs<1, false>(padded, isPadded, padding);
  else
    isPartial ? runPairs<2, true>(padded, isPadded, padding)
              : runPairs<2, false>(padded, isPadded, padding);
}

inline constexpr ColumnKernels pairColumnKernels = {smallestHighShift,
                                                    pairLanes, runPairMap};

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISEPAIRS_INL_H
