// SPDX-License-Identifier: Apache-2.0

#include "mli/Layout/MatrixWidth.h"

#include "Layout/Saturating.h"
#include "mli/Layout/Strides.h"

#include <algorithm>

namespace mli::layout {

// L16
int64_t bestMatrixWidth(int64_t columns, int64_t bytes, int64_t startNpu,
                        const Target &target, int64_t maxWidth) {
  int64_t unit = std::max<int64_t>(target.unit / bytes, 1);
  int64_t mostWidth = std::min(columns, maxWidth);
  // The fewest block rows whose channels are not too wide. For each number of
  // rows the narrowest width that needs no more is the best.
  int64_t rows =
      channelsPerNpu(startNpu, ceilDivide(columns, mostWidth), target.npus);
  int64_t best = 0;
  int64_t bestSize = unrepresentable;
  for (;; ++rows) {
    int64_t width = ceilDivide(columns, rows * target.npus - startNpu);
    int64_t size = multiply(rows, roundUp(width, unit));
    if (size < bestSize) {
      best = width;
      bestSize = size;
    }
    // From here on every block is one unit: more rows only take more.
    if (width <= unit)
      return best;
  }
}

} // namespace mli::layout
