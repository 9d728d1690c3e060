// SPDX-License-Identifier: Apache-2.0
//
// Creates products of matrices of 8 bits of which none is constant.

#ifndef MLI_FRONTEND_MATRIXPRODUCT_H
#define MLI_FRONTEND_MATRIXPRODUCT_H

#include "mli/Frontend/Clip.h"
#include "mli/Quant/ByteChannel.h"

namespace mli {

/// An operand of a product as it is quantised, and the values that it can have.
struct MatrixOperand {
  quant::QuantParams params;
  quant::CodeRange codes;
};
MatrixOperand getMatrixOperand(mlir::Value value);

/// `factor` times the sum of `inner` products of quantised values, less their
/// zero points, and of the bias of the column, is rounded once, as a quantised
/// value of `out` that is clipped to `limits`.
struct MatrixSums {
  MatrixOperand left, right;
  quant::QuantParams out;
  int64_t inner;
  double factor;
  /// One for each column.
  llvm::SmallVector<int32_t> bias;
  quant::Limits limits;
};

/// The formats of weights and bias with which a kernel computes the sums.
struct MatrixFormats {
  quant::QuantParams weights, bias;
  llvm::SmallVector<int32_t> biasCodes; ///< one for each column
};
/// Fails, with a `reason`, where the kernel would saturate.
llvm::FailureOr<MatrixFormats> chooseMatrixFormats(const MatrixSums &sums,
                                                   std::string &reason);

/// Creates the products of `left`, [batch, rows, inner], with `right`, [batch,
/// inner, columns], both sa8, as [batch, rows, columns] of `element`: by a
/// `conv2d` of 1 x 1 for each of the batch. Weights of the kernel are signed
/// bytes less no zero point: what they do not hold of `right` is a further part
/// of them, which meets the same elements of `left`.
mlir::Value createMatrixProduct(TensorBuilder &tensors, mlir::Value left,
                                mlir::Value right, const MatrixFormats &formats,
                                Sa8Type element, const Clip &clip);

} // namespace mli

#endif // MLI_FRONTEND_MATRIXPRODUCT_H
