// SPDX-License-Identifier: Apache-2.0

#include "mli/Layout/Strides.h"

#include "Layout/Saturating.h"

#include <algorithm>

namespace mli::layout {
namespace {

/// Strides of whole rows in channels of `cStride` elements, `channels` of them
/// for each N. Rejects an N stride that does not fit.
Result<Dims> rowStrides(const Dims &shape, int64_t cStride, int64_t channels) {
  Dims strides = {multiply(cStride, channels), cStride, shape.w, 1};
  if (strides.n == unrepresentable)
    return Violation{"n stride", "be at most", unrepresentable - 1, strides.n};
  return strides;
}

std::optional<Violation> verifyStart(const Dims &shape, int64_t startNpu,
                                     const Target &target) {
  std::optional<Violation> violation = verify(target);
  if (!violation)
    violation = verifyShape(shape);
  if (!violation)
    violation = checkRange("start_npu", startNpu, 0, target.npus - 1);
  return violation;
}

} // namespace

std::optional<Violation> verifyShape(const Dims &shape) {
  std::optional<Violation> violation =
      checkRange("shape.n", shape.n, 1, maxExtent);
  if (!violation)
    violation = checkRange("shape.c", shape.c, 1, maxExtent);
  if (!violation)
    violation = checkRange("shape.h", shape.h, 1, maxExtent);
  if (!violation)
    violation = checkRange("shape.w", shape.w, 1, maxExtent);
  return violation;
}

// L1, L2
Result<Location> splitAddress(int64_t address, const Target &target) {
  std::optional<Violation> violation = verify(target);
  if (!violation)
    violation = checkRange("address", address, 0, target.totalBytes() - 1);
  if (violation)
    return *violation;
  return Location{address / target.npuBytes, address % target.npuBytes};
}

// L2
Result<int64_t> joinAddress(const Location &location, const Target &target) {
  std::optional<Violation> violation = verify(target);
  if (!violation)
    violation = checkRange("npu", location.npu, 0, target.npus - 1);
  if (!violation)
    violation = checkRange("offset", location.offset, 0, target.npuBytes - 1);
  if (violation)
    return *violation;
  return getAddress(location, target);
}

// L8, L9
Result<Dims> continuousStrides(const Dims &shape) {
  if (std::optional<Violation> violation = verifyShape(shape))
    return *violation;
  return rowStrides(shape, shape.h * shape.w, shape.c);
}

// L11
Result<Dims> alignedStrides(const Dims &shape, int64_t bytes, int64_t startNpu,
                            const Target &target) {
  if (std::optional<Violation> violation = verifyStart(shape, startNpu, target))
    return *violation;
  if (std::optional<Violation> violation =
          checkRange("element bytes", bytes, 1, maxExtent))
    return *violation;
  int64_t unit = std::max<int64_t>(target.unit / bytes, 1);
  return rowStrides(shape, roundUp(shape.h * shape.w, unit),
                    channelsPerNpu(startNpu, shape.c, target.npus));
}

// L13
Result<Dims> compactStrides(const Dims &shape, int64_t startNpu,
                            const Target &target) {
  if (std::optional<Violation> violation = verifyStart(shape, startNpu, target))
    return *violation;
  return rowStrides(shape, shape.h * shape.w,
                    channelsPerNpu(startNpu, shape.c, target.npus));
}

// L14
Result<Dims> matrixShape(int64_t rows, int64_t columns, int64_t width) {
  std::optional<Violation> violation = checkRange("rows", rows, 1, maxExtent);
  if (!violation)
    violation = checkRange("columns", columns, 1, maxExtent);
  if (!violation)
    violation = checkRange("columns per channel", width, 1, columns);
  if (violation)
    return *violation;
  return Dims{rows, ceilDivide(columns, width), 1, width};
}

} // namespace mli::layout
