// SPDX-License-Identifier: Apache-2.0
//
// Means rounded as a network rounds them: how many of them the average pool
// gives, and the constants with which a product with equal weights gives more.

#ifndef MLI_QUANT_EXACTMEAN_H
#define MLI_QUANT_EXACTMEAN_H

#include "mli/Quant/Mean.h"

#include <optional>

namespace mli::quant {

/// A mean, and how a network rounds halves.
struct ExactMean {
  Mean mean;
  /// Halves are rounded away from this quantised value of the result; up
  /// without one.
  std::optional<int32_t> pivot;
};

/// The share of all sums of codes for which the average pool gives another
/// quantised value, where each differs by 1; at most 1. Sums count alike: codes
/// of networks are not uniform.
double poolShareOff(const ExactMean &exact);

/// `(weight * sum of quantised values less the zero point + bias) * factor`, as
/// a kernel of products rounds it, and the share of sums that it gives another
/// quantised value.
struct EqualWeights {
  int32_t weight, bias;
  double factor, shareOff;
};

/// Chooses the constants for which the share is least.
EqualWeights chooseEqualWeights(const ExactMean &exact);

} // namespace mli::quant

#endif // MLI_QUANT_EXACTMEAN_H
