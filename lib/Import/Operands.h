// SPDX-License-Identifier: Apache-2.0
//
// Reads operands that are moved, or broadcast to the shape of the result.

#ifndef MLI_LIB_IMPORT_OPERANDS_H
#define MLI_LIB_IMPORT_OPERANDS_H

#include "GraphImporter.h"

namespace mli::tflite {

/// An operator whose output has elements of an input, of one type.
struct Move {
  int32_t input, output;
  /// In the format of the output.
  mlir::Value source;
  mlir::Type element;
};

/// Reads a move of input `input`. The source is converted to the output's
/// format, which may differ.
llvm::FailureOr<Move> readMove(GraphImporter &importer, size_t input = 0);

/// Reads operand `index` of a result of `shape`: it has `shape`, one element,
/// or the last dimensions of `shape`, to which others are repeated. With
/// `repeatsOne` a constant of one element is repeated to `shape`.
llvm::FailureOr<mlir::Value> readOperand(GraphImporter &importer, int32_t index,
                                         llvm::ArrayRef<int64_t> shape,
                                         bool repeatsOne = false);

/// The real numbers of a constant of 8 bits; nothing for other tensors.
std::optional<llvm::SmallVector<double>> readNumbers(GraphImporter &importer,
                                                     int32_t index);

/// The shape to which both operands of a result of `shape` are broadcast, with
/// at most four dimensions.
llvm::SmallVector<int64_t> getBroadcastShape(llvm::ArrayRef<int64_t> shape);

} // namespace mli::tflite

#endif // MLI_LIB_IMPORT_OPERANDS_H
