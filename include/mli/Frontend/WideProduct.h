// SPDX-License-Identifier: Apache-2.0
//
// Sums of products of 16-bit tensors with any factors. Kernels have weights of
// 16 bits of one format; where these are too coarse, a second kernel multiplies
// with what they leave, and the results are added.

#ifndef MLI_FRONTEND_WIDEPRODUCT_H
#define MLI_FRONTEND_WIDEPRODUCT_H

#include "mli/Frontend/TensorBuilder.h"

#include <optional>
#include <string>

namespace mli {

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
  /// Added to the second one, where that leaves too much.
  std::optional<WideTerm> fine;
  /// How far they are off together, in codes, before kernels round.
  double error = 0;
};

/// The kernels that together give the sum of `factors` times codes of the input
/// plus `bias`, all in codes of the output: before they round to `maxError`
/// codes, as far as shifts allow. `factors` has the outputs as its last
/// dimension. With `isFromZero` results
/// below 0 may be any: they are clipped to it. Fails, with a `reason`, where 16
/// bits do not hold them.
llvm::FailureOr<WideTerms> chooseTerms(Fx16Type input, Fx16Type output,
                                       llvm::ArrayRef<double> factors,
                                       llvm::ArrayRef<double> bias,
                                       bool isFromZero, double maxError,
                                       std::string &reason);

/// Weights and bias of one kernel, as values.
struct KernelOperands {
  mlir::Value weights, bias;
};

/// The constants of a layer: of one kernel, or of those of `WideTerms`.
struct LayerOperands {
  llvm::SmallVector<KernelOperands, 3> kernels;
  int16_t offset = 0;
  std::optional<KernelOperands> fine = {};
  /// The format of sums, where it is not that of the result.
  mlir::Type sumElement = {};
};
LayerOperands createOperands(TensorBuilder &tensors, const WideTerms &terms,
                             llvm::ArrayRef<int64_t> shape);

/// What the kernels that `create` makes of operands and a destination give
/// together, in `init`.
using KernelFunction =
    llvm::function_ref<mlir::Value(const KernelOperands &, mlir::Value init)>;
mlir::Value createSum(TensorBuilder &tensors, const LayerOperands &operands,
                      mlir::Value init, KernelFunction create);

/// `value`, fx16, times `factor` in codes, as `element`: to 1 code. Null where
/// 16 bits do not hold the factor.
mlir::Value createWideFactor(TensorBuilder &tensors, mlir::Value value,
                             double factor, Fx16Type element);

} // namespace mli

#endif // MLI_FRONTEND_WIDEPRODUCT_H
