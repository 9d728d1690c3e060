// SPDX-License-Identifier: Apache-2.0
//
// Constant values, ranges and divisors of the indices that tiles start at, for
// the tiling of kernels in mli-tile-to-fit.

#ifndef MLI_LIB_TRANSFORMS_TILING_LOOPINDEX_H
#define MLI_LIB_TRANSFORMS_TILING_LOOPINDEX_H

#include "mlir/IR/OpDefinition.h"

#include <optional>

namespace mli::tiling {

/// `value`, if it is the same in all iterations of all loops: that of a loop of
/// one iteration is, and what follows from it.
std::optional<int64_t> knownIndex(mlir::OpFoldResult value);

/// A number that divides `value` in all iterations; 0 if it is always 0.
int64_t knownDivisor(mlir::OpFoldResult value);

/// The least and the most that an index is.
struct IndexRange {
  int64_t least, most;
};

/// The range of `value` in all iterations of all loops: of an index of a loop
/// with known bounds, and of sums and products with such.
std::optional<IndexRange> knownRange(mlir::OpFoldResult value);

} // namespace mli::tiling

#endif // MLI_LIB_TRANSFORMS_TILING_LOOPINDEX_H
