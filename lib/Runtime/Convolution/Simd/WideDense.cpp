// SPDX-License-Identifier: Apache-2.0

#include "Dense.h"

#include "Runtime/Simd/Scratch.h"
#include "Runtime/Simd/Target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Runtime/Convolution/Simd/WideDense.cpp"
#include "hwy/foreach_target.h"

#include "Interleave-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// Rows of a pass: their products with the lower bytes of weights fit 32 bits.
inline constexpr int64_t maxRows = 254;

/// Larger matrices are walked by fewer rows at a time, which are then read one
/// after another.
inline constexpr int64_t columnwiseWideBytes = 256 << 10;
inline constexpr int64_t wideRowsAtOnce = 32;

/// Columns of as many vectors of 16-bit weights, whose bytes are multiplied
/// each on its own.
template <bool HasDot, int Vectors>
class WideBlock {
  using D = hn::ScalableTag<int32_t>;
  using V = hn::Vec<D>;

public:
  static constexpr int64_t lanes = hn::MaxLanes(Codes16<D>());
  static constexpr int64_t columns = Vectors * lanes;

  HWY_INLINE WideBlock() {
    each<2 * Vectors>([&](auto i) HWY_ATTR {
      low[i] = hn::Zero(D());
      high[i] = hn::Zero(D());
    });
  }

  /// Adds the products of two inputs and of two rows.
  HWY_INLINE void add(const int16_t *inputs, const int16_t *row,
                      const int16_t *next) {
    const Codes16<D> d16;
    auto input = hn::BitCast(d16, broadcast(D(), inputs));
    each<Vectors>([&](auto i) HWY_ATTR {
      auto a = hn::LoadU(d16, row + i * lanes);
      auto b = hn::LoadU(d16, next + i * lanes);
      addTo(2 * i, input, hn::InterleaveLower(d16, a, b));
      addTo(2 * i + 1, input, hn::InterleaveUpper(d16, a, b));
    });
  }

  /// Adds the sums to those of 64 bits.
  HWY_INLINE void addTo(int64_t *sums) const {
    each<Vectors>([&](auto i) HWY_ATTR {
      BlockPair<D> lows(low[2 * i], low[2 * i + 1]);
      BlockPair<D> highs(high[2 * i], high[2 * i + 1]);
      int64_t *to = sums + i * lanes;
      addVector(lows.first, highs.first, to);
      addVector(lows.second, highs.second, to + lanes / 2);
    });
  }

private:
  template <class W>
  HWY_INLINE void addTo(int i, W input, W weights) {
    const Codes16<D> d16;
    low[i] = multiplyAddPairs<HasDot>(D(), low[i], input,
                                      hn::And(weights, hn::Set(d16, 255)));
    high[i] = multiplyAddPairs<HasDot>(D(), high[i], input,
                                       hn::ShiftRight<8>(weights));
  }
  static HWY_INLINE void addVector(V low, V high, int64_t *to) {
    const hn::Half<D> half;
    addHalf(hn::LowerHalf(half, low), hn::LowerHalf(half, high), to);
    addHalf(hn::UpperHalf(half, low), hn::UpperHalf(half, high),
            to + hn::MaxLanes(half));
  }
  template <class H>
  static HWY_INLINE void addHalf(H low, H high, int64_t *to) {
    const hn::Repartition<int64_t, D> d64;
    auto sum = hn::Add(hn::PromoteTo(d64, low),
                       hn::ShiftLeft<8>(hn::PromoteTo(d64, high)));
    hn::StoreU(hn::Add(hn::LoadU(d64, to), sum), d64, to);
  }

  V low[2 * Vectors];
  V high[2 * Vectors];
};

/// Adds the products of rows `first` to `end` - 1 with columns from `column`
/// on. For an odd number of rows the input ends with a zero.
template <class Block>
HWY_INLINE void addWideRows(const int16_t *in, const WideMatrix &matrix,
                            int64_t first, int64_t end, int64_t column,
                            int64_t *sums) {
  static constexpr int16_t zeros[Block::columns] = {};
  Block block;
  const int16_t *row = matrix.weights + first * matrix.rowStride + column;
  for (int64_t i = first; i < end; i += 2, row += 2 * matrix.rowStride)
    block.add(in + i, row, i + 1 < end ? row + matrix.rowStride : zeros);
  block.addTo(sums);
}

/// The same of all columns: those that fill no vector are computed with some
/// before them, or from copies.
template <bool HasDot>
void addWideColumns(const int16_t *in, const WideMatrix &matrix, int64_t first,
                    int64_t end, int64_t *sums) {
  using One = WideBlock<HasDot, 1>;
  using Two = WideBlock<HasDot, 2>;
  int64_t column = 0;
  for (; column + Two::columns <= matrix.columns; column += Two::columns)
    addWideRows<Two>(in, matrix, first, end, column, sums + column);
  for (; column + One::columns <= matrix.columns; column += One::columns)
    addWideRows<One>(in, matrix, first, end, column, sums + column);
  if (column == matrix.columns)
    return;
  int64_t parts[One::columns] = {};
  if (matrix.columns >= One::columns) {
    int64_t start = matrix.columns - One::columns;
    addWideRows<One>(in, matrix, first, end, start, parts);
    for (int64_t i = column - start; i < One::columns; ++i)
      sums[start + i] += parts[i];
    return;
  }
  int16_t copies[2][One::columns] = {};
  auto bytes = static_cast<size_t>(matrix.columns) * sizeof(int16_t);
  One block;
  for (int64_t i = first; i < end; i += 2) {
    const int16_t *row = matrix.weights + i * matrix.rowStride;
    std::memcpy(copies[0], row, bytes);
    if (i + 1 < end)
      std::memcpy(copies[1], row + matrix.rowStride, bytes);
    else
      std::memset(copies[1], 0, bytes);
    block.add(in + i, copies[0], copies[1]);
  }
  block.addTo(parts);
  for (int64_t i = 0; i < matrix.columns; ++i)
    sums[i] += parts[i];
}

/// Columns that are not worth vectors.
inline constexpr int64_t fewWideColumns = 6;

inline void addFewWideColumns(const int16_t *in, const WideMatrix &matrix,
                              int64_t *sums) {
  for (int64_t column = 0; column < matrix.columns; ++column) {
    int64_t sum = 0;
    for (int64_t row = 0; row < matrix.rows; ++row)
      sum += in[row] * matrix.weights[row * matrix.rowStride + column];
    sums[column] += sum;
  }
}

template <bool HasDot>
bool addWide(const int16_t *in, const WideMatrix &matrix, int64_t *sums) {
  if (matrix.columns <= fewWideColumns) {
    addFewWideColumns(in, matrix, sums);
    return true;
  }
  Scratch memory((matrix.rows + 1) * sizeof(int16_t));
  if (!memory.get())
    return false;
  auto *inputs = reinterpret_cast<int16_t *>(memory.get());
  std::memcpy(inputs, in, static_cast<size_t>(matrix.rows) * sizeof(int16_t));
  inputs[matrix.rows] = 0;
  int64_t bytes = matrix.rows * matrix.columns * int64_t{sizeof(int16_t)};
  int64_t step = bytes <= columnwiseWideBytes ? maxRows : wideRowsAtOnce;
  for (int64_t row = 0; row < matrix.rows; row += step)
    addWideColumns<HasDot>(inputs, matrix, row,
                           row + step < matrix.rows ? row + step : matrix.rows,
                           sums);
  return true;
}

template <QuadInputs Quads>
inline constexpr WideDenseKernels wideDense = {addWide<hasPairDot<Quads>>};

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace mli::rt::simd {

const WideDenseKernels *wideDenseKernels() {
  return MLI_SIMD_CHOOSE_DOT(WideDenseKernels, wideDense);
}

} // namespace mli::rt::simd
#endif
