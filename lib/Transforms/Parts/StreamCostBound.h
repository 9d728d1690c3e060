// SPDX-License-Identifier: Apache-2.0
//
// A lower bound of the cost of a stream, without its schedule.

#ifndef MLI_LIB_TRANSFORMS_PARTS_STREAMCOSTBOUND_H
#define MLI_LIB_TRANSFORMS_PARTS_STREAMCOSTBOUND_H

#include "StreamChoices.h"

namespace mli::parts {

/// What streams of a graph cost at least, in the units of the cost model.
class StreamCostBound {
public:
  StreamCostBound(const PartGraph &all, const tiling::CostModel &cost);

  /// What no stream of `range` costs less than, whatever room there is. Takes
  /// time for what is live around the range, not for its kernels.
  double get(const PartRange &range) const;

private:
  /// What all kernels before one have.
  struct Sums {
    int64_t macs = 0;
    /// Of weights that no other kernel reads.
    int64_t weightBytes = 0;
    /// Those whose stripes may leave columns of what they read.
    size_t sparse = 0;
  };

  bool isReadByRow(size_t value, const PartRange &range) const;

  const PartGraph &all;
  const tiling::CostModel &cost;
  /// For each kernel, and after the last one.
  std::vector<Sums> sums;
  /// The values that are there before each vertex, and after the last one, and
  /// used later.
  std::vector<llvm::SmallVector<size_t, 4>> live;
  /// The vertices that read rows of each value, ascending.
  std::vector<llvm::SmallVector<size_t, 2>> rowReaders;
};

} // namespace mli::parts

#endif // MLI_LIB_TRANSFORMS_PARTS_STREAMCOSTBOUND_H
