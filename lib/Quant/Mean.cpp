// SPDX-License-Identifier: Apache-2.0

#include "mli/Quant/Mean.h"

#include "mli/Quant/Arithmetic.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace mli::quant {

/// Whether the accumulator of the pool holds `scale.offset` and sums up to
/// `low` and `high` without saturating.
static bool isHeld(const AverageScale &scale, double low, double high) {
  if (scale.shift < 0 || scale.shift > 31)
    return false;
  double start = std::ldexp(scale.offset, scale.shift);
  double half = std::ldexp(1, scale.shift - 1);
  for (double total : {start, start + scale.multiplier * low,
                       start + scale.multiplier * high + half})
    if (total < INT32_MIN || total > INT32_MAX)
      return false;
  return true;
}

// K65
double averageError(const Mean &mean) {
  AverageScale scale = averageAsymmetric(mean.in, mean.out, mean.count);
  double count = mean.count;
  double low = count * mean.input.low;
  double high = count * mean.input.high;
  if (!isHeld(scale, low, high))
    return std::numeric_limits<double>::infinity();
  auto exact = [&](double sum) {
    return (sum / count - mean.in.zeroPoint) * mean.factor + mean.out.zeroPoint;
  };
  auto getSum = [&](double code) {
    double number = (code - mean.out.zeroPoint) / mean.factor;
    return (number + mean.in.zeroPoint) * count;
  };
  // Both are lines: they are farthest from each other at an end of the sums, or
  // where the result reaches a limit.
  double greatest = 0;
  for (double sum : {std::clamp(getSum(INT8_MIN - 1.0), low, high),
                     std::clamp(getSum(INT8_MAX + 1.0), low, high)}) {
    double pooled =
        std::ldexp(scale.multiplier * sum, -scale.shift) + scale.offset;
    greatest = std::max(greatest, std::abs(pooled - exact(sum)));
  }
  return greatest;
}

/// Returns the numbers of inputs that windows have.
static std::set<int64_t> getCounts(const PoolAxis &axis) {
  std::set<int64_t> counts;
  for (int64_t i = 0; i < axis.out; ++i) {
    int64_t begin = i * axis.stride - axis.paddingBefore;
    int64_t end = std::min(begin + axis.kernel, axis.in);
    counts.insert(std::max<int64_t>(end - std::max<int64_t>(begin, 0), 0));
  }
  counts.erase(0);
  return counts;
}

double poolError(Mean mean, const PoolAxis &rows, const PoolAxis &columns) {
  double greatest = 0;
  for (int64_t height : getCounts(rows))
    for (int64_t width : getCounts(columns)) {
      mean.count = static_cast<int32_t>(height * width);
      greatest = std::max(greatest, averageError(mean));
    }
  return greatest;
}

} // namespace mli::quant
