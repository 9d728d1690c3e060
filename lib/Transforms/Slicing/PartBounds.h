// SPDX-License-Identifier: Apache-2.0
//
// Which elements of a whole a part is, where that is known.

#ifndef MLI_LIB_TRANSFORMS_SLICING_PARTBOUNDS_H
#define MLI_LIB_TRANSFORMS_SLICING_PARTBOUNDS_H

#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mli {

/// The first element of a part and the one behind the last, in each dimension
/// of its whole.
struct PartBounds {
  llvm::SmallVector<int64_t, 4> begin, end;

  bool isApart(const PartBounds &other) const;
  /// Grows to hold `other`, too.
  void include(const PartBounds &other);
};

/// Those of a slice of known offsets and sizes, without gaps.
std::optional<PartBounds> boundsOf(mlir::OffsetSizeAndStrideOpInterface slice);

/// Whether no two of `parts` have an element in common, as far as cuts from one
/// side of the whole to the other tell that, and comparing few with each other.
bool areDisjoint(llvm::ArrayRef<PartBounds> parts);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_SLICING_PARTBOUNDS_H
