// SPDX-License-Identifier: Apache-2.0
//
// Means of values, as networks state them, and how far the average pool is from
// them: its factor has 8 bits, its offset has 16, and both may saturate.

#ifndef MLI_QUANT_MEAN_H
#define MLI_QUANT_MEAN_H

#include "mli/Quant/CodeConversion.h"

namespace mli::quant {

/// `(mean of count codes - in.zeroPoint) * factor + out.zeroPoint`, rounded
/// once, as a quantised value of `out`. The factor is the ratio of the scales,
/// of which `in` and `out` have 15 bits.
struct Mean {
  QuantParams in, out;
  double factor;
  int32_t count;
  /// The quantised values of inputs.
  CodeRange input;
};

/// The greatest distance of the average pool from `mean`, in output steps
/// before rounding, over all inputs whose result is no 8-bit limit; infinity
/// where a 32-bit step saturates. Below 1, results differ by at most 1.
double averageError(const Mean &mean);

/// Height or width of an average pool.
struct PoolAxis {
  int64_t in, out;
  int64_t kernel, stride, paddingBefore;
};

/// Returns the same over all windows of a pool, which leave out padding: `mean`
/// for each number of elements that one of them has.
double poolError(Mean mean, const PoolAxis &rows, const PoolAxis &columns);

} // namespace mli::quant

#endif // MLI_QUANT_MEAN_H
