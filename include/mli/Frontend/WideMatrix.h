// SPDX-License-Identifier: Apache-2.0
//
// Creates products of matrices of 16 bits of which none is constant.

#ifndef MLI_FRONTEND_WIDEMATRIX_H
#define MLI_FRONTEND_WIDEMATRIX_H

#include "mli/Frontend/WideSum.h"

namespace mli {

/// Creates the products of `left`, [batch, rows, inner], with `right`, [batch,
/// inner, columns], both fx16, as [batch, rows, columns] of `element`: by a
/// `conv2d` of 1 x 1 for each of the batch, whose weights are `right`. `steps`
/// are those of one product. Null where 16 bits do not hold the factor.
mlir::Value createWideMatrixProduct(TensorBuilder &tensors, mlir::Value left,
                                    mlir::Value right, const WideSteps &steps,
                                    Fx16Type element);

} // namespace mli

#endif // MLI_FRONTEND_WIDEMATRIX_H
