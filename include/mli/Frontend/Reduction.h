// SPDX-License-Identifier: Apache-2.0
//
// Plans reductions of dimensions as pooling of whole feature maps.

#ifndef MLI_FRONTEND_REDUCTION_H
#define MLI_FRONTEND_REDUCTION_H

#include "mli/Frontend/TensorBuilder.h"

namespace mli {

/// A tensor as kernels reduce it: [before, height, width, after], of which
/// height and width are reduced.
struct Reduction {
  /// The permutation that the tensor needs first; empty if it needs none.
  llvm::SmallVector<int64_t> order;
  int64_t before, after;
  /// The number of elements that become one: height times width.
  int64_t count;
  /// Both are 0 if `count` has no factors that fit a kernel.
  int64_t height, width;
};

/// Plans the reduction of the dimensions of `shape` in `isReduced`.
Reduction planReduction(llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<bool> isReduced);

/// Creates reductions of feature maps of `source`, which is in the order of
/// `plan`, with `reduce`. The result is [before, 1, 1, after], without `before`
/// if it is 1.
using ReduceFunction =
    llvm::function_ref<mlir::Value(mlir::Value map, mlir::Value init)>;
mlir::Value createReduction(TensorBuilder &tensors, mlir::Value source,
                            mlir::Type element, const Reduction &plan,
                            ReduceFunction reduce);

/// Does the same with a pooling kernel.
template <typename PoolOp>
mlir::Value createReduction(TensorBuilder &tensors, mlir::Value source,
                            mlir::Type element, const Reduction &plan) {
  int64_t window[] = {plan.height, plan.width};
  return createReduction(tensors, source, element, plan,
                         [&](mlir::Value map, mlir::Value init) -> mlir::Value {
                           return tensors.createOp<PoolOp>(
                               map, init, window,
                               llvm::ArrayRef<int64_t>({0, 0, 0, 0}),
                               llvm::ArrayRef<int64_t>({1, 1}));
                         });
}

} // namespace mli

#endif // MLI_FRONTEND_REDUCTION_H
