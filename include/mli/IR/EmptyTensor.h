// SPDX-License-Identifier: Apache-2.0
//
// Destinations of kernels on tensors.

#ifndef MLI_IR_EMPTYTENSOR_H
#define MLI_IR_EMPTYTENSOR_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mli {

/// A `tensor.empty` with the shape, dynamic sizes included, and the encoding of
/// `like`, a ranked tensor. Its elements are of type `element`, or like those
/// of `like` if that is null.
inline mlir::Value createEmptyLike(mlir::OpBuilder &builder, mlir::Value like,
                                   mlir::Type element = {}) {
  auto type = mlir::cast<mlir::RankedTensorType>(like.getType());
  mlir::Location loc = like.getLoc();
  return mlir::tensor::EmptyOp::create(
      builder, loc, mlir::tensor::getMixedSizes(builder, loc, like),
      element ? element : type.getElementType(), type.getEncoding());
}

} // namespace mli

#endif // MLI_IR_EMPTYTENSOR_H
