// SPDX-License-Identifier: Apache-2.0
//
// Partitions depthwise convolutions for one thread and for several.

#ifndef MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISEPARTITION_H
#define MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISEPARTITION_H

#include "Geometry.h"
#include "Matrix.h"
#include "Runtime/Simd/Threads.h"

namespace mli::rt::simd {

/// A product of a depthwise convolution takes as long as so many others.
inline constexpr int depthwiseCost = 4;

/// The channels and rows of depthwise outputs in work items: of blocks of
/// channels, or of ranges of the rows of blocks where there are too few blocks.
class DepthwisePartition {
public:
  DepthwisePartition(const PhaseAxis &rows, const PhaseAxis &columns,
                     int64_t channels, int threads)
      : blocks((channels + columnChannels - 1) / columnChannels), rows(rows),
        channels(channels) {
    partition = {1, blocks};
    parts = 1;
    if (threads <= 1)
      return;
    double products = static_cast<double>(rows.count * columns.count) *
                      static_cast<double>(channels * rows.taps * columns.taps);
    partition =
        partitionWork(depthwiseCost * products, threads, blocks * rows.count);
    parts = std::min((partition.items + blocks - 1) / blocks, rows.count);
    partition.items = blocks * parts;
  }

  const Partition &getPartition() const { return partition; }

  /// The outputs of one work item.
  struct Part {
    int64_t first;
    int64_t channels;
    PhaseAxis rows;
  };
  Part part(int64_t index) const {
    // Divisions are long beside the outputs of a row.
    if (parts == 1)
      return getPart(index, rows);
    Range range(rows.count, index % parts, parts);
    return getPart(index / parts, rows.part(range.begin, range.size()));
  }

private:
  Part getPart(int64_t block, const PhaseAxis &range) const {
    int64_t first = block * columnChannels;
    return {first, std::min(channels - first, columnChannels), range};
  }

  int64_t blocks;
  PhaseAxis rows;
  int64_t channels;
  Partition partition;
  int64_t parts;
};

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISEPARTITION_H
