// SPDX-License-Identifier: Apache-2.0
//
// Creates sums and products of two 16-bit tensors with any factors.

#ifndef MLI_FRONTEND_WIDESUM_H
#define MLI_FRONTEND_WIDESUM_H

#include "mli/Frontend/WideProduct.h"

namespace mli {

/// Creates the sum of two tensors of one size, of `element`, by the kernels of
/// `operands`, whose inputs are pairs.
mlir::Value createPairSum(TensorBuilder &tensors, mlir::Value left,
                          mlir::Value right, const LayerOperands &operands,
                          Fx16Type element);

/// The two steps of a product: the kernel shifts that of the codes to
/// `product`, whose codes are to be multiplied by `rest`.
struct WideSteps {
  Fx16Type product;
  double rest;
};

/// Splits `factor`, by which products of codes of `left` and `right` are
/// multiplied. The rest is 1 or more where it can be, so that the first step
/// saturates nothing that the second one does not. Fails, with a `reason`,
/// where the product has no format.
llvm::FailureOr<WideSteps> splitFactor(Fx16Type left, Fx16Type right,
                                       double factor, std::string &reason);

/// Creates the product of two tensors of one size, or one element, in `init`.
/// Null where 16 bits do not hold the factor.
mlir::Value createWideProduct(TensorBuilder &tensors, mlir::Value left,
                              mlir::Value right, const WideSteps &steps,
                              mlir::Value init);

} // namespace mli

#endif // MLI_FRONTEND_WIDESUM_H
