// SPDX-License-Identifier: Apache-2.0
//
// Imports operators on tensors of 16 bits.

#ifndef MLI_LIB_IMPORT_WIDE_WIDELAYERS_H
#define MLI_LIB_IMPORT_WIDE_WIDELAYERS_H

#include "Import/Options.h"
#include "Import/Weighted.h"

namespace mli::tflite {

/// The 15-bit approximation of `factor` by which TFLite multiplies 64-bit sums.
double getReducedFactor(double factor);

/// Chooses the constants of a layer with a 16-bit input, and how its kernel
/// clips.
llvm::LogicalResult chooseWideScales(GraphImporter &importer, Weighted &layer,
                                     schema::ActivationFunctionType activation);

/// Creates `value`, fx16, times `factor` in quantized values, as `element`, off
/// by at most 1.
llvm::FailureOr<mlir::Value> createFactor(GraphImporter &importer,
                                          mlir::Value value, double factor,
                                          Fx16Type element);

/// The same; `value` itself if that is what it is.
llvm::FailureOr<mlir::Value> createScaled(GraphImporter &importer,
                                          mlir::Value value, double factor,
                                          Fx16Type element);

/// An operator of two operands of 16 bits, which may be broadcast to `shape`.
struct WideBinary {
  int32_t left, right, output;
  llvm::SmallVector<int64_t> shape;
  Fx16Type element;
};
llvm::FailureOr<WideBinary> readWideBinary(GraphImporter &importer);

/// Reads operand `index` of a result of `shape` times `factor` in quantized
/// values, as `element`.
llvm::FailureOr<mlir::Value> readFactor(GraphImporter &importer, int32_t index,
                                        llvm::ArrayRef<int64_t> shape,
                                        double factor, Fx16Type element);

/// Whether input 0 of the operator is int16.
bool hasWideInput(const GraphImporter &importer);

/// The format of a tensor; fails unless it is int16.
llvm::FailureOr<Fx16Type> getWideElement(GraphImporter &importer,
                                         int32_t index);

/// How many quantized values of `output` one of `input` is worth.
double getScaleRatio(const GraphImporter &importer, int32_t input,
                     int32_t output);

/// How the scales of input 0 and of the output are related.
struct WideScales {
  double ratio;
  bool areEqual;
};
WideScales getWideScales(const GraphImporter &importer);

/// Imports a 16-bit sum or difference of operands 0 and 1.
llvm::LogicalResult importWideSum(GraphImporter &importer, bool isDifference,
                                  schema::ActivationFunctionType activation);

/// Imports a 16-bit product of operands 0 and 1.
llvm::LogicalResult
importWideProduct(GraphImporter &importer,
                  schema::ActivationFunctionType activation);

/// Imports the maximum of operands 0 and 1, of 16 bits, or the minimum.
llvm::LogicalResult importWideOrder(GraphImporter &importer, bool isMaximum);

/// Imports a function of `beta` times the input, of 16 bits, that `create`
/// creates with results in an element type. The kernel gets the input with
/// `leastFracBits` fractional bits or more.
llvm::LogicalResult importWideTable(
    GraphImporter &importer, contract::Family family, int leastFracBits,
    double beta,
    llvm::function_ref<mlir::Value(mlir::Value source, mlir::Type element)>
        create);

/// Imports the inverse of the square root, of 16 bits.
llvm::LogicalResult importWideRsqrt(GraphImporter &importer);

/// Imports the input, of 16 bits, clipped to quantized values of the output.
llvm::LogicalResult importWideClip(GraphImporter &importer,
                                   const quant::Limits &limits);

/// Import LEAKY_RELU and QUANTIZE between tensors of 16 bits.
llvm::LogicalResult importWideLeakyRelu(GraphImporter &importer, double alpha);
llvm::LogicalResult importWideConvert(GraphImporter &importer);

/// An LSTM cell over `steps` steps.
struct Cell {
  int32_t source, output, outputState, cellState;
  int64_t steps, inputs, units;
  /// The limit to which the cell is clipped; 0 for no limit.
  double clip;
  /// The layers of the gates in the order of the kernel.
  llvm::SmallVector<Weighted, 4> toInput, recurrent;
};

/// What the kernel of a cell takes, and the types of what it keeps and gives.
struct CellKernel {
  mlir::Value input, toInput, recurrent, bias;
  mlir::Type previous, cell, output;
};

/// The bias of one gate, one integer per unit: zeros where it is left out.
llvm::FailureOr<llvm::SmallVector<int32_t>>
readGateBias(GraphImporter &importer, const Cell &cell, const Weighted &layer);

/// Creates what the kernel of 16 bits takes of a cell whose input is `input`,
/// sa8. Fails, without a reason, where that kernel would not clip the cell as
/// the file does, or where 16 bits do not hold a constant.
llvm::FailureOr<CellKernel> createWideCell(GraphImporter &importer,
                                           const Cell &cell, mlir::Value input);

} // namespace mli::tflite

#endif // MLI_LIB_IMPORT_WIDE_WIDELAYERS_H
