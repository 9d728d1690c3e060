// SPDX-License-Identifier: Apache-2.0
//
// Products of codes of 8 bits with constant weights, as networks state them,
// and the constants with which kernels compute them: of the kernel of 8 bits,
// or where one of its steps would saturate while the result does not, of those
// of fx16.

#ifndef MLI_FRONTEND_BYTEPRODUCT_H
#define MLI_FRONTEND_BYTEPRODUCT_H

#include "mli/Frontend/Clip.h"
#include "mli/Frontend/WideProduct.h"
#include "mli/Quant/ByteChannel.h"

#include <variant>

namespace mli {

/// Output o is `(sum + bias[o]) * factors[o]`, rounded once, as a code of
/// `out`.
struct ByteProduct {
  quant::QuantParams in, out;
  /// The codes of inputs.
  quant::CodeRange input;
  /// i8, [..., outputs].
  llvm::ArrayRef<char> weights;
  llvm::SmallVector<int32_t> bias;
  /// One for all outputs, or one each.
  llvm::SmallVector<double> factors;
  /// What results are clipped to.
  quant::Limits limits;
};

/// The constants of the kernel of 8 bits; of fx16 if there are `terms`.
struct ByteLayer {
  /// One for all outputs, or one each.
  llvm::SmallVector<quant::QuantParams> weightsParams, biasParams;
  /// Empty if they are those of the product.
  llvm::SmallVector<char> weights;
  llvm::SmallVector<int32_t> bias;
  std::optional<WideTerms> terms;
  /// The format of their sums.
  mlir::Type sumElement;
  /// Outputs with the nearest bias that the kernel takes, those that are
  /// constants of another scale, and those that it does not compute.
  llvm::SmallVector<int64_t> rounded, constants, wide;

  mlir::Type getWeightsElement(mlir::MLIRContext *context, int32_t axis) const;
  mlir::Type getBiasElement(mlir::MLIRContext *context) const;
};

/// Why there is no such layer: of one output, whose factor is out of the range
/// of formats if there is no other `reason`.
struct ByteRejection {
  size_t output;
  std::string reason;
};
std::variant<ByteLayer, ByteRejection> chooseLayer(mlir::MLIRContext *context,
                                                 const ByteProduct &product);

/// Says at `loc` what is computed in another way than the network has it.
void remarkChanges(mlir::Location loc, const ByteLayer &layer);

/// The constants of a layer whose weights are of shape `shape` and, if the
/// layer has no other ones, `createWeights(element)`.
LayerOperands
createOperands(TensorBuilder &tensors, const ByteLayer &layer,
               llvm::ArrayRef<int64_t> shape,
               llvm::function_ref<mlir::Value(mlir::Type)> createWeights);

/// The product of `input` with `operands`, clipped, for `init`: by the kernels
/// that `create` makes. Where input and result are of 8 bits and the operands
/// of 16, all between is.
using ProductFunction =
    llvm::function_ref<mlir::Value(mlir::Value input, const KernelOperands &,
                                   mlir::Value init, ReluKind relu)>;
mlir::Value createProduct(TensorBuilder &tensors, const LayerOperands &operands,
                          const Clip &clip, mlir::Value input, mlir::Value init,
                          ProductFunction create);

} // namespace mli

#endif // MLI_FRONTEND_BYTEPRODUCT_H
