// SPDX-License-Identifier: Apache-2.0

#include "mli/Layout/MatrixWidth.h"

#include "Layout/Saturating.h"

#include <algorithm>

namespace mli::layout {

namespace {

/// The search for the best number of block rows: for each the narrowest width
/// that needs no more rows is the best.
class WidthSearch {
public:
  WidthSearch(int64_t columns, int64_t unit, int64_t startNpu, int64_t npus)
      : columns(columns), unit(unit), startNpu(startNpu), npus(npus) {}

  int64_t getRows(int64_t width) const {
    return channelsPerNpu(startNpu, ceilDivide(columns, width), npus);
  }
  int64_t getWidth(int64_t rows) const {
    return ceilDivide(columns, rows * npus - startNpu);
  }
  void consider(int64_t rows) {
    int64_t size = multiply(rows, roundUp(getWidth(rows), unit));
    if (size > bestSize || (size == bestSize && rows >= bestRows))
      return;
    bestRows = rows;
    bestSize = size;
  }
  int64_t bestWidth() const { return getWidth(bestRows); }

private:
  int64_t columns, unit, startNpu, npus;
  int64_t bestRows = 0;
  int64_t bestSize = unrepresentable;
};

} // namespace

// L16
int64_t bestMatrixWidth(int64_t columns, int64_t bytes, int64_t startNpu,
                        const Target &target, int64_t maxWidth) {
  // Few rows are tried one by one, and then, as so many rows have narrow
  // channels, the widths of whole units: some 2^16 of both for any matrix.
  constexpr int64_t fewRows = 1 << 16;
  int64_t unit = std::max<int64_t>(target.unit / bytes, 1);
  WidthSearch search(columns, unit, startNpu, target.npus);
  int64_t widest = std::min(columns, maxWidth);
  int64_t first = search.getRows(widest);
  int64_t rows = first;
  for (; rows < first + fewRows && search.getWidth(rows) > unit; ++rows)
    search.consider(rows);
  // With one unit in each block, more rows only take more.
  int64_t units = ceilDivide(search.getWidth(rows), unit);
  for (int64_t i = 1; i <= units; ++i)
    search.consider(search.getRows(std::min(i * unit, widest)));
  return search.bestWidth();
}

// L18
int64_t bestMatrixWidth(const TensorLayout &layout) {
  return bestMatrixWidth(layout.matrixColumns, packedBytes(layout),
                         layout.startNpu, layout.target, layout.matrixColumns);
}

} // namespace mli::layout
