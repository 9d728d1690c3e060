// SPDX-License-Identifier: Apache-2.0
//
// The cheapest ways to compute a part.

#ifndef MLI_LIB_TRANSFORMS_PARTS_PARTCHOICES_H
#define MLI_LIB_TRANSFORMS_PARTS_PARTCHOICES_H

#include "PartNumbers.h"
#include "PartPlan.h"

namespace mli::parts {

/// The best plan for each room that was asked for.
template <typename Plan>
class PlansByRoom {
public:
  using Find = llvm::function_ref<std::optional<Plan>(int64_t)>;

  std::optional<Plan> get(int64_t room, Find find) {
    // The best plan of more room is that of less as well, if it fits.
    auto known = plans.lower_bound(room);
    if (known != plans.end() &&
        (!known->second || known->second->bytes <= room))
      return known->second;
    return plans[room] = find(room);
  }

private:
  std::map<int64_t, std::optional<Plan>> plans;
};

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

/// Why kernels are no part together.
struct PartReason {
  /// In two or three words, and in full.
  std::string limit, text;
};

/// Finds how parts are computed, each answer once.
class PartChoices {
public:
  PartChoices(const PartGraph &all, const PartRules &rules);

  /// What may stay and is live in front of vertex `number`, or behind the last.
  llvm::ArrayRef<size_t> getLive(size_t number) const { return live[number]; }
  /// What is given of `range`; null if nothing is.
  const GivenPart *findGiven(const PartRange &range) const;
  /// Whether `range` is looked at in tiles, and as a stream.
  bool isTiled(const PartRange &range) const;
  bool isStreamed(const PartRange &range) const;
  /// The cheapest part of `range` in `room` bytes of each NPU: in tiles, or in
  /// rows; nothing if there is none.
  std::optional<Part> computeTiled(const PartRange &range, int64_t room);
  std::optional<Part> computeStream(const PartRange &range, int64_t room);
  /// What no stream of `range` costs less than, whatever room there is.
  double getStreamCostBound(const PartRange &range) const {
    return streamCostBound.get(range);
  }

  /// Forgets what is known of single parts that begin in front of `begin`: a
  /// long block has more of them than memory.
  void forget(size_t begin);

  /// Why `range` is no part in `room` bytes of each NPU.
  PartReason explain(const PartRange &range, int64_t room);

private:
  /// The best plans of parts of the same numbers.
  struct KnownPlans {
    PlansByRoom<tiling::TilePlan> tiles;
    PlansByRoom<StreamChoice> streams;
  };

  PartReason explainNoTiles(const PartRange &range, int64_t room) const;
  std::string explainNoRows(const PartRange &range, int64_t room);
  StreamChoices &getStreams(const PartRange &range);
  const tiling::TileGroup *getGroup(const PartRange &range);
  KnownPlans &getKnownPlans(const PartRange &range);
  std::optional<tiling::TilePlan> findTiles(const PartRange &range,
                                            int64_t room);
  bool areViews(const PartRange &range, const tiling::TileGroup &group,
                const tiling::TileSizes &tiles) const;
  void findEnds();

  const PartGraph &all;
  const PartRules &rules;
  std::vector<llvm::SmallVector<size_t, 4>> live;
  /// Whether long streams begin or end in front of each vertex.
  std::vector<bool> isEnd;
  std::map<PartRange, std::unique_ptr<tiling::TileGroup>> groups;
  std::map<PartRange, std::unique_ptr<StreamChoices>> streams;
  llvm::StringMap<KnownPlans> known;
  PartNumbers numbers;
  StreamCostBound streamCostBound;
};

} // namespace mli::parts

#endif // MLI_LIB_TRANSFORMS_PARTS_PARTCHOICES_H
