// SPDX-License-Identifier: Apache-2.0
//
// Chooses kernels for sums and averages of 16-bit tensors: the average pool,
// or, where scales differ or the pool is too far off, products with ones in
// fx16.

#ifndef MLI_FRONTEND_WIDEAVERAGE_H
#define MLI_FRONTEND_WIDEAVERAGE_H

#include "mli/Frontend/Clip.h"
#include "mli/Frontend/Forms.h"
#include "mli/Frontend/Reduction.h"
#include "mli/Frontend/WindowRuns.h"

#include <vector>

namespace mli {

/// The format of a product with ones in fx16, and the number by which it
/// multiplies in place of one.
struct WideOnes {
  Fx16Type element;
  int16_t weight;
  /// The maximum error in quantized values before the kernel rounds: less than
  /// 1.
  double error;
};

/// A sum of `count` quantized values, times `factor`, as quantized values of
/// `out`.
struct WideReducedSum {
  Fx16Type in, out;
  double factor;
  int64_t count;
  /// Whether that is the mean, and both tensors have one scale.
  bool isMean;
};

/// Chooses the kernel of a sum: no product with ones where the average pool is
/// the kernel, which `form` takes while it is off by at most 1. Emits a remark
/// at `loc` on products in place of the pool. Fails where 16 bits do not hold
/// the factor.
llvm::FailureOr<std::optional<WideOnes>>
chooseWideReducedSum(mlir::Location loc, const WideReducedSum &sum,
                     AverageForm form);

/// Creates a sum over the dimensions of `plan` of `source`, which is in that
/// order, as `element`: by the average pool without `ones`.
mlir::Value createWideReducedSum(TensorBuilder &tensors, mlir::Value source,
                                 Fx16Type element, const Reduction &plan,
                                 const std::optional<WideOnes> &ones);

/// An average pool between tensors of 16 bits, `ratio` of whose scales it
/// multiplies by. Each window has an element of the input.
struct WidePool : PoolShape {
  Fx16Type in, out;
  double ratio;
  /// Whether both tensors have one scale, so that the kernel can compute it.
  bool hasKernel;
};

/// Products with ones for the runs of windows of a pool.
struct WideProducts {
  WindowRuns runs;
  std::vector<WideOnes> ones;
};

/// Chooses products for `pool` as `chooseWideReducedSum` does for one window;
/// none for the average pool, which also computes what would take too many
/// products, with a remark. Fails, with a `reason`, where no kernel computes
/// it.
llvm::FailureOr<std::optional<WideProducts>>
chooseWideAverage(mlir::Location loc, const WidePool &pool, AverageForm form,
                  std::string &reason);

/// Creates `products` of `source`, [height, width, channels], in `init`.
mlir::Value createWideAverage(TensorBuilder &tensors, const WidePool &pool,
                              const WideProducts &products, mlir::Value source,
                              mlir::Value init);

} // namespace mli

#endif // MLI_FRONTEND_WIDEAVERAGE_H
