// SPDX-License-Identifier: Apache-2.0
//
// Operators on tensors of 16 bits.

#ifndef MLI_LIB_IMPORT_WIDELAYERS_H
#define MLI_LIB_IMPORT_WIDELAYERS_H

#include "Options.h"
#include "Weighted.h"

namespace mli::tflite {

/// How far constants of kernels may take a sum of 16 bits, in codes.
inline constexpr double maxWideError = 0.5;

/// What TFLite multiplies 64-bit sums by instead of `factor`: 15 bits of it.
double reducedFactor(double factor);

/// `chooseScales` for a layer of a 16-bit input.
llvm::LogicalResult chooseWideScales(GraphImporter &importer, Weighted &layer,
                                     schema::ActivationFunctionType activation);

/// `value`, fx16, times `factor` in codes, as `element`: to 1 code.
llvm::FailureOr<mlir::Value> createFactor(GraphImporter &importer,
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

#endif // MLI_LIB_IMPORT_WIDELAYERS_H
