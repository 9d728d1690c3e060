// SPDX-License-Identifier: Apache-2.0
//
// Sums that round once, where the kernel of 8 bits rounds each operand.

#ifndef MLI_FRONTEND_SUMS_H
#define MLI_FRONTEND_SUMS_H

#include "mli/Frontend/TensorBuilder.h"

namespace mli {

/// fx16 with room for the sums of codes that `left` and `right` can have; null
/// if they are not sa8.
mlir::Type findSumElement(mlir::Value left, mlir::Value right);

/// What `KernelOp`, a sum or difference, makes of two operands of one shape or
/// one element, in `element`: four kernels for one if both are sa8.
template <typename KernelOp>
mlir::Value createExactSum(TensorBuilder &tensors, mlir::Value left,
                           mlir::Value right, mlir::Value init) {
  auto type = mlir::cast<mlir::RankedTensorType>(init.getType());
  mlir::Type sum = findSumElement(left, right);
  if (!sum)
    return KernelOp::create(tensors.getBuilder(), tensors.getLoc(), left, right,
                            init)
        .getResult(0);
  mlir::Value wide = KernelOp::create(tensors.getBuilder(), tensors.getLoc(),
                                      tensors.createConvert(left, sum),
                                      tensors.createConvert(right, sum),
                                      tensors.createEmpty(sum, type.getShape()))
                         .getResult(0);
  return tensors.createConvert(wide, type.getElementType());
}

} // namespace mli

#endif // MLI_FRONTEND_SUMS_H
