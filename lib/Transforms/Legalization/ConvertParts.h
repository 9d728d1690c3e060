// SPDX-License-Identifier: Apache-2.0
//
// Conversions of parts that are one of the whole.

#ifndef MLI_LIB_TRANSFORMS_LEGALIZATION_CONVERTPARTS_H
#define MLI_LIB_TRANSFORMS_LEGALIZATION_CONVERTPARTS_H

#include "mli/IR/MLI.h"

#include "mlir/IR/PatternMatch.h"

namespace mli {

/// whole(convert(slice), convert(slice)) -> convert(slice)
///
/// Where `whole` is put together from nothing but slices of one tensor that
/// adjoin there as well, each converted alike for this only: a slice of all of
/// them is a view as they are, so no element is moved, nor kept any longer.
/// Returns the conversion; null if there is none.
ConvertOp mergeConvertedParts(mlir::IRRewriter &rewriter,
                              mlir::Operation *whole);

/// Whether `op` puts parts together.
bool isWhole(mlir::Operation *op);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_LEGALIZATION_CONVERTPARTS_H
