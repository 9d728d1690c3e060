// SPDX-License-Identifier: Apache-2.0
//
// Options of operators as they lie in the file, and what they mean.

#ifndef MLI_LIB_IMPORT_OPTIONS_H
#define MLI_LIB_IMPORT_OPTIONS_H

#include "GraphImporter.h"
#include "TFLite_generated.h"

#include "mli/Frontend/Clip.h"

namespace mli::tflite {

/// The options of the operator, which have to be of type `type`, whose table is
/// a `Table`.
template <typename Table>
llvm::FailureOr<const Table *> getOptions(GraphImporter &importer,
                                          schema::BuiltinOptions type) {
  const schema::Operator *table = importer.getOperator().table;
  const auto *options = static_cast<const Table *>(table->builtin_options());
  if (table->builtin_options_type() == type && options)
    return options;
  return importer.refuse("expected options of type ", static_cast<int>(type),
                         ", but got type ",
                         static_cast<int>(table->builtin_options_type()));
}

/// The codes that `activation` leaves of a tensor of `bits` and `scale`, as
/// TFLite computes them.
llvm::FailureOr<quant::Limits>
getLimits(GraphImporter &importer, schema::ActivationFunctionType activation,
          double scale, int16_t zeroPoint, int bits = 8);

/// The window of an operator in the first two dimensions of a map.
struct Window {
  int64_t kernel[2], strides[2], dilations[2] = {1, 1};
  schema::Padding padding;
};

/// Padding [top, bottom, left, right] of `window` between maps of these sizes
/// [height, width], if they fit it.
llvm::FailureOr<llvm::SmallVector<int64_t, 4>>
getPadding(GraphImporter &importer, const Window &window,
           llvm::ArrayRef<int64_t> input, llvm::ArrayRef<int64_t> output);

/// The same of a transposed convolution: the padding is cut off its output.
llvm::FailureOr<llvm::SmallVector<int64_t, 4>>
getTransposedPadding(GraphImporter &importer, const Window &window,
                     llvm::ArrayRef<int64_t> input,
                     llvm::ArrayRef<int64_t> output);

/// `axis` of `rank` dimensions, counted from the end if it is negative.
llvm::FailureOr<int64_t> getAxis(GraphImporter &importer, int64_t axis,
                                 size_t rank);

/// The `count` integers of input `index`, a constant.
llvm::FailureOr<llvm::SmallVector<int64_t>> getList(GraphImporter &importer,
                                                    size_t index, size_t count);

/// The axis that input `index`, a constant, has for tensor `of`.
llvm::FailureOr<int64_t> getAxisInput(GraphImporter &importer, size_t index,
                                      int32_t of);

} // namespace mli::tflite

#endif // MLI_LIB_IMPORT_OPTIONS_H
