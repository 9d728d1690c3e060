// SPDX-License-Identifier: Apache-2.0
//
// Reads and creates functions of one tensor, by element or by row.

#ifndef MLI_LIB_IMPORT_UNARY_H
#define MLI_LIB_IMPORT_UNARY_H

#include "GraphImporter.h"
#include "TFLite_generated.h"

namespace mli::tflite {

/// Fails unless the elements of both tensors have 8 bits, or 16.
llvm::LogicalResult checkCodes(GraphImporter &importer, int32_t input,
                               int32_t output);
/// Fails if formats differ: for results that are elements of the input.
llvm::LogicalResult checkSameFormat(GraphImporter &importer, int32_t input,
                                    int32_t output);

/// An input and the output of an operator, both int8 or uint8.
struct UnaryTensors {
  int32_t input, output;
  quant::QuantParams in, out;
};

llvm::FailureOr<UnaryTensors> readTensors(GraphImporter &importer,
                                          size_t index = 0);

/// An input and an output with as many elements each.
struct Unary : UnaryTensors {
  mlir::Value source;
  mlir::Type element;
  /// The shape that kernels take: at most four dimensions.
  llvm::SmallVector<int64_t> shape;
};

llvm::FailureOr<Unary> readUnary(GraphImporter &importer, size_t input = 0);

/// Imports `function` of each element of input `input`, and `activation` of
/// that, by a table of all quantised values.
llvm::LogicalResult importFunction(GraphImporter &importer,
                                   llvm::function_ref<double(double)> function,
                                   size_t input = 0,
                                   schema::ActivationFunctionType activation =
                                       schema::ActivationFunctionType::NONE);

/// Defines the output as `value`, converted to its format.
llvm::LogicalResult defineUnary(GraphImporter &importer, const Unary &unary,
                                mlir::Value value);

/// The quantized values of `value`, unchanged, in a format whose scale is
/// multiplied by `factor`. This is exact.
llvm::FailureOr<mlir::Value> createScaled(GraphImporter &importer,
                                          mlir::Value value, double factor);

} // namespace mli::tflite

#endif // MLI_LIB_IMPORT_UNARY_H
