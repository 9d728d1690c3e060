// SPDX-License-Identifier: Apache-2.0

#include "Dense.h"

#include "Runtime/Simd/Scratch.h"
#include "Runtime/Simd/Target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Runtime/Convolution/Simd/Dense.cpp"
#include "hwy/foreach_target.h"

#include "Prepare-inl.h"
#include "Runtime/Simd/Requantize-inl.h"
#include "Runtime/Simd/Rows-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// Matrices up to this size are walked by columns; larger ones by some rows at
/// a time, which are then read one after another.
inline constexpr int64_t columnwiseBytes = 256 << 10;
inline constexpr int64_t rowsAtOnce = 32;

/// Sums of one block of columns. The weights of a group of rows are interleaved
/// inside of blocks of 16 bytes, so vector i holds of each such block columns
/// 4i to 4i + 3.
template <class Dot, class D>
class DenseBlock {
public:
  using V = hn::Vec<D>;
  static constexpr int64_t lanes = hn::MaxLanes(D());
  static constexpr int64_t columns = 4 * lanes;

  HWY_INLINE void load(const int32_t *from) {
    each<4>([&](auto i) HWY_ATTR {
      sums[i] = hn::LoadU(d, from + i * lanes);
      weightSums[i] = hn::Zero(d);
    });
  }
  /// `offset` is what the inputs are too high by.
  HWY_INLINE void store(int32_t offset, int32_t *to) const {
    each<4>([&](auto i) HWY_ATTR {
      auto sum = sums[i];
      if constexpr (Dot::group == 4)
        sum = hn::Sub(sum, hn::Mul(weightSums[i], hn::Set(d, offset)));
      hn::StoreU(sum, d, to + i * lanes);
    });
  }

  /// Adds the products of a group of inputs and of rows.
  HWY_INLINE void add(V input, const int8_t *const *rows) {
    if constexpr (Dot::group == 4)
      addQuads(input, rows);
    else
      addPairs(input, rows);
  }

private:
  HWY_INLINE void addQuads(V input, const int8_t *const *rows) {
    const Codes8<D> d8;
    const Codes16<D> d16;
    auto a = hn::LoadU(d8, rows[0]);
    auto b = hn::LoadU(d8, rows[1]);
    auto e = hn::LoadU(d8, rows[2]);
    auto f = hn::LoadU(d8, rows[3]);
    auto lowAB = hn::BitCast(d16, hn::InterleaveLower(d8, a, b));
    auto highAB = hn::BitCast(d16, hn::InterleaveUpper(d8, a, b));
    auto lowEF = hn::BitCast(d16, hn::InterleaveLower(d8, e, f));
    auto highEF = hn::BitCast(d16, hn::InterleaveUpper(d8, e, f));
    addTo(0, input, hn::InterleaveLower(d16, lowAB, lowEF));
    addTo(1, input, hn::InterleaveUpper(d16, lowAB, lowEF));
    addTo(2, input, hn::InterleaveLower(d16, highAB, highEF));
    addTo(3, input, hn::InterleaveUpper(d16, highAB, highEF));
  }

  HWY_INLINE void addPairs(V input, const int8_t *const *rows) {
    const Codes8<D> d8;
    auto a = hn::LoadU(d8, rows[0]);
    auto b = hn::LoadU(d8, rows[1]);
    addWidened(0, input, hn::InterleaveLower(d8, a, b));
    addWidened(2, input, hn::InterleaveUpper(d8, a, b));
  }
  template <class V8>
  HWY_INLINE void addWidened(int first, V input, V8 pairs) {
    const Codes8<D> d8;
    const Codes16<D> d16;
    addTo(first, input,
          hn::ShiftRight<8>(
              hn::BitCast(d16, hn::InterleaveLower(d8, pairs, pairs))));
    addTo(first + 1, input,
          hn::ShiftRight<8>(
              hn::BitCast(d16, hn::InterleaveUpper(d8, pairs, pairs))));
  }
  template <class V16>
  HWY_INLINE void addTo(int i, V input, V16 weights) {
    if constexpr (Dot::group == 4) {
      auto quads = hn::BitCast(d, weights);
      sums[i] = Dot::add(d, sums[i], input, quads);
      weightSums[i] = Dot::add(d, weightSums[i], hn::Set(d, 0x01010101), quads);
    } else {
      sums[i] = Dot::add(d, sums[i], input, weights);
    }
  }

  static constexpr D d = {};
  V sums[4];
  V weightSums[4];
};

/// Prepared inputs, and what they are too high by.
struct DenseInputs {
  const char *groups;
  int32_t offset;
};

/// All rows of some columns, or some rows of all: the sums live in `sums`
/// between calls.
template <class Dot, class D>
HWY_INLINE void addRows(const DenseInputs &inputs, const DenseMatrix &matrix,
                        int64_t firstRow, int64_t endRow, int64_t column,
                        const int8_t *zeros, int32_t *sums) {
  const D d;
  DenseBlock<Dot, D> block;
  block.load(sums);
  const int8_t *from = matrix.weights + firstRow * matrix.rowStride + column;
  const int8_t *rows[Dot::group];
  int64_t row = firstRow;
  for (; row + Dot::group <= endRow; row += Dot::group) {
    for (int i = 0; i < Dot::group; ++i)
      rows[i] = from + i * matrix.rowStride;
    block.add(broadcast(d, inputs.groups + row / Dot::group * 4), rows);
    from += Dot::group * matrix.rowStride;
  }
  if (row < endRow) {
    for (int i = 0; i < Dot::group; ++i)
      rows[i] = row + i < endRow ? from + i * matrix.rowStride : zeros;
    block.add(broadcast(d, inputs.groups + row / Dot::group * 4), rows);
  }
  block.store(inputs.offset, sums);
}

/// Adds the sums of a block of columns in their order.
template <class D>
void scatter(const int32_t *block, int32_t *sums) {
  constexpr int64_t lanes = hn::MaxLanes(D());
  const hn::FixedTag<int32_t, 4> quad;
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t j = 0; j < lanes / 4; ++j) {
      int32_t *to = sums + 16 * j + 4 * i;
      hn::StoreU(hn::Add(hn::LoadU(quad, to),
                         hn::LoadU(quad, block + i * lanes + 4 * j)),
                 quad, to);
    }
}

/// Columns from `first` to `end`, at least one block of them: the last block
/// overlaps the one before.
template <class Dot, class D>
bool addColumns(const DenseInputs &inputs, const DenseMatrix &matrix,
                int64_t first, int64_t end, int32_t *sums) {
  constexpr int64_t size = DenseBlock<Dot, D>::columns;
  constexpr int8_t zeros[size] = {};
  int64_t blocks = (end - first + size - 1) / size;
  Scratch memory(blocks * size * sizeof(int32_t));
  if (!memory.get())
    return false;
  auto *parts = reinterpret_cast<int32_t *>(memory.get());
  std::memset(parts, 0, blocks * size * sizeof(int32_t));
  auto getColumn = [&](int64_t block) {
    return block + 1 == blocks ? end - size : first + block * size;
  };
  int64_t step = matrix.rows * matrix.columns <= columnwiseBytes ? matrix.rows
                                                                 : rowsAtOnce;
  for (int64_t row = 0; row < matrix.rows; row += step)
    for (int64_t block = 0; block < blocks; ++block)
      addRows<Dot, D>(inputs, matrix, row,
                      row + step < matrix.rows ? row + step : matrix.rows,
                      getColumn(block), zeros, parts + block * size);
  for (int64_t block = 0; block < blocks; ++block) {
    int32_t whole[size] = {};
    scatter<D>(parts + block * size, whole);
    int64_t column = getColumn(block);
    // Skips products that the block before has added already.
    int64_t skipped = first + block * size - column;
    for (int64_t i = skipped; i < size; ++i)
      sums[column + i] =
          static_cast<int32_t>(static_cast<uint32_t>(sums[column + i]) +
                               static_cast<uint32_t>(whole[i]));
  }
  return true;
}

/// Fewer columns than a block has, from copies of the rows.
template <class Dot>
void addFewColumns(const DenseInputs &inputs, const DenseMatrix &matrix,
                   int64_t first, int32_t *sums) {
  using D = hn::FixedTag<int32_t, 4>;
  int8_t copies[4][16] = {};
  int32_t parts[16] = {};
  int32_t whole[16] = {};
  auto left = static_cast<size_t>(matrix.columns - first);
  DenseBlock<Dot, D> block;
  block.load(parts);
  for (int64_t row = 0; row < matrix.rows; row += Dot::group) {
    const int8_t *rows[Dot::group];
    for (int i = 0; i < Dot::group; ++i) {
      rows[i] = copies[i];
      if (row + i < matrix.rows)
        std::memcpy(copies[i],
                    matrix.weights + (row + i) * matrix.rowStride + first,
                    left);
      else
        std::memset(copies[i], 0, left);
    }
    block.add(broadcast(D(), inputs.groups + row / Dot::group * 4), rows);
  }
  block.store(inputs.offset, parts);
  scatter<D>(parts, whole);
  for (size_t i = 0; i < left; ++i)
    sums[first + i] =
        static_cast<int32_t>(static_cast<uint32_t>(sums[first + i]) +
                             static_cast<uint32_t>(whole[i]));
}

/// How the weights of a matrix of N columns lie in 16 bytes: pairs of rows of
/// each column, and the bytes of inputs that they are multiplied with.
template <int N>
struct NarrowOrder {
  static constexpr int rows = 16 / N;
  constexpr NarrowOrder() {
    for (int i = 0; i < 16; ++i) {
      int column = i / 2 % N;
      int row = i / 2 / N * 2 + i % 2;
      weights[i] = static_cast<int8_t>(row * N + column);
      inputs[i] = static_cast<int8_t>(row);
    }
  }
  alignas(16) int8_t weights[16] = {};
  alignas(16) int8_t inputs[16] = {};
};

/// Count inputs, at the beginning of 16 bytes.
template <int64_t Count>
HWY_INLINE auto loadInputs(const int8_t *in) {
  const hn::FixedTag<int8_t, 16> d8;
  if constexpr (Count == 16) {
    return hn::LoadU(d8, in);
  } else {
    using Bytes = std::conditional_t<Count == 8, uint64_t, uint32_t>;
    static_assert(sizeof(Bytes) == Count);
    Bytes bytes;
    std::memcpy(&bytes, in, sizeof(bytes));
    return hn::BitCast(d8, hn::Set(hn::FixedTag<Bytes, 16 / Count>(), bytes));
  }
}

/// The first rows of a matrix of N columns without gaps, as many as whole
/// vectors have; returns how many.
template <int N>
int64_t addNarrowVectors(const int8_t *in, int32_t zeroPoint,
                         const DenseMatrix &matrix, uint32_t *totals) {
  static constexpr NarrowOrder<N> order;
  const hn::FixedTag<int8_t, 16> d8;
  const hn::CappedTag<int32_t, 8> d;
  const Codes16<decltype(d)> d16;
  constexpr int64_t lanes = hn::MaxLanes(d);
  constexpr bool isWhole = 2 * lanes == 16;
  const auto weightOrder = hn::Load(d8, order.weights);
  const auto inputOrder = hn::Load(d8, order.inputs);
  const auto zero = hn::Set(d16, static_cast<int16_t>(zeroPoint));
  hn::Vec<decltype(d)> sums[2] = {hn::Zero(d), hn::Zero(d)};
  auto add = [&](int i, auto inputs, auto weights) HWY_ATTR {
    sums[i] = multiplyAddPairs<false>(d, sums[i],
                                      hn::Sub(hn::PromoteTo(d16, inputs), zero),
                                      hn::PromoteTo(d16, weights));
  };
  int64_t row = 0;
  constexpr int64_t step = NarrowOrder<N>::rows;
  for (; row + step <= matrix.rows; row += step) {
    auto inputs = hn::TableLookupBytes(loadInputs<step>(in + row), inputOrder);
    auto weights = hn::TableLookupBytes(hn::LoadU(d8, matrix.weights + row * N),
                                        weightOrder);
    if constexpr (isWhole) {
      add(0, inputs, weights);
    } else {
      const hn::Half<decltype(d8)> half;
      add(0, hn::LowerHalf(half, inputs), hn::LowerHalf(half, weights));
      add(1, hn::UpperHalf(half, inputs), hn::UpperHalf(half, weights));
    }
  }
  HWY_ALIGN uint32_t parts[lanes];
  hn::Store(hn::BitCast(hn::RebindToUnsigned<decltype(d)>(),
                        hn::Add(sums[0], sums[1])),
            hn::RebindToUnsigned<decltype(d)>(), parts);
  for (int64_t i = 0; i < lanes; ++i)
    totals[i % N] += parts[i];
  return row;
}

/// The columns of a matrix that has N, without gaps.
template <int N, typename Code>
void addAllColumns(const Code *in, int32_t zeroPoint, const DenseMatrix &matrix,
                   int32_t *sums) {
  uint32_t totals[N] = {};
  int64_t row = 0;
  if constexpr (sizeof(Code) == 1)
    row = addNarrowVectors<N>(in, zeroPoint, matrix, totals);
  for (; row < matrix.rows; ++row)
    for (int column = 0; column < N; ++column)
      totals[column] += static_cast<uint32_t>((in[row] - zeroPoint) *
                                              matrix.weights[row * N + column]);
  for (int column = 0; column < N; ++column)
    sums[column] = static_cast<int32_t>(static_cast<uint32_t>(sums[column]) +
                                        totals[column]);
}

/// False if the matrix is not a narrow one without gaps.
template <typename Code>
bool addNarrow(const Code *in, int32_t zeroPoint, const DenseMatrix &matrix,
               int32_t *sums) {
  if (matrix.rowStride != matrix.columns)
    return false;
  switch (matrix.columns) {
  case 1:
    addAllColumns<1>(in, zeroPoint, matrix, sums);
    return true;
  case 2:
    addAllColumns<2>(in, zeroPoint, matrix, sums);
    return true;
  case 4:
    addAllColumns<4>(in, zeroPoint, matrix, sums);
    return true;
  default:
    return false;
  }
}

template <class Dot>
bool addPrepared(const DenseInputs &inputs, const DenseMatrix &matrix,
                 int32_t *sums) {
  using Wide = hn::ScalableTag<int32_t>;
  using Narrow = hn::FixedTag<int32_t, 4>;
  if (matrix.columns >= DenseBlock<Dot, Wide>::columns)
    return addColumns<Dot, Wide>(inputs, matrix, 0, matrix.columns, sums);
  if (matrix.columns >= 16)
    return addColumns<Dot, Narrow>(inputs, matrix, 0, matrix.columns, sums);
  addFewColumns<Dot>(inputs, matrix, 0, sums);
  return true;
}

inline bool addInputs8(const int8_t *in, int32_t zeroPoint,
                       const DenseMatrix &matrix, int32_t *sums) {
  if (addNarrow(in, zeroPoint, matrix, sums))
    return true;
  Scratch memory(2 * matrix.rows + 16);
  if (!memory.get())
    return false;
  prepareWidened(CodeRows::one(in, matrix.rows, memory.get()), zeroPoint);
  std::memset(memory.get() + 2 * matrix.rows, 0, 16);
  return addPrepared<PairDot<int16_t, false>>({memory.get(), 0}, matrix, sums);
}

template <bool HasDot>
bool addInputs16(const int16_t *in, int32_t /*zeroPoint*/,
                 const DenseMatrix &matrix, int32_t *sums) {
  if (addNarrow(in, 0, matrix, sums))
    return true;
  Scratch memory(2 * matrix.rows + 16);
  if (!memory.get())
    return false;
  std::memcpy(memory.get(), in, 2 * matrix.rows);
  std::memset(memory.get() + 2 * matrix.rows, 0, 16);
  return addPrepared<PairDot<int16_t, HasDot>>({memory.get(), 0}, matrix, sums);
}

#if MLI_SIMD_HAS_DOT
/// With quads the inputs keep their zero point, and unsigned ones are 128
/// higher.
template <QuadInputs Quads>
bool addQuads8(const int8_t *in, int32_t zeroPoint, const DenseMatrix &matrix,
               int32_t *sums) {
  if (addNarrow(in, zeroPoint, matrix, sums))
    return true;
  Scratch memory(matrix.rows + 4);
  if (!memory.get())
    return false;
  if constexpr (Quads == QuadInputs::Signed)
    std::memcpy(memory.get(), in, static_cast<size_t>(matrix.rows));
  else
    prepareOffset(CodeRows::one(in, matrix.rows, memory.get()), zeroPoint);
  std::memset(memory.get() + matrix.rows, 0, 4);
  int32_t offset = Quads == QuadInputs::Signed ? zeroPoint : zeroPoint + 128;
  return addPrepared<QuadDot<Quads>>({memory.get(), offset}, matrix, sums);
}
#endif

inline void finishSums(const int32_t *sums, const ChannelBlock *blocks,
                       const OutputFormat &format, int64_t channels,
                       int8_t *out) {
  const hn::CappedTag<int32_t, 8> d;
  const Codes16<decltype(d)> d16;
  constexpr int64_t lanes = hn::MaxLanes(d);
  const hn::Rebind<int8_t, decltype(d16)> dc;
  for (int64_t channel = 0; channel < channels; channel += 2 * lanes) {
    const ChannelBlock &block = blocks[channel / panelChannels];
    int64_t lane = channel % panelChannels;
    auto a =
        hn::Add(hn::LoadU(d, sums + channel), hn::LoadU(d, block.start + lane));
    auto b = hn::Add(hn::LoadU(d, sums + channel + lanes),
                     hn::LoadU(d, block.start + lane + lanes));
    auto codes = finishCodes(d16,
                             requantize(d, a, loadScales(d, block, lane), b,
                                        loadScales(d, block, lane + lanes)),
                             format);
    if (channel + 2 * lanes <= channels)
      hn::StoreU(codes, dc, out + channel);
    else
      storeN(dc, codes, out + channel, channels - channel);
  }
}

#if MLI_SIMD_HAS_DOT
template <QuadInputs Quads>
inline constexpr DenseKernels dense = {
    addQuads8<Quads>, addInputs16<hasPairDot<Quads>>, finishSums};
template <>
inline constexpr DenseKernels dense<QuadInputs::None> = {
    addInputs8, addInputs16<false>, finishSums};
#else
template <QuadInputs>
inline constexpr DenseKernels dense = {addInputs8, addInputs16<false>,
                                       finishSums};
#endif

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace mli::rt::simd {

const DenseKernels *denseKernels() {
  return MLI_SIMD_CHOOSE_DOT(DenseKernels, dense);
}

} // namespace mli::rt::simd
#endif
