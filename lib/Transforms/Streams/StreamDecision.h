// SPDX-License-Identifier: Apache-2.0
//
// Which kernels of a block are streams, and of which shape.

#ifndef MLI_LIB_TRANSFORMS_STREAMS_STREAMDECISION_H
#define MLI_LIB_TRANSFORMS_STREAMS_STREAMDECISION_H

#include "StreamSchedule.h"

#include "Transforms/TileSelection/TileCost.h"

namespace mli::streams {

/// Vertices that follow each other: a stream, or one alone.
struct StreamPart {
  size_t begin = 0, end = 0;
  /// Nothing if it is no stream.
  std::optional<StreamShape> shape;
  /// Bytes of the arena while it runs: all that is live.
  int64_t bytes = 0;
  double cost = 0;
};

/// All vertices, part by part.
struct StreamPlan {
  std::vector<StreamPart> parts;
  /// The most bytes of a part.
  int64_t bytes = 0;
  double cost = 0;
};

/// The cost of `costs` in the units of `cost`.
double getCost(const tiling::CostModel &cost, const StreamCosts &costs);

/// Finds plans for a graph.
class StreamPlanner {
public:
  /// Buffers start at multiples of `alignment`.
  StreamPlanner(const StreamGraph &graph, const tiling::CostModel &cost,
                int64_t alignment);

  /// The plan without streams.
  StreamPlan planWhole() const;
  /// The plan of the fewest bytes.
  StreamPlan planSmallest() const;
  /// The cheapest plan of at most `bytes` bytes; nothing if there is none.
  std::optional<StreamPlan> planCheapest(int64_t bytes) const;
  /// The part [begin, end) as a stream of `shape`; nothing if it is none.
  std::optional<StreamPart> makeStream(size_t begin, size_t end,
                                       StreamShape shape) const;

private:
  StreamPart makeWhole(size_t vertex) const;
  template <typename IsBetter, typename Visit>
  StreamPlan plan(IsBetter isBetter, Visit visit) const;
  std::optional<StreamPart> findCheapest(size_t begin, size_t end,
                                         int64_t bytes) const;

  const StreamGraph &graph;
  const tiling::CostModel &cost;
  int64_t alignment;
  /// Bytes that are live in front of each vertex.
  std::vector<int64_t> liveBytes;
};

} // namespace mli::streams

#endif // MLI_LIB_TRANSFORMS_STREAMS_STREAMDECISION_H
