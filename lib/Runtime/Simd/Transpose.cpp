// SPDX-License-Identifier: Apache-2.0

#include "Runtime/Simd/StridedCopy.h"

#include "Runtime/Simd/Target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Runtime/Simd/Transpose.cpp"
#include "hwy/foreach_target.h"

#include "Runtime/Simd/Dot-inl.h"

#if MLI_SIMD_HAS_KERNELS
HWY_BEFORE_NAMESPACE();
namespace mli::rt::simd {
namespace HWY_NAMESPACE {

/// Square blocks whose rows are 16 bytes.
template <typename Word>
class Block {
public:
  static constexpr int size = 16 / sizeof(Word);

  /// All rows can be read to 16 bytes; `used` ones of them are.
  HWY_INLINE void load(const Word *from, ptrdiff_t step, int64_t used) {
    each<size>([&](auto i) HWY_ATTR {
      rows[i] = i < used ? hn::LoadU(D(), from + i * step) : hn::Zero(D());
    });
  }
  /// Each iteration makes the highest bit of a row's number the lowest of a
  /// column's.
  HWY_INLINE void transpose() {
    each<rounds>([&](auto) HWY_ATTR {
      V next[size];
      each<size / 2>([&](auto i) HWY_ATTR {
        next[2 * i] = hn::InterleaveLower(D(), rows[i], rows[i + size / 2]);
        next[2 * i + 1] = hn::InterleaveUpper(D(), rows[i], rows[i + size / 2]);
      });
      each<size>([&](auto i) HWY_ATTR { rows[i] = next[i]; });
    });
  }
  /// Stores 16 bytes of each of `used` rows.
  HWY_INLINE void store(Word *to, ptrdiff_t step, int64_t used) const {
    each<size>([&](auto i) HWY_ATTR {
      if (i < used)
        hn::StoreU(rows[i], D(), to + i * step);
    });
  }

private:
  using D = hn::FixedTag<Word, size>;
  using V = hn::Vec<D>;
  static constexpr int rounds = size == 16 ? 4 : size == 8 ? 3 : 2;
  V rows[size];
};

template <typename Word>
void transposeScalar(const Transposition &shape, const Word *source,
                     Word *target) {
  for (int64_t row = 0; row < shape.rows; ++row)
    for (int64_t column = 0; column < shape.columns; ++column)
      target[column * shape.targetStep + row] =
          source[row * shape.sourceStep + column];
}

/// Blocks at the end overlap those before them.
template <typename Word>
void transposeBlocks(const Transposition &shape, const Word *source,
                     Word *target) {
  constexpr int64_t size = Block<Word>::size;
  // Rows that are far apart share places in the cache: few of them at a time.
  int64_t lineRows = shape.sourceStep > shape.targetStep
                         ? size
                         : static_cast<int64_t>(64 / sizeof(Word));
  for (int64_t line = 0; line < shape.rows; line += lineRows)
    for (int64_t k = 0; k < shape.columns; k += size) {
      int64_t column = HWY_MIN(k, shape.columns - size);
      for (int64_t i = line; i < HWY_MIN(line + lineRows, shape.rows);
           i += size) {
        int64_t row = HWY_MIN(i, shape.rows - size);
        Block<Word> block;
        block.load(source + row * shape.sourceStep + column, shape.sourceStep,
                   size);
        block.transpose();
        block.store(target + column * shape.targetStep + row, shape.targetStep,
                    size);
      }
    }
}

/// Fewer columns than a block has. Elements that are read after a row are still
/// in the matrix, but for the last rows.
template <typename Word>
void transposeNarrow(const Transposition &shape, const Word *source,
                     Word *target) {
  constexpr int64_t size = Block<Word>::size;
  int64_t row = 0;
  int64_t last = (shape.rows - 1) * shape.sourceStep + shape.columns;
  for (; row + size <= shape.rows &&
         (row + size - 1) * shape.sourceStep + size <= last;
       row += size) {
    Block<Word> block;
    block.load(source + row * shape.sourceStep, shape.sourceStep, size);
    block.transpose();
    block.store(target + row, shape.targetStep, shape.columns);
  }
  Transposition rest = shape;
  rest.rows -= row;
  transposeScalar(rest, source + row * shape.sourceStep, target + row);
}

/// Fewer rows than a block has. Elements that are stored after a row of the
/// target are overwritten by the next, so there are no gaps, and the last are
/// left.
template <typename Word>
void transposeShort(const Transposition &shape, const Word *source,
                    Word *target) {
  constexpr int64_t size = Block<Word>::size;
  int64_t column = 0;
  for (; (column + size - 1) * shape.targetStep + size <=
         shape.columns * shape.rows;
       column += size) {
    Block<Word> block;
    block.load(source + column, shape.sourceStep, shape.rows);
    block.transpose();
    block.store(target + column * shape.targetStep, shape.targetStep, size);
  }
  Transposition rest = shape;
  rest.columns -= column;
  transposeScalar(rest, source + column, target + column * shape.targetStep);
}

template <typename Word>
void transpose(const Transposition &shape, const Word *source, Word *target) {
  constexpr int64_t size = Block<Word>::size;
  if (shape.rows >= size && shape.columns >= size)
    transposeBlocks(shape, source, target);
  else if (shape.rows >= size && shape.columns > 1)
    transposeNarrow(shape, source, target);
  else if (shape.columns >= size && shape.targetStep == shape.rows &&
           shape.rows > 1)
    transposeShort(shape, source, target);
  else
    transposeScalar(shape, source, target);
}

/// Vectors are read whole, as long as more elements follow.
template <typename Word, int Step>
HWY_INLINE void gatherStep(const Word *source, Word *target, int64_t count) {
  const hn::ScalableTag<Word> d;
  constexpr int64_t lanes = hn::MaxLanes(d);
  hn::Vec<decltype(d)> a, b, c, e;
  int64_t i = 0;
  for (; i + lanes < count; i += lanes) {
    const Word *from = source + i * Step;
    if constexpr (Step == 2)
      hn::LoadInterleaved2(d, from, a, b);
    else if constexpr (Step == 3)
      hn::LoadInterleaved3(d, from, a, b, c);
    else
      hn::LoadInterleaved4(d, from, a, b, c, e);
    hn::StoreU(a, d, target + i);
  }
  for (; i < count; ++i)
    target[i] = source[i * Step];
}

template <typename Word>
void gather(const Word *source, int64_t step, Word *target, int64_t count) {
  if (step == 2)
    gatherStep<Word, 2>(source, target, count);
  else if (step == 3)
    gatherStep<Word, 3>(source, target, count);
  else
    gatherStep<Word, 4>(source, target, count);
}

template <typename Word>
inline constexpr TransposeKernels<Word> transposition = {transpose<Word>,
                                                         gather<Word>};

} // namespace HWY_NAMESPACE
} // namespace mli::rt::simd
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace mli::rt::simd {

const TransposeKernels<uint8_t> *transposeKernels(uint8_t /*word*/) {
  return MLI_SIMD_CHOOSE(TransposeKernels<uint8_t>, transposition<uint8_t>);
}

const TransposeKernels<uint16_t> *transposeKernels(uint16_t /*word*/) {
  return MLI_SIMD_CHOOSE(TransposeKernels<uint16_t>, transposition<uint16_t>);
}

const TransposeKernels<uint32_t> *transposeKernels(uint32_t /*word*/) {
  return MLI_SIMD_CHOOSE(TransposeKernels<uint32_t>, transposition<uint32_t>);
}

} // namespace mli::rt::simd
#endif
