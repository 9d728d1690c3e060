// SPDX-License-Identifier: Apache-2.0
//
// Chooses the constants with which kernels compute products of 8-bit values
// with constant weights: those of the 8-bit kernel, or, where one of its steps
// would saturate while the result does not, those of fx16 kernels.

#ifndef MLI_FRONTEND_BYTEPRODUCT_H
#define MLI_FRONTEND_BYTEPRODUCT_H

#include "mli/Frontend/Clip.h"
#include "mli/Frontend/WideProduct.h"
#include "mli/Quant/ByteChannel.h"

#include <variant>

namespace mli {

/// A product as a network specifies it. Output o is `(sum + bias[o]) *
/// factors[o]`, rounded once, as a quantized value of `out`.
struct ByteProduct {
  quant::QuantParams in, out;
  /// The range of quantized inputs.
  quant::CodeRange input;
  /// i8, [..., outputs].
  llvm::ArrayRef<char> weights;
  llvm::SmallVector<int32_t> bias;
  /// One factor for all outputs, or one each.
  llvm::SmallVector<double> factors;
  /// The limits to which results are clipped.
  quant::Limits limits;
};

/// The constants of the 8-bit kernel, or of fx16 kernels if there are `terms`.
struct ByteLayer {
  /// One for all outputs, or one each.
  llvm::SmallVector<quant::QuantParams> weightsParams, biasParams;
  /// Empty if the weights are those of the product.
  llvm::SmallVector<char> weights;
  llvm::SmallVector<int32_t> bias;
  std::optional<WideTerms> terms;
  /// The format of the sums of `terms`.
  mlir::Type sumElement;
  /// The outputs whose bias is rounded to the nearest one that the kernel
  /// takes, those that are constants of another scale, and those that the
  /// kernel cannot compute.
  llvm::SmallVector<int64_t> rounded, constants, wide;

  mlir::Type getWeightsElement(mlir::MLIRContext *context, int32_t axis) const;
  mlir::Type getBiasElement(mlir::MLIRContext *context) const;
};

/// The reason why there is no layer: output `output` fails. Its factor is out
/// of the range of formats if `reason` is empty.
struct ByteRejection {
  size_t output;
  std::string reason;
};
std::variant<ByteLayer, ByteRejection> chooseLayer(mlir::MLIRContext *context,
                                                   const ByteProduct &product);

/// Chooses fx16 kernels that compute `product` in 16 bits as quantized values
/// of `out`, from an input that `createWidened` gives.
llvm::FailureOr<ByteLayer> chooseWideLayer(const ByteProduct &product,
                                           Fx16Type out, std::string &reason);

/// Emits a remark at `loc` that `what` holds for `list`, some of `count` things
/// that are called `name`.
void remarkList(mlir::Location loc, llvm::StringRef what,
                llvm::ArrayRef<int64_t> list, int64_t count,
                llvm::StringRef name);

/// Emits remarks at `loc` on what is not computed as the network specifies it.
void remarkChanges(mlir::Location loc, const ByteLayer &layer);

/// Creates the constants of a layer with weights of `shape`. `createWeights`
/// creates weights of an element type where the layer keeps those of the
/// product.
LayerOperands
createOperands(TensorBuilder &tensors, const ByteLayer &layer,
               llvm::ArrayRef<int64_t> shape,
               llvm::function_ref<mlir::Value(mlir::Type)> createWeights);

/// Converts `value`, sa8, less its zero point, to fx16 in units of a quantized
/// value, with 7 bits behind the point. Null if no format has that unit.
mlir::Value createWidened(TensorBuilder &tensors, mlir::Value value);
/// Converts back, to `element`.
mlir::Value createNarrowed(TensorBuilder &tensors, mlir::Value value,
                           Sa8Type element);

/// Creates the product of `input` with `operands`, clipped, in `init`, by
/// kernels that `create` makes. If input and result have 8 bits and the
/// operands 16, the product is computed in fx16.
using ProductFunction =
    llvm::function_ref<mlir::Value(mlir::Value input, const KernelOperands &,
                                   mlir::Value init, ReluKind relu)>;
mlir::Value createProduct(TensorBuilder &tensors, const LayerOperands &operands,
                          const Clip &clip, mlir::Value input, mlir::Value init,
                          ProductFunction create);

} // namespace mli

#endif // MLI_FRONTEND_BYTEPRODUCT_H
