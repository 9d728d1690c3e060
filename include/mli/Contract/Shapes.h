// SPDX-License-Identifier: Apache-2.0
//
// The relations of shapes in a call: sizes that a letter of Kernels.def stands
// for, equal shapes, scalars, slopes, slices. Verifiers query the static sizes,
// the runtime the actual ones.

#ifndef MLI_CONTRACT_SHAPES_H
#define MLI_CONTRACT_SHAPES_H

#include "mli/Contract/Kernels.h"

namespace mli::contract {

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

/// Dimension `dim` of a tensor is not `expected`, which is the size of
/// dimension `model->dim` of `model`, if there is one: else the digit in the
/// shape, or the size bound to the letter.
struct Mismatch {
  uint32_t dim;
  int64_t expected;
  const Tensor *model;
  uint32_t modelDim;
};

namespace detail {
/// No call has more letters.
constexpr size_t maxDims() {
  size_t dims[familyCount] = {}, most = 0;
  for (const Tensor &tensor : tensors) {
    size_t &sum = dims[size_t(tensor.family)];
    sum += tensor.shape.size();
    most = sum > most ? sum : most;
  }
  return most;
}
} // namespace detail

/// The sizes that the letters of shapes stand for in one call.
class Sizes {
public:
  /// Binds `letter` to `size`, whatever tensors have; negative is not known.
  void bind(char letter, int64_t size) {
    find(letter) = {letter, size, nullptr, 0};
  }

  /// Returns the first dimension of `tensor`, of `tensor.rank()` dimensions,
  /// that does not match its shape; new letters are bound to the sizes found
  /// here. `getSize(dim)` is a size, negative if it is not known.
  template <typename GetSize>
  std::optional<Mismatch> match(const Tensor &tensor, GetSize getSize) {
    for (uint32_t dim = 0; dim < tensor.rank(); ++dim) {
      int64_t size = getSize(dim);
      char letter = tensor.shape[dim];
      if (size < 0)
        continue;
      if (letter <= '9') {
        if (size != letter - '0')
          return Mismatch{dim, letter - '0', nullptr, 0};
        continue;
      }
      Bound &bound = find(letter);
      if (bound.size < 0)
        bound = {letter, size, &tensor, dim};
      else if (bound.size != size)
        return Mismatch{dim, bound.size, bound.tensor, bound.dim};
    }
    return std::nullopt;
  }

private:
  /// The dimension in which `letter` was met first.
  struct Bound {
    char letter;
    int64_t size;
    const Tensor *tensor;
    uint32_t dim;
  };

  Bound &find(char letter) {
    for (size_t i = 0; i < count; ++i)
      if (bounds[i].letter == letter)
        return bounds[i];
    return bounds[count++] = {letter, -1, nullptr, 0};
  }

  std::array<Bound, detail::maxDims()> bounds; // first `count` of them
  size_t count = 0;
};

/// Channels and filters of a group convolution, whose weights have `depth`
/// input channels.
struct Groups {
  int64_t channels;
  int64_t depth;

  // C8
  constexpr bool areWhole() const { return depth > 0 && channels % depth == 0; }
  constexpr int64_t count() const { return channels / depth; }
  /// Whether each group has as many of the filters.
  // C9
  constexpr bool share(int64_t filters) const { return filters % count() == 0; }
};

/// The dimensions that a permutation has named.
class NamedDims {
public:
  explicit constexpr NamedDims(int64_t rank) : rank(rank) {}

  /// Whether `dim` is one of the dimensions, and named for the first time.
  // D14
  constexpr bool add(int64_t dim) {
    if (dim < 0 || dim >= rank || (named >> dim & 1U) != 0)
      return false;
    named |= 1U << dim;
    return true;
  }

private:
  int64_t rank;
  uint32_t named = 0;
};

//===----------------------------------------------------------------------===//
// Whole shapes
//===----------------------------------------------------------------------===//

/// A shape where it is kept; negative sizes are not known.
template <typename Size>
struct Shape {
  uint32_t rank;
  const Size *sizes;

  constexpr int64_t operator[](uint32_t dim) const { return sizes[dim]; }

  constexpr bool isKnown() const {
    for (uint32_t dim = 0; dim < rank; ++dim)
      if ((*this)[dim] < 0)
        return false;
    return true;
  }
  /// Whether it is known to have one element.
  // E6
  constexpr bool isOne() const {
    for (uint32_t dim = 0; dim < rank; ++dim)
      if ((*this)[dim] != 1)
        return false;
    return true;
  }
  /// The elements of a known shape.
  constexpr int64_t count() const {
    int64_t product = 1;
    for (uint32_t dim = 0; dim < rank; ++dim)
      product *= (*this)[dim];
    return product;
  }
};

/// The first difference from the expected shape: a dimension, or the rank.
struct Difference {
  bool isRank;
  uint32_t dim;
  int64_t expected;
};

namespace detail {
/// Returns the first dimension that differs from `getSize`, as far as both are
/// known.
template <typename Size, typename GetSize>
constexpr std::optional<Difference>
findDifference(const Shape<Size> &shape, uint32_t rank, GetSize getSize) {
  if (shape.rank != rank)
    return Difference{true, 0, rank};
  for (uint32_t dim = 0; dim < rank; ++dim) {
    int64_t size = shape[dim], expected = getSize(dim);
    if (size != expected && size >= 0 && expected >= 0)
      return Difference{false, dim, expected};
  }
  return std::nullopt;
}
} // namespace detail

/// The first difference of `shape` to `model`.
// T12
template <typename Size>
constexpr std::optional<Difference> findDifference(const Shape<Size> &shape,
                                                   const Shape<Size> &model) {
  return detail::findDifference(shape, model.rank,
                                [&](uint32_t dim) { return model[dim]; });
}

/// Whether the one element of an operand meets every element of the other.
// T12
template <typename Size>
constexpr bool isRepeated(const Tensor &tensor, const Shape<Size> &shape) {
  return tensor.form() == Form::SameOrOne && shape.isOne();
}

/// The operand whose shape the result has: the first, of `shape`, or where that
/// is repeated the other.
// T12
template <typename Size>
constexpr OperandKind shapeModel(const Tensor &first,
                                 const Shape<Size> &shape) {
  return isRepeated(first, shape) ? OperandKind::Other : OperandKind::Input;
}

/// Whether a call along `axis` has slopes for its indices; else one element.
// E6
constexpr bool isAlongAxis(const Tensor &slope, int32_t axis) {
  return slope.form() == Form::AlongAxis && axis >= 0;
}

/// Dimension `dim` of slopes along `axis`.
// E7
template <typename Size>
constexpr int64_t slopeSize(const Shape<Size> &input, int32_t axis,
                            uint32_t dim) {
  return static_cast<int64_t>(dim) == axis ? input[dim] : 1;
}
template <typename Size>
constexpr std::optional<Difference>
findSlopeDifference(const Shape<Size> &slope, const Shape<Size> &input,
                    int32_t axis) {
  return detail::findDifference(slope, input.rank, [&](uint32_t dim) {
    return slopeSize(input, axis, dim);
  });
}

/// The slices that a kernel takes one after the other: the elements at each
/// index of an axis, or, without one, all at once. Negative numbers are not
/// known.
struct Slices {
  int64_t count = 1;
  int64_t elements = 1; ///< of one slice

  template <typename Size>
  constexpr Slices(const Shape<Size> &shape, int32_t axis) {
    for (uint32_t dim = 0; dim < shape.rank; ++dim)
      if (static_cast<int64_t>(dim) == axis)
        count = shape[dim];
      else if (shape[dim] < 0 || elements < 0)
        elements = -1;
      else
        elements *= shape[dim];
  }

  /// Whether each has `number` positions.
  // G2
  constexpr bool have(int64_t number) const {
    return elements < 0 || number <= elements;
  }
};

} // namespace mli::contract

#endif // MLI_CONTRACT_SHAPES_H
