// SPDX-License-Identifier: Apache-2.0
//
// Functions of one tensor, element by element or row by row.

#ifndef MLI_LIB_IMPORT_UNARY_H
#define MLI_LIB_IMPORT_UNARY_H

#include "GraphImporter.h"

namespace mli::tflite {

/// The first input and the output, both int8 or uint8.
struct UnaryTensors {
  int32_t input, output;
  quant::QuantParams in, out;
};

llvm::FailureOr<UnaryTensors> readTensors(GraphImporter &importer);

/// The same of as many elements each.
struct Unary : UnaryTensors {
  mlir::Value source;
  mlir::Type element;
  /// As kernels take it: at most four dimensions.
  llvm::SmallVector<int64_t> shape;
};

llvm::FailureOr<Unary> readUnary(GraphImporter &importer);

/// Gives `value` to the output, in its format.
llvm::LogicalResult defineUnary(GraphImporter &importer, const Unary &unary,
                                mlir::Value value);

/// `value` with codes that stand for `factor` times the real number: the
/// product with a constant of the code 1, which is exact.
llvm::FailureOr<mlir::Value> createScaled(GraphImporter &importer,
                                          mlir::Value value, double factor);

} // namespace mli::tflite

#endif // MLI_LIB_IMPORT_UNARY_H
