// SPDX-License-Identifier: Apache-2.0
//
// Which kernels of a block are streams, and of which shape.

#ifndef MLI_LIB_TRANSFORMS_STREAMS_STREAMDECISION_H
#define MLI_LIB_TRANSFORMS_STREAMS_STREAMDECISION_H

#include "StreamSchedule.h"

#include "Transforms/TileSelection/TileCost.h"

namespace mli::streams {

/// Longer streams are not looked for, nor are more column stripes.
inline constexpr size_t maxKernels = 48;
inline constexpr int64_t maxStripes = 8;

/// Vertices that follow each other: a stream, or one alone.
struct StreamPart {
  size_t begin = 0, end = 0;
  /// Nothing if it is no stream.
  std::optional<StreamShape> shape;
  /// Bytes of the arena while it runs: all that is live.
  int64_t bytes = 0;
  /// Products that it computes again.
  int64_t again = 0;
  double cost = 0;
};

/// All vertices, part by part.
struct StreamPlan {
  std::vector<StreamPart> parts;
  /// The most bytes of a part, and the sums of what the others are.
  int64_t bytes = 0, again = 0;
  double cost = 0;
};

/// What a plan has to keep to.
struct StreamLimits {
  int64_t bytes = std::numeric_limits<int64_t>::max();
  /// Products that may be computed again.
  int64_t again = 0;
};

/// The schedules of the streams of `plan`.
std::vector<StreamSchedule> makeSchedules(const StreamGraph &graph,
                                          const StreamPlan &plan);

/// Finds plans for a graph.
class StreamPlanner {
public:
  /// `fixed` are streams that every plan has, ascending.
  StreamPlanner(const StreamGraph &graph, const tiling::CostModel &cost,
                std::vector<StreamPart> fixed = {});

  /// The plan without streams, but for the fixed ones.
  StreamPlan planWhole() const;
  /// The plan of the fewest bytes that computes at most `again` products again.
  StreamPlan planSmallest(int64_t again) const;
  /// The cheapest plan within `limits`; nothing if there is none.
  std::optional<StreamPlan> planCheapest(StreamLimits limits) const;

  /// The part that `schedule` makes.
  StreamPart makeStream(const StreamSchedule &schedule) const;

private:
  using Add = llvm::function_ref<void(const StreamPart &)>;

  StreamPart makeWhole(size_t number) const;
  template <typename IsBetter>
  StreamPlan plan(StreamLimits limits, IsBetter isBetter,
                  llvm::function_ref<void(size_t, size_t, Add)> visit) const;
  void addSmallest(size_t begin, size_t end, int64_t again, Add add) const;
  void addCheapest(size_t begin, size_t end, StreamLimits limits,
                   Add add) const;

  const StreamGraph &graph;
  const tiling::CostModel &cost;
  std::vector<StreamPart> fixed;
  /// Bytes that are live in front of each vertex.
  std::vector<int64_t> liveBytes;
  /// The first vertex of a stream that ends in front of each one; that itself
  /// if there is none.
  std::vector<size_t> firstOfStream;
};

} // namespace mli::streams

#endif // MLI_LIB_TRANSFORMS_STREAMS_STREAMDECISION_H
