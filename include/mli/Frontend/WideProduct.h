// SPDX-License-Identifier: Apache-2.0
//
// Chooses the constants of sums of products of 16-bit tensors with any factors.
// The weights of a kernel have 16 bits in one format. Where that is too coarse,
// a second kernel multiplies with the remainder of the factors, and the results
// are added.

#ifndef MLI_FRONTEND_WIDEPRODUCT_H
#define MLI_FRONTEND_WIDEPRODUCT_H

#include "mli/Frontend/TensorBuilder.h"

#include <optional>
#include <string>

namespace mli {

/// The maximum error in quantized values that constants may add to a 16-bit
/// sum.
inline constexpr double maxWideError = 0.5;

/// The maximum shifts by the contract of the fx16 kernels: of sums, and of
/// biases to sums.
inline constexpr int maxWideShift = 31;
inline constexpr int maxWideBiasShift = 16;

/// The bytes of `values` as constants hold them.
llvm::SmallVector<char> getBytes(llvm::ArrayRef<int16_t> values);

/// One kernel of a sum of products in fx16: its quantized constants.
struct WideTerm {
  mlir::Type weightsElement, biasElement;
  llvm::SmallVector<int16_t> weights, bias;
};

/// The kernels of a sum of products in fx16. Either one; or two, of which the
/// first subtracts `offset`, and the second adds it to the remainder, which is
/// smaller; or three, of which the last is the first plus `offset`.
struct WideTerms {
  llvm::SmallVector<WideTerm, 3> kernels;
  int16_t offset = 0;
  /// A kernel for the remainder of the second one, where that is too large.
  std::optional<WideTerm> fine;
  /// The maximum error of the sum in quantized values, before kernels round.
  double error = 0;
};

/// Chooses the kernels for the sum of `factors` times quantized inputs, plus
/// `bias`, as quantized values of the output. `factors` has the outputs as its
/// last dimension. Before kernels round, the sum is off by at most `maxError`,
/// as far as shifts allow. With `isClippedAtZero` the result is clipped to at
/// least 0, so smaller sums may have any value. Fails, with a `reason`, where
/// 16 bits do not hold the factors.
llvm::FailureOr<WideTerms> chooseTerms(Fx16Type input, Fx16Type output,
                                       llvm::ArrayRef<double> factors,
                                       llvm::ArrayRef<double> bias,
                                       bool isClippedAtZero, double maxError,
                                       std::string &reason);

/// Weights and bias of one kernel, as values.
struct KernelOperands {
  mlir::Value weights, bias;
};

/// Creates a convolution without padding, of stride and dilation 1.
template <typename ConvOp>
mlir::Value createUnitConv(TensorBuilder &tensors, mlir::Value source,
                           const KernelOperands &operands, mlir::Value init,
                           ReluKind relu) {
  const int64_t padding[] = {0, 0, 0, 0}, ones[] = {1, 1};
  return tensors.createOp<ConvOp>(source, operands.weights, operands.bias, init,
                                  padding, ones, ones, relu);
}

/// The constants of a layer: of one kernel, or of the kernels of `WideTerms`.
struct LayerOperands {
  llvm::SmallVector<KernelOperands, 3> kernels;
  int16_t offset = 0;
  std::optional<KernelOperands> fine = {};
  /// The format of sums, where it is not that of the result.
  mlir::Type sumElement = {};
};
LayerOperands createOperands(TensorBuilder &tensors, const WideTerms &terms,
                             llvm::ArrayRef<int64_t> shape);

/// Creates the sum of the kernels of `operands` in `init`. `create` makes each
/// kernel from its operands and a destination.
using KernelFunction =
    llvm::function_ref<mlir::Value(const KernelOperands &, mlir::Value init)>;
mlir::Value createSum(TensorBuilder &tensors, const LayerOperands &operands,
                      mlir::Value init, KernelFunction create);

/// The format of a constant by which a kernel multiplies quantized values of
/// `from` by `factor` to those of `to`; null where 16 bits do not hold it.
Fx16Type findFactorElement(double factor, Fx16Type from, Fx16Type to);

/// Creates `value`, fx16, times `factor` in quantized values, as `element`, off
/// by at most 1. Null where 16 bits do not hold the factor.
mlir::Value createWideFactor(TensorBuilder &tensors, mlir::Value value,
                             double factor, Fx16Type element);

} // namespace mli

#endif // MLI_FRONTEND_WIDEPRODUCT_H
