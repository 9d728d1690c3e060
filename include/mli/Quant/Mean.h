// SPDX-License-Identifier: Apache-2.0
//
// Means of codes, as networks state them, and how far the average pool is from
// them: its factor has 8 bits, its offset has 16, and both may saturate.

#ifndef MLI_QUANT_MEAN_H
#define MLI_QUANT_MEAN_H

#include "mli/Quant/CodeConversion.h"

namespace mli::quant {

/// `(mean of count codes - in.zeroPoint) * factor + out.zeroPoint`, rounded
/// once, as a code of `out`. The factor is the ratio of the scales, of which
/// `in` and `out` have 15 bits.
struct Mean {
  QuantParams in, out;
  double factor;
  int32_t count;
  /// The codes of inputs.
  CodeRange input;
};

/// How far the average pool is from `mean` at most, in codes before the
/// rounding, over all inputs whose result is no limit of 8 bits; infinity where
/// a step of 32 bits saturates. Codes differ by 1 at most where it is below 1.
double averageError(const Mean &mean);

/// Height or width of an average pool.
struct PoolAxis {
  int64_t in, out;
  int64_t kernel, stride, paddingBefore;
};

/// The same over all windows of a pool, which leave out padding: `mean` for
/// each number of codes that one of them has.
double poolError(Mean mean, const PoolAxis &rows, const PoolAxis &columns);

} // namespace mli::quant

#endif // MLI_QUANT_MEAN_H
