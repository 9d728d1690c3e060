// SPDX-License-Identifier: Apache-2.0
//
// The relations of memory in a call: strides that keep elements from
// overlapping or make them contiguous, and the memory that tensors share. The
// compiler queries the static values, the runtime the actual ones.

#ifndef MLI_CONTRACT_MEMORY_H
#define MLI_CONTRACT_MEMORY_H

#include "mli/Contract/Kernels.h"

#include <limits>

namespace mli::contract {

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

/// A stride that is not known. Sizes that are not known are negative.
inline constexpr int64_t unknownStride = std::numeric_limits<int64_t>::min();

/// Dimension `dim` has another stride than `expected`.
struct StrideViolation {
  uint32_t dim;
  int64_t expected;
};

namespace detail {
constexpr bool isKnownStride(int64_t stride) { return stride != unknownStride; }
constexpr bool isKnownSize(int64_t size) { return size >= 0; }

/// `factor * size + rest`, or the largest number.
template <typename Factor, typename Size>
constexpr int64_t multiplyAdd(Factor factor, Size size, int64_t rest) {
  int64_t product = 0;
  if constexpr (sizeof(Factor) + sizeof(Size) <= sizeof(int64_t))
    return int64_t{factor} * size + rest;
  return __builtin_mul_overflow(factor, size, &product) ||
                 __builtin_add_overflow(product, rest, &product)
             ? std::numeric_limits<int64_t>::max()
             : product;
}
} // namespace detail

/// The innermost dimension whose stride is below the least one, which is not
/// below the next inner one and leads past the last element inside of an index.
/// The outermost is looked at last, and none outside of a stride that is not
/// known.
// T7
template <typename GetSize, typename GetStride>
constexpr std::optional<StrideViolation>
findOverlappingStrides(uint32_t rank, GetSize getSize, GetStride getStride) {
  int64_t reach = 1;
  int64_t least = 1;
  for (uint32_t dim = rank; dim-- > 0;) {
    auto stride = getStride(dim);
    auto size = getSize(dim);
    if (!detail::isKnownStride(stride))
      return std::nullopt;
    if (stride < least)
      return StrideViolation{dim, least};
    if (detail::isKnownSize(size))
      reach = detail::multiplyAdd(stride, size - 1, reach);
    least = stride < reach ? reach : int64_t{stride};
  }
  return std::nullopt;
}

/// The innermost dimension after which there is a gap, as far as is known. A
/// dimension of one index has none: its stride is never taken.
// T19
template <typename GetSize, typename GetStride>
constexpr std::optional<StrideViolation> findGap(uint32_t rank, GetSize getSize,
                                                 GetStride getStride) {
  int64_t dense = 1;
  for (uint32_t dim = rank; dim-- > 0;) {
    auto stride = getStride(dim);
    auto size = getSize(dim);
    if (size == 1)
      continue;
    if (detail::isKnownStride(stride) && stride != dense)
      return StrideViolation{dim, dense};
    if (!detail::isKnownSize(size))
      return std::nullopt;
    dense = detail::multiplyAdd(dense, size, 0);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Sharing
//===----------------------------------------------------------------------===//

/// The memory that `tensor` may share with `written`, another tensor of the
/// call. Only a result is written in place of something.
// T18, K55
constexpr Sharing getSharing(const Tensor &tensor, const Tensor &written) {
  if (tensor.sharing == Sharing::Written)
    return Sharing::NoAlias;
  bool mayReplace = written.role == OperandKind::Init;
  return mayReplace || tensor.sharing == Sharing::DistinctBuffers
             ? tensor.sharing
             : Sharing::NoAlias;
}

/// The same for the source of a conversion, which has no row in the table,
/// between elements of so many bits: each is written in the place of one.
// E10
constexpr Sharing sharingOfConversion(unsigned fromBits, unsigned toBits) {
  return fromBits == toBits ? Sharing::InPlace : Sharing::NoAlias;
}

/// Whether both may be one tensor.
constexpr bool mayBeSame(const Tensor &tensor, const Tensor &written) {
  Sharing sharing = getSharing(tensor, written);
  return sharing == Sharing::InPlace || sharing == Sharing::MayBeOverwritten;
}

} // namespace mli::contract

#endif // MLI_CONTRACT_MEMORY_H
