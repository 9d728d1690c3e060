// SPDX-License-Identifier: Apache-2.0
//
// Layers that multiply with weights: their tensors, scales and constants.

#ifndef MLI_LIB_IMPORT_WEIGHTED_H
#define MLI_LIB_IMPORT_WEIGHTED_H

#include "Options.h"

namespace mli::tflite {

/// One kernel of a sum of products in fx16: the codes of its constants.
struct WideTerm {
  mlir::Type weightsElement, biasElement;
  llvm::SmallVector<int16_t> weights, bias;
};

/// The kernels of a sum of products in fx16: one; or one less `offset` and what
/// that leaves, plus `offset`, which is at least as large; or a third one as
/// well, the first plus `offset`.
struct WideTerms {
  llvm::SmallVector<WideTerm, 3> kernels;
  int16_t offset = 0;
};

/// A product of a tensor with constant weights.
struct Weighted {
  /// Tensors; the bias is -1 if it is left out.
  int32_t input, weights, bias, output;
  /// The codes of the weights in the order of the file, and of the kernel where
  /// that is another one.
  llvm::ArrayRef<char> codes;
  std::shared_ptr<llvm::SmallVector<char>> reordered;
  /// In the order of the kernel.
  llvm::SmallVector<int64_t> shape;
  mlir::Type weightsElement, biasElement;
  /// The kernels of a 16-bit layer, instead of these formats.
  std::optional<WideTerms> terms;
  Clip clip;

  llvm::ArrayRef<char> getCodes() const {
    return reordered ? llvm::ArrayRef<char>(*reordered) : codes;
  }
  int64_t getOutputs() const { return shape.back(); }
  /// Codes are [outputs, ...]; the kernel takes the outputs last.
  void moveOutputsLast();
};

/// The layer of these tensors, whose weights are int8 constants of `rank`
/// dimensions, quantised per tensor or along `outputAxis`, which counts the
/// outputs.
llvm::FailureOr<Weighted> readWeighted(GraphImporter &importer, int32_t input,
                                       int32_t weights, int32_t bias,
                                       int32_t output, int32_t outputAxis,
                                       size_t rank);

/// Chooses the formats of weights and bias, with which the kernel multiplies by
/// the file's product of scales, and how it clips.
llvm::LogicalResult chooseScales(GraphImporter &importer, Weighted &layer,
                                 schema::ActivationFunctionType activation);

/// The weights as a constant; the bias too, zeros where it is left out.
mlir::Value createWeights(GraphImporter &importer, const Weighted &layer);
llvm::FailureOr<mlir::Value> createBias(GraphImporter &importer,
                                        const Weighted &layer);

/// Weights and bias of one kernel, as values.
struct Operands {
  mlir::Value weights, bias;
};

/// The constants of a layer: of one kernel, or of those of `WideTerms`.
struct LayerOperands {
  llvm::SmallVector<Operands, 3> kernels;
  int16_t offset = 0;
};
llvm::FailureOr<LayerOperands> createOperands(GraphImporter &importer,
                                              const Weighted &layer);
LayerOperands createOperands(GraphImporter &importer, const WideTerms &terms,
                             llvm::ArrayRef<int64_t> shape);

/// What the kernels that `create` makes of operands and a destination give
/// together, in `init`.
using KernelFunction =
    llvm::function_ref<mlir::Operation *(const Operands &, mlir::Value init)>;
mlir::Value createSum(GraphImporter &importer, const LayerOperands &operands,
                      mlir::Value init, KernelFunction create);

} // namespace mli::tflite

#endif // MLI_LIB_IMPORT_WEIGHTED_H
