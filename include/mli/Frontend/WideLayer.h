// SPDX-License-Identifier: Apache-2.0
//
// Chooses the constants of layers whose inputs and results have 16 bits.

#ifndef MLI_FRONTEND_WIDELAYER_H
#define MLI_FRONTEND_WIDELAYER_H

#include "mli/Frontend/WideProduct.h"

#include <vector>

namespace mli {

/// A product with constant weights as a network specifies it. Output o is
/// `(sum + bias[o]) * factors[o]`, rounded once, as a quantised value of `out`.
struct WideLayer {
  Fx16Type in, out;
  /// [..., outputs], of up to 16 bits.
  std::vector<double> weights;
  llvm::SmallVector<int64_t> bias;
  /// One factor for all outputs, or one each.
  llvm::SmallVector<double> factors;
  /// Whether results below 0 may have any value, since they are clipped.
  bool isClippedAtZero = false;
};

/// Chooses the kernels of `layer`, off by `maxWideError` as far as shifts
/// allow. Fails, with a `reason`, where 16 bits do not hold the factors.
llvm::FailureOr<WideTerms> chooseLayerTerms(WideLayer layer,
                                            std::string &reason);

} // namespace mli

#endif // MLI_FRONTEND_WIDELAYER_H
