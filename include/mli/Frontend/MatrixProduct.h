// SPDX-License-Identifier: Apache-2.0
//
// Creates products of matrices of 8 bits of which none is constant.

#ifndef MLI_FRONTEND_MATRIXPRODUCT_H
#define MLI_FRONTEND_MATRIXPRODUCT_H

#include "mli/Frontend/Clip.h"
#include "mli/Quant/ByteChannel.h"

namespace mli {

/// The products of `left`, [batch, rows, inner], with `right`, [batch, inner,
/// columns], both sa8. `factor` times the sum of the products of quantised
/// values, less their zero points, and of the bias of the column, is rounded
/// once, as a quantised value of `element`.
struct MatrixProduct {
  mlir::Value left, right;
  Sa8Type element;
  double factor;
  /// One for each column.
  llvm::SmallVector<int32_t> bias;
  Clip clip;
};

/// Creates `product`, [batch, rows, columns], by a `conv2d` of 1 x 1 for each
/// of the batch. Weights of the kernel are signed bytes less no zero point:
/// what they do not hold of `right` is a further part of them, which meets the
/// same elements of `left`. Fails, with a `reason`, where the kernel would
/// saturate.
llvm::FailureOr<mlir::Value> createMatrixProduct(TensorBuilder &tensors,
                                                 const MatrixProduct &product,
                                                 std::string &reason);

} // namespace mli

#endif // MLI_FRONTEND_MATRIXPRODUCT_H
