// SPDX-License-Identifier: Apache-2.0
//
// Creates sums that round once, where the 8-bit kernel rounds each operand.

#ifndef MLI_FRONTEND_SUMS_H
#define MLI_FRONTEND_SUMS_H

#include "mli/Frontend/Forms.h"
#include "mli/Frontend/TensorBuilder.h"
#include "mli/Quant/Requantize.h"

namespace mli {

/// Whether the sum of `left` and `right`, in `element` and clipped to `limits`,
/// has to be rounded once, in fx16. Types other than sa8 never do.
bool needsExactSum(SumForm form, mlir::Value left, mlir::Value right,
                   mlir::Type element, const quant::Limits &limits);

/// The fx16 type whose range holds all sums of the quantized values that `left`
/// and `right` can have; null if they are not sa8.
mlir::Type findSumElement(mlir::Value left, mlir::Value right);

/// Creates `KernelOp`, a sum or difference, of two operands of one shape or one
/// element, in `init`: by four kernels in fx16 if both are sa8.
template <typename KernelOp>
mlir::Value createExactSum(TensorBuilder &tensors, mlir::Value left,
                           mlir::Value right, mlir::Value init) {
  auto type = mlir::cast<mlir::RankedTensorType>(init.getType());
  mlir::Type sum = findSumElement(left, right);
  if (!sum)
    return tensors.createOp<KernelOp>(left, right, init);
  mlir::Value wide = tensors.createOp<KernelOp>(
      tensors.createConvert(left, sum), tensors.createConvert(right, sum),
      tensors.createEmpty(sum, type.getShape()));
  return tensors.createConvert(wide, type.getElementType());
}

} // namespace mli

#endif // MLI_FRONTEND_SUMS_H
