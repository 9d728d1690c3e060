// SPDX-License-Identifier: Apache-2.0
//
// How near two tensors are as real numbers.

#ifndef MLI_EXECUTION_SIMILARITY_H
#define MLI_EXECUTION_SIMILARITY_H

#include "mli/Execution/HostTensor.h"

#include "mlir/IR/BuiltinTypes.h"

namespace mli {

/// The real number that element `index` of a tensor of `type` stands for.
double getRealValue(mlir::RankedTensorType type, const HostTensor &tensor,
                    size_t index);

struct Similarity {
  /// The signal-to-quantisation-noise ratio in dB: 10 times the logarithm of
  /// the sum of squares of the reference by that of the differences. Infinite
  /// where nothing differs.
  double sqnr = 0;
  /// Of the angle between both; 1 where both are 0 everywhere, and 0 where one
  /// is.
  double cosine = 0;
};

/// Compares `tensor`, of `type`, with `reference`, of `referenceType`, element
/// by element in row-major order. They have as many elements.
Similarity measureSimilarity(mlir::RankedTensorType type,
                             const HostTensor &tensor,
                             mlir::RankedTensorType referenceType,
                             const HostTensor &reference);

} // namespace mli

#endif // MLI_EXECUTION_SIMILARITY_H
