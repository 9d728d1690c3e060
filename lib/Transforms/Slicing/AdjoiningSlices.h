// SPDX-License-Identifier: Apache-2.0
//
// Slices of one tensor that lie behind each other.

#ifndef MLI_LIB_TRANSFORMS_SLICING_ADJOININGSLICES_H
#define MLI_LIB_TRANSFORMS_SLICING_ADJOININGSLICES_H

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mli {

/// Whether `op`, a slice, has a known offset and size and step 1 in dimension
/// `dim`.
bool isBlock(mlir::OffsetSizeAndStrideOpInterface op, int64_t dim);

/// Whether `next` begins where `last` ends in dimension `dim`, and both, slices
/// of one tensor that drop no dimension, are the same elsewhere.
bool adjoin(mlir::OffsetSizeAndStrideOpInterface last,
            mlir::OffsetSizeAndStrideOpInterface next, int64_t dim);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_SLICING_ADJOININGSLICES_H
