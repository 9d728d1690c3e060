// SPDX-License-Identifier: Apache-2.0
//
// Sums of products of 16-bit tensors with any factors. Kernels have weights of
// 16 bits of one format; where these are too coarse, a second kernel multiplies
// with what they leave, and the results are added.

#ifndef MLI_LIB_IMPORT_WIDEPRODUCT_H
#define MLI_LIB_IMPORT_WIDEPRODUCT_H

#include "Options.h"
#include "Weighted.h"

namespace mli::tflite {

/// What TFLite multiplies 64-bit sums by instead of `factor`: 15 bits of it.
double reducedFactor(double factor);

/// The kernels that together give, to 1 code of the output, the sum of
/// `factors` times codes of the input plus `bias`, all in codes of the output.
/// `factors` has the outputs as its last dimension. With `isFromZero` results
/// below 0 may be any: they are clipped to it.
llvm::FailureOr<WideTerms> chooseTerms(GraphImporter &importer, Fx16Type input,
                                       Fx16Type output,
                                       llvm::ArrayRef<double> factors,
                                       llvm::ArrayRef<double> bias,
                                       bool isFromZero);

/// `chooseScales` for a layer of a 16-bit input.
llvm::LogicalResult chooseWideScales(GraphImporter &importer, Weighted &layer,
                                     schema::ActivationFunctionType activation);

/// `value`, fx16, times `factor` in codes, as `element`: to 1 code.
llvm::FailureOr<mlir::Value> createWideFactor(GraphImporter &importer,
                                              mlir::Value value, double factor,
                                              Fx16Type element);

/// The format of a tensor that has to be int16.
llvm::FailureOr<Fx16Type> getWideElement(GraphImporter &importer,
                                         int32_t index);

/// Gives operand 0 plus operand 1, or minus it, to the output of the operator,
/// of 16 bits.
llvm::LogicalResult importWideSum(GraphImporter &importer, bool isDifference,
                                  schema::ActivationFunctionType activation);

/// LEAKY_RELU and QUANTIZE between tensors of 16 bits.
llvm::LogicalResult importWideLeakyRelu(GraphImporter &importer, double alpha);
llvm::LogicalResult importWideConvert(GraphImporter &importer);

} // namespace mli::tflite

#endif // MLI_LIB_IMPORT_WIDEPRODUCT_H
