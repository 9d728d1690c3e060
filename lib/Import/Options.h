// SPDX-License-Identifier: Apache-2.0
//
// Reads the options of operators in the file and derives what kernels take.

#ifndef MLI_LIB_IMPORT_OPTIONS_H
#define MLI_LIB_IMPORT_OPTIONS_H

#include "GraphImporter.h"
#include "TFLite_generated.h"

#include "mli/Frontend/Clip.h"

namespace mli::tflite {

/// The options of the operator, a `Table`; fails unless they have the type
/// `type`.
template <typename Table>
llvm::FailureOr<const Table *> getOptions(GraphImporter &importer,
                                          schema::BuiltinOptions type) {
  const schema::Operator *table = importer.getOperator().table;
  const auto *options = static_cast<const Table *>(table->builtin_options());
  if (table->builtin_options_type() == type && options)
    return options;
  return importer.reject("expected options of type ", static_cast<int>(type),
                         ", but got type ",
                         static_cast<int>(table->builtin_options_type()));
}

/// The fused activation of an operator with `ActivationOptions` of type `type`;
/// none without options.
llvm::FailureOr<schema::ActivationFunctionType>
getActivation(GraphImporter &importer, schema::BuiltinOptions type);

/// The quantized values to which `activation` clips a tensor of `bits` and
/// `scale`, as TFLite computes them.
llvm::FailureOr<quant::Limits>
getLimits(GraphImporter &importer, schema::ActivationFunctionType activation,
          double scale, int16_t zeroPoint, int bits = 8);

/// The window of an operator in the height and width of a feature map.
struct Window {
  int64_t kernel[2], strides[2], dilations[2] = {1, 1};
  schema::Padding padding;
};

/// The padding [top, bottom, left, right] of `window` between feature maps of
/// these sizes, [height, width]; fails if the window does not fit them.
llvm::FailureOr<llvm::SmallVector<int64_t, 4>>
getPadding(GraphImporter &importer, const Window &window,
           llvm::ArrayRef<int64_t> input, llvm::ArrayRef<int64_t> output);

/// The padding of a transposed convolution, which is cut off its output.
llvm::FailureOr<llvm::SmallVector<int64_t, 4>>
getTransposedPadding(GraphImporter &importer, const Window &window,
                     llvm::ArrayRef<int64_t> input,
                     llvm::ArrayRef<int64_t> output);

/// Normalizes `axis` of `rank` dimensions, which may count from the end.
llvm::FailureOr<int64_t> getAxis(GraphImporter &importer, int64_t axis,
                                 size_t rank);

/// The `count` integers of input `index`, a constant.
llvm::FailureOr<llvm::SmallVector<int64_t>> getList(GraphImporter &importer,
                                                    size_t index, size_t count);

/// Reads input `index`, a constant, as an axis of tensor `of`.
llvm::FailureOr<int64_t> getAxisInput(GraphImporter &importer, size_t index,
                                      int32_t of);

} // namespace mli::tflite

#endif // MLI_LIB_IMPORT_OPTIONS_H
