// SPDX-License-Identifier: Apache-2.0
//
// Reads layers with constant weights: their tensors, scales and constants.

#ifndef MLI_LIB_IMPORT_WEIGHTED_H
#define MLI_LIB_IMPORT_WEIGHTED_H

#include "Options.h"

#include "mli/Frontend/ByteProduct.h"

namespace mli::tflite {

/// A product of a tensor with constant weights.
struct Weighted {
  /// Indices of tensors; the bias is -1 if it is left out.
  int32_t input, weights, bias, output;
  /// The quantized weights in the order of the file, and in that of the kernel
  /// if it differs.
  llvm::ArrayRef<char> values;
  std::shared_ptr<llvm::SmallVector<char>> reordered;
  /// The shape of the weights in the order of the kernel.
  llvm::SmallVector<int64_t> shape;
  /// The constants of an 8-bit kernel, or of a layer of 16 bits.
  ByteLayer bytes;
  std::optional<WideTerms> terms;
  Clip clip;

  llvm::ArrayRef<char> getValues() const {
    return reordered ? llvm::ArrayRef<char>(*reordered) : values;
  }
  int64_t getOutputs() const { return shape.back(); }
  /// Transposes weights [outputs, ...] to the order of kernels, outputs last.
  void moveOutputsLast();
};

/// Reads the layer of these tensors; fails unless its weights are int8
/// constants of `rank` dimensions, quantised per tensor or along `outputAxis`,
/// the dimension of the outputs.
llvm::FailureOr<Weighted> readWeighted(GraphImporter &importer, int32_t input,
                                       int32_t weights, int32_t bias,
                                       int32_t output, int32_t outputAxis,
                                       size_t rank);

/// The bias of `layer`, one integer per output: zeros where it is left out.
llvm::FailureOr<llvm::SmallVector<int64_t>> readBias(GraphImporter &importer,
                                                     const Weighted &layer);

/// Chooses the constants of an 8-bit layer, and how its kernel clips.
llvm::LogicalResult chooseScales(GraphImporter &importer, Weighted &layer,
                                 schema::ActivationFunctionType activation);

/// The constants of a layer as values.
LayerOperands createOperands(GraphImporter &importer, const Weighted &layer);

} // namespace mli::tflite

#endif // MLI_LIB_IMPORT_WEIGHTED_H
