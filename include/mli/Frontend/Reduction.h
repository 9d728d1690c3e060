// SPDX-License-Identifier: Apache-2.0
//
// Reductions of dimensions as pooling of whole maps.

#ifndef MLI_FRONTEND_REDUCTION_H
#define MLI_FRONTEND_REDUCTION_H

#include "mli/Frontend/TensorBuilder.h"

namespace mli {

/// A tensor as kernels reduce it: [before, height, width, behind], of which the
/// two in the middle go.
struct Reduction {
  /// The dimensions of the tensor are put into this order first; empty if they
  /// are in it.
  llvm::SmallVector<int64_t> order;
  int64_t before, behind;
  /// How many elements one element is made of: height times width.
  int64_t count;
  /// 0 if `count` has no sides that fit a kernel.
  int64_t height, width;
};

/// How to reduce the dimensions of `shape` in `isReduced`.
Reduction planReduction(llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<bool> isReduced);

/// What `reduce` makes of maps of `source`, which is in the order of `plan`, in
/// shape [before, 1, 1, behind] or without `before` if it is 1.
using ReduceFunction =
    llvm::function_ref<mlir::Value(mlir::Value map, mlir::Value init)>;
mlir::Value createReduction(TensorBuilder &tensors, mlir::Value source,
                            mlir::Type element, const Reduction &plan,
                            ReduceFunction reduce);

/// The same for a kernel that pools.
template <typename PoolOp>
mlir::Value createReduction(TensorBuilder &tensors, mlir::Value source,
                            mlir::Type element, const Reduction &plan) {
  int64_t window[] = {plan.height, plan.width};
  return createReduction(
      tensors, source, element, plan,
      [&](mlir::Value map, mlir::Value init) -> mlir::Value {
        return PoolOp::create(tensors.getBuilder(), tensors.getLoc(), map, init,
                              window, llvm::ArrayRef<int64_t>({0, 0, 0, 0}),
                              llvm::ArrayRef<int64_t>({1, 1}))
            .getResult(0);
      });
}

} // namespace mli

#endif // MLI_FRONTEND_REDUCTION_H
