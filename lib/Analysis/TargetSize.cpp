// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/TargetSize.h"

#include <numeric>

// L37
int64_t mli::roundToTarget(int64_t bytes, const layout::Target &target) {
  int64_t step =
      std::lcm(std::lcm(target.unit, target.dmaAlignment), target.banks);
  return (bytes + step - 1) / step * step;
}
