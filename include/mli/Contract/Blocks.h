// SPDX-License-Identifier: Apache-2.0
//
// Slices of tensors, one dimension at a time: blocks, and the indices that a
// move takes. Verifiers query the static values, the runtime the actual ones.

#ifndef MLI_CONTRACT_BLOCKS_H
#define MLI_CONTRACT_BLOCKS_H

#include <cstdint>

namespace mli::contract {

/// `size` indices from `offset` on.
struct Block {
  int64_t offset;
  int64_t size;

  /// A block of size 0 has an index, too, if its size is only not known.
  static constexpr Block ofOneAtLeast(int64_t offset, int64_t size) {
    return {offset, size < 1 ? 1 : size};
  }
  constexpr int64_t end() const { return offset + size; }
  // D16, D17, V2
  constexpr bool endsIn(int64_t extent) const { return end() <= extent; }
};

/// One dimension of a move, as the source has it.
struct MovedDim {
  int64_t extent;
  int64_t offset; ///< from the padding in front on
  int64_t size;   ///< with padding; 0 is all from the offset on
  int64_t padLow;
  int64_t padHigh;
  int64_t step;

  constexpr int64_t padded() const { return padLow + extent + padHigh; }
  /// The indices of the destination that are written; none, or a negative
  /// number, for a slice that starts after the end of its source.
  // D17, K33
  constexpr int64_t count() const {
    int64_t taken = size == 0 ? padded() - offset : size;
    return (taken + step - 1) / step;
  }
};

} // namespace mli::contract

#endif // MLI_CONTRACT_BLOCKS_H
