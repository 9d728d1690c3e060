// SPDX-License-Identifier: Apache-2.0
//
// Addresses, channels per NPU, and the strides of the named layouts in closed
// form. Strides count elements; with a storage mode, packed elements.

#ifndef MLI_LAYOUT_STRIDES_H
#define MLI_LAYOUT_STRIDES_H

#include "mli/Layout/Target.h"

namespace mli::layout {

/// One number for each dimension: extents, an index, or strides.
struct Dims {
  int64_t n = 1;
  int64_t c = 1;
  int64_t h = 1;
  int64_t w = 1;

  bool operator==(const Dims &other) const {
    return n == other.n && c == other.c && h == other.h && w == other.w;
  }
  bool operator!=(const Dims &other) const { return !(*this == other); }
};

/// The largest extent of a dimension.
inline constexpr int64_t maxExtent = INT32_MAX;

/// The largest extents in one instruction: of N, H and W, and of C.
inline constexpr int64_t maxInstructionExtent = 65535;
inline constexpr int64_t maxInstructionChannels = 4095;

/// Nothing if every extent is in [1, maxExtent].
std::optional<Violation> verifyShape(const Dims &shape);

/// A byte of local memory.
struct Location {
  int64_t npu;
  /// Bytes from the start of the memory of that NPU.
  int64_t offset;

  bool operator==(const Location &other) const {
    return npu == other.npu && offset == other.offset;
  }
};

/// The NPU and offset of a local address in [0, X * S - 1].
Result<Location> splitAddress(int64_t address, const Target &target);

/// The inverse, for a location that is in local memory.
constexpr int64_t getAddress(const Location &location, const Target &target) {
  return location.npu * target.npuBytes + location.offset;
}

/// The inverse, which rejects a location that is not.
Result<int64_t> joinAddress(const Location &location, const Target &target);

/// The block rows that `channels` take from NPU `startNpu` on. `startNpu` is in
/// [0, npus - 1], `channels` in [1, maxExtent].
// L3
constexpr int64_t channelsPerNpu(int64_t startNpu, int64_t channels,
                                 int64_t npus) {
  return (startNpu + channels - 1) / npus + 1;
}

/// Strides of a tensor in system memory without gaps.
Result<Dims> continuousStrides(const Dims &shape);

/// Strides with every channel rounded up to the unit of the target. `bytes` is
/// the size of an element.
Result<Dims> alignedStrides(const Dims &shape, int64_t bytes, int64_t startNpu,
                            const Target &target);

/// Strides without gaps between channels.
Result<Dims> compactStrides(const Dims &shape, int64_t startNpu,
                            const Target &target);

/// A `rows` by `columns` matrix as the tensor whose aligned layout is its
/// matrix layout; `width` in [1, columns] is the columns of a channel.
Result<Dims> matrixShape(int64_t rows, int64_t columns, int64_t width);

} // namespace mli::layout

#endif // MLI_LAYOUT_STRIDES_H
