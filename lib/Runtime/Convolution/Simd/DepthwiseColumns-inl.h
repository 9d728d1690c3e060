// SPDX-License-Identifier: Apache-2.0
//
// Maps of depthwise outputs by columns of taps: a lane is a channel, and the
// three values of a column in it are multiplied at once. Columns stay in
// registers for all the outputs that see them. Included once per target; needs
// quads of bytes and high halves of products, so VNNI.

#if defined(MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISECOLUMNS_INL_H) ==        \
    defined(HWY_TARGET_TOGGLE)
#ifdef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISECOLUMNS_INL_H
#undef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISECOLUMNS_INL_H
#else
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISECOLUMNS_INL_H
#endif

#include "DepthwiseColumns.h"
#include "Runtime/Simd/Requantize-inl.h"

#if HWY_TARGET == HWY_AVX3
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// Vectors of 32-bit lanes that hold as many channels as a vector of bytes.
/// Interleaving rows puts, of each 16 channels, four into each vector;
/// narrowing undoes that.
inline constexpr int columnVectors = 4;

/// Interleaves three rows to quads: the fourth byte repeats the third unless
/// `HasZero`.
template <class D, bool HasZero, class V8>
HWY_INLINE void interleaveColumn(D d, V8 a, V8 b, V8 c,
                                 hn::Vec<D> (&quads)[columnVectors]) {
  const Codes8<D> d8;
  const Codes16<D> d16;
  auto last = c;
  if constexpr (HasZero)
    last = hn::Zero(d8);
  auto lowAB = hn::BitCast(d16, hn::InterleaveLower(d8, a, b));
  auto highAB = hn::BitCast(d16, hn::InterleaveUpper(d8, a, b));
  auto lowC = hn::BitCast(d16, hn::InterleaveLower(d8, c, last));
  auto highC = hn::BitCast(d16, hn::InterleaveUpper(d8, c, last));
  quads[0] = hn::BitCast(d, hn::InterleaveLower(d16, lowAB, lowC));
  quads[1] = hn::BitCast(d, hn::InterleaveUpper(d16, lowAB, lowC));
  quads[2] = hn::BitCast(d, hn::InterleaveLower(d16, highAB, highC));
  quads[3] = hn::BitCast(d, hn::InterleaveUpper(d16, highAB, highC));
}

/// Blocks of 128 bits, `I` and those after it, that begin at these addresses.
template <int I = 0, class D, int N>
HWY_INLINE hn::Vec<D> loadParts(D d, const hn::TFromD<D> *const (&from)[N]) {
  if constexpr (sizeof(hn::Vec<D>) == 16) {
    return hn::LoadU(d, from[I]);
  } else {
    const hn::Half<D> half;
    constexpr int next = I + static_cast<int>(sizeof(hn::Vec<D>) / 32);
    return hn::Combine(d, loadParts<next>(half, from),
                       loadParts<I>(half, from));
  }
}

/// The parameters of channels in the order of interleaved columns: each block
/// of 128 bits has those of a panel, or of the same one if `IsShared`.
template <class D, bool IsShared>
class ColumnParameters {
public:
  HWY_INLINE ColumnParameters(const ChannelBlock *blocks, int64_t channels) {
    // What lanes without a channel have is not used.
    int64_t last = IsShared ? 0 : getPanelCount(channels) - 1;
    for (int64_t i = 0; i < panels; ++i)
      from[i] = blocks + HWY_MIN(i, last);
  }

  HWY_INLINE hn::Vec<D> start(int vector) const {
    return load(d, [&](const ChannelBlock &block)
                       HWY_ATTR { return block.start + 4 * vector; });
  }
  /// Sets the requantizers of the first and the last two vectors.
  HWY_INLINE void set(HighRequantizer<D> (&requantizers)[2]) const {
    const auto zero = hn::Zero(d8);
    hn::Vec<D> preShifts[columnVectors];
    auto bytes = load(d8, [](const ChannelBlock &block)
                              HWY_ATTR { return block.scales.preShift; });
    interleaveColumn<D, true>(d, bytes, zero, zero, preShifts);
    bytes = load(d8, [](const ChannelBlock &block)
                         HWY_ATTR { return block.scales.shift; });
    hn::Vec<Codes16<D>> shifts[] = {
        hn::BitCast(d16, hn::InterleaveLower(d8, bytes, zero)),
        hn::BitCast(d16, hn::InterleaveUpper(d8, bytes, zero))};
    each<2>([&](auto i) HWY_ATTR {
      constexpr int half = decltype(i)::value;
      auto multiplier = load(d16, [](const ChannelBlock &block) HWY_ATTR {
        return block.scales.multiplier + 8 * half;
      });
      requantizers[half].set(preShifts[2 * half], preShifts[2 * half + 1],
                             multiplier, shifts[half]);
    });
  }

private:
  static constexpr int64_t panels = sizeof(hn::Vec<D>) / 16;
  static constexpr D d = {};
  static constexpr Codes8<D> d8 = {};
  static constexpr Codes16<D> d16 = {};

  /// Loads 16 bytes of each panel.
  template <class DTo, class Get>
  HWY_INLINE hn::Vec<DTo> load(DTo to, Get get) const {
    if constexpr (IsShared)
      return hn::LoadDup128(to, get(*from[0]));
    const hn::TFromD<DTo> *parts[panels];
    for (int64_t i = 0; i < panels; ++i)
      parts[i] = get(*from[i]);
    return loadParts(to, parts);
  }

  const ChannelBlock *from[panels];
};

/// Requantises sums of columns. Blocks of 128 bits are panels of one pixel, or,
/// if `IsShared`, the same panel of neighbouring pixels.
template <class D, bool IsShared, bool IsPartial>
class ColumnArithmetic {
public:
  using Column = hn::Vec<D>[columnVectors];

  explicit HWY_INLINE ColumnArithmetic(const ColumnMap &map)
      : format(map.layer->format) {
    const auto mask = hn::FirstN(d8, static_cast<size_t>(map.channels));
    each<3>([&](auto x) HWY_ATTR {
      auto tap = [&](int y) HWY_ATTR {
        const int8_t *from = map.tap(y, x);
        if constexpr (IsShared)
          return hn::LoadDup128(d8, from);
        else if constexpr (IsPartial)
          return hn::MaskedLoad(mask, d8, from);
        else
          return hn::LoadU(d8, from);
      };
      interleaveColumn<D, true>(d, tap(0), tap(1), tap(2), weights[x]);
    });
    const ColumnParameters<D, IsShared> parameters(map.blocks(), map.channels);
    parameters.set(requantizers);
    // What inputs are too high by, less than 256.
    const auto offset = hn::BitCast(
        d, hn::Set(d8, static_cast<int8_t>(map.layer->zeroPoint + 128)));
    each<columnVectors>([&](auto i) HWY_ATTR {
      auto share = hn::Zero(d);
      each<3>([&](auto x) HWY_ATTR {
        share =
            QuadDot<QuadInputs::Unsigned>::add(d, share, offset, weights[x][i]);
      });
      first[i] = hn::Sub(parameters.start(i), share);
    });
  }

  HWY_INLINE void start(Column &sums) const {
    each<columnVectors>([&](auto i) HWY_ATTR { sums[i] = first[i]; });
  }
  /// Adds the products of the `x`th column of taps.
  template <class X>
  HWY_INLINE void add(X x, const Column &column, Column &sums) const {
    each<columnVectors>([&](auto i) HWY_ATTR {
      sums[i] = QuadDot<QuadInputs::Unsigned>::add(d, sums[i], column[i],
                                                   weights[x][i]);
    });
  }
  HWY_INLINE hn::Vec<Codes8<D>> finish(const Column &sums) const {
    return finishTwo(Codes16<D>(), requantizers[0](sums[0], sums[1]),
                     requantizers[1](sums[2], sums[3]), format);
  }

private:
  static constexpr D d = {};
  static constexpr Codes8<D> d8 = {};

  OutputFormat format;
  Column first;
  Column weights[3];
  HighRequantizer<D> requantizers[2];
};

/// As many channels as a vector of bytes has lanes, or fewer if `IsPartial`.
template <class D, int Stride, bool IsPartial>
class ColumnKernel {
public:
  HWY_INLINE ColumnKernel(const ColumnMap &map, const int8_t *padding)
      : map(map), in(static_cast<uint64_t>(map.columns->in)), arithmetic(map),
        mask(hn::FirstN(d8, static_cast<size_t>(map.channels))),
        padding(padding) {}

  /// The outputs of row `y` from column `begin` to `end`.
  HWY_INLINE void run(int64_t y, int64_t begin, int64_t end) const {
    const ColumnRows rows(map, y, padding);
    int8_t *out = map.out + y * map.outRow + begin * map.outColumn;
    int64_t next = begin * Stride - map.columns->padding;
    Column columns[3];
    each<3 - Stride>([&](auto i) HWY_ATTR { load(rows, next++, columns[i]); });
    for (int64_t x = begin; x < end; ++x, out += map.outColumn) {
      each<Stride>([&](auto i) HWY_ATTR {
        load(rows, next++, columns[3 - Stride + i]);
      });
      Column sums;
      arithmetic.start(sums);
      each<3>([&](auto i) HWY_ATTR { arithmetic.add(i, columns[i], sums); });
      store(arithmetic.finish(sums), out);
      each<3 - Stride>([&](auto i) HWY_ATTR {
        each<columnVectors>([&](auto vector) HWY_ATTR {
          columns[i][vector] = columns[i + Stride][vector];
        });
      });
    }
  }

private:
  using Arithmetic = ColumnArithmetic<D, false, IsPartial>;
  using Column = typename Arithmetic::Column;
  static constexpr D d = {};
  static constexpr Codes8<D> d8 = {};

  HWY_INLINE void load(const ColumnRows &rows, int64_t column,
                       Column &to) const {
    bool isInside = static_cast<uint64_t>(column) < in;
    hn::Vec<Codes8<D>> codes[3];
    each<3>([&](auto i) HWY_ATTR {
      const int8_t *from =
          isInside ? rows.rows[i] + column * rows.steps[i] : padding;
      auto loaded =
          IsPartial ? hn::MaskedLoad(mask, d8, from) : hn::LoadU(d8, from);
      // Unsigned factors: 128 higher.
      codes[i] = hn::Xor(loaded, hn::Set(d8, INT8_MIN));
    });
    interleaveColumn<D, false>(d, codes[0], codes[1], codes[2], to);
  }

  HWY_INLINE void store(hn::Vec<Codes8<D>> codes, int8_t *out) const {
    if constexpr (IsPartial)
      hn::BlendedStore(codes, mask, d8, out);
    else
      hn::StoreU(codes, d8, out);
  }

  const ColumnMap &map;
  uint64_t in;
  Arithmetic arithmetic;
  hn::Mask<Codes8<D>> mask;
  const int8_t *padding;
};

/// One panel of four neighbouring pixels at once, none of which sees padding at
/// its sides.
class PixelKernel {
public:
  static constexpr int64_t pixels = 4;

  HWY_INLINE PixelKernel(const ColumnMap &map, const int8_t *padding)
      : map(map), arithmetic(map), padding(padding) {}

  /// At least four outputs: the last four may overlap those before.
  HWY_INLINE void run(int64_t y, int64_t begin, int64_t end) const {
    const ColumnRows rows(map, y, padding);
    int8_t *out = map.out + y * map.outRow;
    for (int64_t x = begin; x < end; x += pixels) {
      int64_t output = HWY_MIN(x, end - pixels);
      int64_t column = output * map.columns->stride - map.columns->padding;
      Column sums;
      arithmetic.start(sums);
      each<3>([&](auto tap) HWY_ATTR {
        Column loaded;
        load(rows, column + tap, loaded);
        arithmetic.add(tap, loaded, sums);
      });
      store(arithmetic.finish(sums), out + output * map.outColumn);
    }
  }

private:
  using D = hn::ScalableTag<int32_t>;
  using Arithmetic = ColumnArithmetic<D, true, false>;
  using Column = Arithmetic::Column;
  static_assert(hn::MaxLanes(D()) == 4 * pixels);

  HWY_INLINE void load(const ColumnRows &rows, int64_t column,
                       Column &to) const {
    const D d;
    const Codes8<D> d8;
    hn::Vec<Codes8<D>> codes[3];
    each<3>([&](auto i) HWY_ATTR {
      const int8_t *from = rows.rows[i] + column * rows.steps[i];
      const ptrdiff_t step = rows.steps[i] * map.columns->stride;
      auto part = [&](int64_t pixel) HWY_ATTR {
        return _mm_loadu_si128(
            reinterpret_cast<const __m128i *>(from + pixel * step));
      };
      auto all = _mm512_castsi128_si512(part(0));
      all = _mm512_inserti32x4(all, part(1), 1);
      all = _mm512_inserti32x4(all, part(2), 2);
      all = _mm512_inserti32x4(all, part(3), 3);
      codes[i] = hn::Xor(hn::Vec<Codes8<D>>{all}, hn::Set(d8, INT8_MIN));
    });
    interleaveColumn<D, false>(d, codes[0], codes[1], codes[2], to);
  }

  HWY_INLINE void store(hn::Vec<Codes8<D>> codes, int8_t *out) const {
    auto put = [&](int64_t pixel, __m128i part) HWY_ATTR {
      _mm_storeu_si128(reinterpret_cast<__m128i *>(out + pixel * map.outColumn),
                       part);
    };
    put(0, _mm512_castsi512_si128(codes.raw));
    put(1, _mm512_extracti32x4_epi32(codes.raw, 1));
    put(2, _mm512_extracti32x4_epi32(codes.raw, 2));
    put(3, _mm512_extracti32x4_epi32(codes.raw, 3));
  }

  const ColumnMap &map;
  Arithmetic arithmetic;
  const int8_t *padding;
};

template <class D, int Stride, bool IsPartial>
HWY_NOINLINE void runColumns(const ColumnMap &map, const int8_t *padding) {
  const ColumnKernel<D, Stride, IsPartial> kernel(map, padding);
  for (int64_t y = map.firstRow; y < map.endRow; ++y)
    kernel.run(y, 0, map.columns->count);
}

template <int Stride>
HWY_NOINLINE void runPixels(const ColumnMap &map, const int8_t *padding) {
  const PhaseAxis &columns = *map.columns;
  int64_t begin = (columns.padding + Stride - 1) / Stride;
  int64_t last = columns.in - 3 + columns.padding;
  int64_t end = HWY_MIN(last / Stride + 1, columns.count);
  if (last < 0 || end - begin < PixelKernel::pixels) {
    runColumns<hn::FixedTag<int32_t, 4>, Stride, false>(map, padding);
    return;
  }
  const ColumnKernel<hn::FixedTag<int32_t, 4>, Stride, false> sides(map,
                                                                    padding);
  const PixelKernel kernel(map, padding);
  for (int64_t y = map.firstRow; y < map.endRow; ++y) {
    if (begin > 0)
      sides.run(y, 0, begin);
    kernel.run(y, begin, end);
    if (end < columns.count)
      sides.run(y, end, columns.count);
  }
}

template <class D, int Stride>
HWY_INLINE void getRunChannels(const ColumnMap &map, const int8_t *padding) {
  bool isWhole =
      map.channels == static_cast<int64_t>(hn::MaxLanes(Codes8<D>()));
  if (!isWhole)
    runColumns<D, Stride, true>(map, padding);
  else if constexpr (hn::MaxLanes(D()) == 4)
    runPixels<Stride>(map, padding);
  else
    runColumns<D, Stride, false>(map, padding);
}

template <class D>
HWY_INLINE void getRunColumns(const ColumnMap &map) {
  HWY_ALIGN int8_t padding[hn::MaxLanes(Codes8<D>())];
  hn::Store(hn::Set(Codes8<D>(), static_cast<int8_t>(map.layer->zeroPoint)),
            Codes8<D>(), padding);
  if (map.columns->stride == 1)
    getRunChannels<D, 1>(map, padding);
  else
    getRunChannels<D, 2>(map, padding);
}

inline void runColumnMap(const ColumnMap &map) {
  if (map.channels <= 16)
    getRunColumns<hn::FixedTag<int32_t, 4>>(map);
  else if (map.channels <= 32)
    getRunColumns<hn::FixedTag<int32_t, 8>>(map);
  else
    getRunColumns<hn::ScalableTag<int32_t>>(map);
}

inline constexpr ColumnKernels columnKernels = {smallestHighShift,
                                                panelChannels, runColumnMap};

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISECOLUMNS_INL_H
