// SPDX-License-Identifier: Apache-2.0

#include "mli/Layout/Subtensor.h"

#include "mli/Layout/ElementMap.h"

#include <algorithm>

namespace mli::layout {
namespace {

/// Checks that `extent` elements from `offset` on are within `size`.
std::optional<Violation> checkPart(const char *offsetName,
                                   const char *extentName, int64_t offset,
                                   int64_t extent, int64_t size) {
  if (std::optional<Violation> violation =
          checkRange(offsetName, offset, 0, size - 1))
    return violation;
  return checkRange(extentName, extent, 1, size - offset);
}

/// Checks that a slice begins and ends between groups, or at the end.
// L24
std::optional<Violation> checkWhole(const char *offsetName,
                                    const char *extentName, int64_t offset,
                                    int64_t extent, int64_t size,
                                    int64_t group) {
  if (std::optional<Violation> violation =
          checkDivisible(offsetName, offset, group))
    return violation;
  if (offset + extent == size)
    return std::nullopt;
  return checkDivisible(extentName, extent, group);
}

std::optional<Violation> checkParts(const TensorLayout &layout,
                                    const Dims &offset, const Dims &extents) {
  const Dims &shape = layout.shape;
  std::optional<Violation> violation =
      checkPart("offset.n", "size.n", offset.n, extents.n, shape.n);
  if (!violation)
    violation = checkPart("offset.c", "size.c", offset.c, extents.c, shape.c);
  if (!violation)
    violation = checkPart("offset.h", "size.h", offset.h, extents.h, shape.h);
  if (!violation)
    violation = checkPart("offset.w", "size.w", offset.w, extents.w, shape.w);
  if (!violation)
    violation = checkWhole("offset.n", "size.n", offset.n, extents.n, shape.n,
                           packFactor(layout.mode));
  if (!violation && layout.matrixColumns != 0)
    violation =
        checkWhole("offset.w", "size.w", offset.w, extents.w, shape.w, shape.w);
  return violation;
}

} // namespace

// L23
Result<Subtensor> subtensor(const TensorLayout &layout, const Dims &offset,
                            const Dims &extents) {
  if (std::optional<Violation> violation = checkParts(layout, offset, extents))
    return *violation;
  Location first = locate(layout, offset);
  Subtensor part = {layout, false};
  TensorLayout &view = part.layout;
  view.shape = extents;
  view.startNpu = first.npu;
  view.offset = first.offset;
  if (layout.matrixColumns != 0) {
    int64_t width = layout.shape.w;
    view.matrixColumns =
        std::min(layout.matrixColumns - offset.c * width, extents.c * width);
    // One narrow channel is a matrix whose channels are that wide.
    if (extents.c == 1)
      view.shape.w = view.matrixColumns;
  }
  part.keepsLayout = isInLayout(view);
  if (!part.keepsLayout)
    view.kind = Kind::Strided;
  else if (Result<Dims> strides = closedFormStrides(view))
    view.strides = *strides;
  return part;
}

Result<Subtensor> submatrix(const TensorLayout &layout, int64_t row,
                            int64_t column, int64_t rows, int64_t columns) {
  int64_t width = layout.shape.w;
  std::optional<Violation> violation =
      checkPart("column", "columns", column, columns, layout.matrixColumns);
  if (!violation)
    violation = checkWhole("column", "columns", column, columns,
                           layout.matrixColumns, width);
  if (violation)
    return *violation;
  return subtensor(layout, {row, column / width, 0, 0},
                   {rows, (columns - 1) / width + 1, 1, width});
}

} // namespace mli::layout
