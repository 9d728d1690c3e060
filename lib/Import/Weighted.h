// SPDX-License-Identifier: Apache-2.0
//
// Reads layers with constant weights: their tensors, scales and constants.

#ifndef MLI_LIB_IMPORT_WEIGHTED_H
#define MLI_LIB_IMPORT_WEIGHTED_H

#include "Options.h"

#include "mli/Frontend/SplitWeights.h"

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
  /// Of uint8 weights: the groups of the layer, and which of their channels the
  /// kernel takes twice. `shape` counts these twice.
  ChannelGroups channels = {};
  llvm::SmallVector<int64_t> repeated, repeatedGroups;
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
/// the dimension of the outputs. With `takesUnsigned` they may be uint8 if the
/// input is.
llvm::FailureOr<Weighted> readWeighted(GraphImporter &importer, int32_t input,
                                       int32_t weights, int32_t bias,
                                       int32_t output, int32_t outputAxis,
                                       size_t rank, bool takesUnsigned = false);

/// The bias of `layer`, one integer per output: zeros where it is left out.
llvm::FailureOr<llvm::SmallVector<int64_t>> readBias(GraphImporter &importer,
                                                     const Weighted &layer);

/// Takes the zero points from the weights of a layer of `inputs` channels, if
/// they are uint8. `shape` is that of the kernel. Those that 8 bits do not hold
/// are split, and the kernel takes their channels twice.
void subtractZeroPoints(GraphImporter &importer, Weighted &layer,
                        int64_t inputs);

/// Chooses the constants of an 8-bit layer, and how its kernel clips.
llvm::LogicalResult chooseScales(GraphImporter &importer, Weighted &layer,
                                 schema::ActivationFunctionType activation);

/// The constants of a layer as values.
LayerOperands createOperands(GraphImporter &importer, const Weighted &layer);

/// Whether one kernel for all groups of channels, and another one for those
/// with repeated channels alone, cost less than a kernel that takes these
/// channels of all groups twice: in bytes that are moved and in products.
bool isPatched(GraphImporter &importer, const Weighted &layer);

/// Creates the kernels of a layer for each image or row. `create` makes one
/// from input, weights and bias, destination and activation; `createGrouped`,
/// where it is given, one that computes some groups of channels alone.
llvm::LogicalResult createLayer(GraphImporter &importer, const Weighted &layer,
                                llvm::ArrayRef<int64_t> inputShape,
                                llvm::ArrayRef<int64_t> outputShape,
                                ProductFunction create,
                                ProductFunction createGrouped = nullptr);

/// Which operands of a product of matrices have their columns first.
struct Transposed {
  bool left, right;
};

/// Imports a product of two matrices of 8 or 16 bits, or of one for each of a
/// batch, of which none has to be a constant, and of 8 bits a bias, operand 2,
/// if there is one.
llvm::LogicalResult
importVariableProduct(GraphImporter &importer, const Transposed &isTransposed,
                      schema::ActivationFunctionType activation);

} // namespace mli::tflite

#endif // MLI_LIB_IMPORT_WEIGHTED_H
