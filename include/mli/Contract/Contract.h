// SPDX-License-Identifier: Apache-2.0
//
// The numbers and windows that kernels take, defined once for the verifiers of
// the dialect and the checks of the runtime, which differ in their texts only.

#ifndef MLI_CONTRACT_CONTRACT_H
#define MLI_CONTRACT_CONTRACT_H

#include <cstdint>

namespace mli::contract {

/// The numbers from `least` to `most`.
struct Range {
  int64_t least;
  int64_t most;

  constexpr bool contains(int64_t value) const {
    return least <= value && value <= most;
  }
};

#define MLI_LIMIT(name, least, most, rules, what)                              \
  inline constexpr Range name##Range = {least, most};
#include "mli/Contract/Limits.def"

/// The axes of a kernel on slices of a tensor; -1 is all of it.
// E3
constexpr Range axisRange(int64_t rank) { return {-1, rank - 1}; }

/// One axis of a window that moves over a feature map, in elements.
struct WindowAxis {
  int64_t kernel;
  int64_t stride;
  int64_t dilation;
  int64_t paddingBefore;
  int64_t paddingAfter;

  /// The elements from the first to the last that a window reads.
  constexpr int64_t extent() const { return (kernel - 1) * dilation + 1; }

  /// Whether `padding` of one side leaves something of each window inside.
  // T16
  constexpr bool allowsPadding(int64_t padding) const {
    return padding < extent();
  }

  /// The size of an input of `in` elements with its padding.
  constexpr int64_t padded(int64_t in) const {
    return in + paddingBefore + paddingAfter;
  }

  /// The padded elements that `out` windows need; there may be more.
  // T17
  constexpr int64_t needed(int64_t out) const {
    return (out - 1) * stride + extent();
  }
  constexpr bool covers(int64_t in, int64_t out) const {
    return needed(out) <= padded(in);
  }

  /// Whether windows spread one after the other leave nothing out.
  // C11
  constexpr bool leavesNoGaps() const { return stride <= kernel; }

  /// The elements that windows spread from `in` elements reach, all of which a
  /// transposed result has.
  // C12
  constexpr int64_t reached(int64_t in) const {
    return (in - 1) * stride + kernel - paddingBefore - paddingAfter;
  }
};

} // namespace mli::contract

#endif // MLI_CONTRACT_CONTRACT_H
