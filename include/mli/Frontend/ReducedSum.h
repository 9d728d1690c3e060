// SPDX-License-Identifier: Apache-2.0
//
// Chooses kernels for sums and means over whole dimensions: the average pool,
// or, where that is off by more than 1 or too often, products with ones.

#ifndef MLI_FRONTEND_REDUCEDSUM_H
#define MLI_FRONTEND_REDUCEDSUM_H

#include "mli/Frontend/AveragePool.h"
#include "mli/Frontend/Reduction.h"

namespace mli {

/// The sum of quantized values less the zero point, times `factor`, rounded
/// once, as a quantized value of `out`.
struct ReducedSum {
  quant::QuantParams in, out;
  /// The range of quantized inputs.
  quant::CodeRange input;
  double factor;
};

/// Describes the effect of this error of an average pool: `be off by up to
/// 3.1`, or `saturate`.
std::string describePoolError(double error);

/// The kernel that computes a `ReducedSum`.
struct SumKernel {
  /// The constants of a product with ones; without them the kernel is the
  /// average pool.
  std::optional<EqualProduct> ones;
  /// The error of the average pool in quantized values, where it was
  /// considered, and the share of sums that it has off.
  std::optional<double> poolError;
  double poolShareOff = 0;
};

/// Chooses the kernel for `sum` over the dimensions of `plan`: with a `form`
/// the average pool if results are off by at most 1, and the form takes it.
std::variant<SumKernel, ByteRejection>
chooseSumKernel(mlir::MLIRContext *context, const Reduction &plan,
                const ReducedSum &sum, std::optional<AverageForm> form);

/// The shapes of products with ones of the maps of a reduction: the maps, the
/// window of all elements that become one, and the results.
struct OnesShapes {
  llvm::SmallVector<int64_t, 4> maps, window, results;
};
OnesShapes getOnesShapes(const Reduction &plan);

/// Creates `kernel` for `source`, which is in the order of `plan`, with
/// elements `element`. Emits remarks on what is not computed as the network
/// specifies it.
mlir::Value createReducedSum(TensorBuilder &tensors, mlir::Value source,
                             Sa8Type element, const Reduction &plan,
                             const SumKernel &kernel);

} // namespace mli

#endif // MLI_FRONTEND_REDUCEDSUM_H
