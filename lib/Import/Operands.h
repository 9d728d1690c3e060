// SPDX-License-Identifier: Apache-2.0
//
// Reads operands that are broadcast to the shape of the result.

#ifndef MLI_LIB_IMPORT_OPERANDS_H
#define MLI_LIB_IMPORT_OPERANDS_H

#include "GraphImporter.h"

namespace mli::tflite {

/// Reads operand `index` of a result of `shape`: it has `shape`, one element,
/// or the last dimensions of `shape`. With `repeatsOne` a constant of one
/// element is repeated to `shape`.
llvm::FailureOr<mlir::Value> readOperand(GraphImporter &importer, int32_t index,
                                         llvm::ArrayRef<int64_t> shape,
                                         bool repeatsOne = false);

/// The shape to which both operands of a result of `shape` are broadcast, with
/// at most four dimensions.
llvm::SmallVector<int64_t> getBroadcastShape(llvm::ArrayRef<int64_t> shape);

} // namespace mli::tflite

#endif // MLI_LIB_IMPORT_OPERANDS_H
