// SPDX-License-Identifier: Apache-2.0

#include "StridedCopy.h"

#include <cstring>
#include <utility>

namespace mli::rt {
namespace {

/// A box whose innermost dimension is the one to copy at once.
template <typename Word>
class Box {
public:
  Box(const Extents &extents, const Strides &from, const Strides &to,
      const Word *source, Word *target)
      : extents(extents), strides({from, to}), source(source), target(target) {
    simplify();
  }

  void copy() const {
    const Strides &from = strides[0];
    const Strides &to = strides[1];
    if (from[3] == 1 && to[3] == 1)
      forEachRow([&](const Word *row, Word *result) {
        std::memcpy(result, row, size_t{extents[3]} * sizeof(Word));
      });
    else if (kernels && to[3] == 1 && getDim(from) < 3)
      transpose(getDim(from));
    else if (kernels && to[3] == 1 && from[3] >= 2 && from[3] <= 4)
      forEachRow([&](const Word *row, Word *result) {
        kernels->gather(row, from[3], result, extents[3]);
      });
    else
      forEachRow([&](const Word *row, Word *result) {
        for (int64_t i = 0; i < extents[3]; ++i)
          result[i * to[3]] = row[i * from[3]];
      });
  }

private:
  /// Moves dimensions of one index to the front, and makes one of neighbours
  /// that follow each other without gaps.
  void simplify() {
    unsigned kept = MLI_MAX_RANK;
    for (unsigned dim = MLI_MAX_RANK; dim-- > 0;) {
      if (extents[dim] == 1)
        continue;
      if (kept < MLI_MAX_RANK && isNext(dim, kept)) {
        extents[kept] *= extents[dim];
        continue;
      }
      --kept;
      extents[kept] = extents[dim];
      for (Strides &stride : strides)
        stride[kept] = stride[dim];
    }
    while (kept > 0) {
      extents[--kept] = 1;
      for (Strides &stride : strides)
        stride[kept] = 0;
    }
  }
  bool isNext(unsigned dim, unsigned inner) const {
    for (const Strides &stride : strides)
      if (stride[dim] != stride[inner] * extents[inner])
        return false;
    return true;
  }

  /// The dimension along which elements lie side by side, or 3 if there is none
  /// or no other.
  static unsigned getDim(const Strides &strides) {
    unsigned dim = 0;
    while (dim < 3 && strides[dim] != 1)
      ++dim;
    return dim;
  }

  template <typename Visit>
  void forEachRow(Visit visit) const {
    rt::forEachRow<2>(extents, strides,
                      [&](const Extents &, const std::array<int64_t, 2> &at) {
                        visit(source + at[0], target + at[1]);
                      });
  }

  /// The innermost dimension and `dim` are a matrix.
  void transpose(unsigned dim) const {
    simd::Transposition shape = {extents[3], extents[dim],
                                 static_cast<ptrdiff_t>(strides[0][3]),
                                 static_cast<ptrdiff_t>(strides[1][dim])};
    Extents others = extents;
    others[dim] = others[3] = 1;
    rt::forEachRow<2>(others, strides,
                      [&](const Extents &, const std::array<int64_t, 2> &at) {
                        kernels->transpose(shape, source + at[0],
                                           target + at[1]);
                      });
  }

  Extents extents;
  std::array<Strides, 2> strides;
  const Word *source;
  Word *target;
  const simd::TransposeKernels<Word> *kernels = simd::transposeKernels(Word{});
};

template <typename Word>
void copyWords(const Extents &extents, const Strides &from, const Strides &to,
               const void *source, void *target) {
  Box<Word>(extents, from, to, static_cast<const Word *>(source),
            static_cast<Word *>(target))
      .copy();
}

} // namespace

void copyStrided(uint32_t elementBytes, const Extents &extents,
                 const Strides &from, const Strides &to, const void *source,
                 void *target) {
  if (elementBytes == 1)
    copyWords<uint8_t>(extents, from, to, source, target);
  else if (elementBytes == 2)
    copyWords<uint16_t>(extents, from, to, source, target);
  else
    copyWords<uint32_t>(extents, from, to, source, target);
}

} // namespace mli::rt
