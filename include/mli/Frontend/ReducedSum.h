// SPDX-License-Identifier: Apache-2.0
//
// Sums and means over whole dimensions: by the average pool, or where that is
// more than 1 code off, by products with ones.

#ifndef MLI_FRONTEND_REDUCEDSUM_H
#define MLI_FRONTEND_REDUCEDSUM_H

#include "mli/Frontend/ByteProduct.h"
#include "mli/Frontend/Reduction.h"

namespace mli {

/// The sum of codes less the zero point, times `factor`, rounded once, as a
/// code of `out`.
struct ReducedSum {
  quant::QuantParams in, out;
  /// The codes of inputs.
  quant::CodeRange input;
  double factor;
};

/// What an average pool of this error would do: `be up to 3.1 codes off`, or
/// `saturate`.
std::string describePoolError(double error);

/// The kernel that computes such a sum.
struct SumKernel {
  /// The constants of a product with ones; without them it is the average pool.
  std::optional<ByteLayer> ones;
  /// How far the average pool is off in codes, where it would be possible.
  std::optional<double> poolError;
};

/// The kernel for `sum` over what `plan` reduces: with `mayPool` the average
/// pool if codes are 1 off at most.
std::variant<SumKernel, ByteRejection> chooseSumKernel(mlir::MLIRContext *context,
                                                     const Reduction &plan,
                                                     const ReducedSum &sum,
                                                     bool mayPool);

/// Creates `kernel` for `source`, which is in the order of `plan`, with
/// elements `element`. Says what is not computed as the network has it.
mlir::Value createReducedSum(TensorBuilder &tensors, mlir::Value source,
                             Sa8Type element, const Reduction &plan,
                             const SumKernel &kernel);

} // namespace mli

#endif // MLI_FRONTEND_REDUCEDSUM_H
