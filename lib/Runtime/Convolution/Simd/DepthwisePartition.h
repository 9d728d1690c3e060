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
/// channels, or of ranges of the rows of blocks. A thread has rows where maps
/// have more positions than channels, and channels where they have fewer: so do
/// the 1x1 convolutions before and after, whose outputs and inputs these are.
class DepthwisePartition {
public:
  DepthwisePartition(const PhaseAxis &rows, const PhaseAxis &columns,
                     int64_t channels, int threads)
      : rows(rows), columns(columns), channels(channels),
        blocks((channels + columnChannels - 1) / columnChannels) {
    partition = {1, blocks};
    if (threads <= 1)
      return;
    double products = static_cast<double>(rows.count * columns.count) *
                      static_cast<double>(channels * rows.taps * columns.taps);
    partition =
        partitionWork(depthwiseCost * products, threads, blocks * rows.count);
    parts = std::min((partition.items + blocks - 1) / blocks, rows.count);
    int64_t perThread = (parts + partition.threads - 1) / partition.threads;
    byRows = rows.count * columns.count > channels &&
             rows.count >= perThread * partition.threads;
    if (byRows)
      parts = perThread * partition.threads;
    partition.items = blocks * parts;
  }

  const Partition &getPartition() const { return partition; }

  /// The outputs of one work item.
  struct Part {
    int64_t first;
    int64_t channels;
    int64_t firstRow;
    int64_t endRow;
  };
  Part part(int64_t index) const {
    // Divisions are long beside the outputs of a row.
    if (parts == 1)
      return part(index, {rows.count, 0, 1});
    if (byRows)
      return part(index % blocks, {rows.count, index / blocks, parts});
    return part(index / parts, {rows.count, index % parts, parts});
  }

  const PhaseAxis &rows;
  const PhaseAxis &columns;

private:
  Part part(int64_t block, const Range &range) const {
    int64_t first = block * columnChannels;
    return {first, std::min(channels - first, columnChannels), range.begin,
            range.end};
  }

  int64_t channels;
  int64_t blocks;
  Partition partition;
  int64_t parts = 1;
  bool byRows = false;
};

} // namespace mli::rt::simd

#endif // MLI_LIB_RUNTIME_CONVOLUTION_SIMD_DEPTHWISEPARTITION_H
