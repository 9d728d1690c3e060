// SPDX-License-Identifier: Apache-2.0
//
// Operands that are repeated to the shape of the result.

#ifndef MLI_LIB_IMPORT_OPERANDS_H
#define MLI_LIB_IMPORT_OPERANDS_H

#include "GraphImporter.h"

namespace mli::tflite {

/// The value of operand `index` of a result of `shape`: of `shape`, or one
/// element, or the last dimensions of `shape` for all others. With `repeatsOne`
/// a constant of one element has `shape`.
llvm::FailureOr<mlir::Value> readOperand(GraphImporter &importer, int32_t index,
                                         llvm::ArrayRef<int64_t> shape,
                                         bool repeatsOne = false);

/// The shape that both operands of a result of `shape` are repeated to: at most
/// four dimensions.
llvm::SmallVector<int64_t> flatShape(llvm::ArrayRef<int64_t> shape);

} // namespace mli::tflite

#endif // MLI_LIB_IMPORT_OPERANDS_H
