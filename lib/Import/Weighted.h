// SPDX-License-Identifier: Apache-2.0
//
// Layers that multiply with weights: their tensors, scales and constants.

#ifndef MLI_LIB_IMPORT_WEIGHTED_H
#define MLI_LIB_IMPORT_WEIGHTED_H

#include "Options.h"

#include "mli/Frontend/ByteProduct.h"

namespace mli::tflite {

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
  /// The constants of the kernel, or those of a layer of 16 bits.
  ByteLayer bytes;
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

/// The bias of `layer`, one integer an output: zeros where it is left out.
llvm::FailureOr<llvm::SmallVector<int64_t>> readBias(GraphImporter &importer,
                                                     const Weighted &layer);

/// Chooses the constants of a layer of 8 bits, and how its kernel clips.
llvm::LogicalResult chooseScales(GraphImporter &importer, Weighted &layer,
                                 schema::ActivationFunctionType activation);

/// The constants of a layer as values.
LayerOperands createOperands(GraphImporter &importer, const Weighted &layer);

} // namespace mli::tflite

#endif // MLI_LIB_IMPORT_WEIGHTED_H
