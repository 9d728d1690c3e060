// SPDX-License-Identifier: Apache-2.0
//
// Which sums and differences of 8 bits the kernel computes near enough.

#ifndef MLI_LIB_IMPORT_SUMS_H
#define MLI_LIB_IMPORT_SUMS_H

#include "GraphImporter.h"

#include "mli/Quant/Requantize.h"

namespace mli::tflite {

/// Whether the sum of `left` and `right`, for `element` clipped to `limits`, is
/// to be rounded once, in fx16: never for other types than sa8.
bool needsExactSum(GraphImporter &importer, mlir::Value left, mlir::Value right,
                   mlir::Type element, const quant::Limits &limits);

} // namespace mli::tflite

#endif // MLI_LIB_IMPORT_SUMS_H
