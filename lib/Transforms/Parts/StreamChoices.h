// SPDX-License-Identifier: Apache-2.0
//
// A part as a stream in local memory: rows of what it reads move into rings,
// and rows of what it makes move out. The shapes that it may have, and which of
// its weights stay there.

#ifndef MLI_LIB_TRANSFORMS_PARTS_STREAMCHOICES_H
#define MLI_LIB_TRANSFORMS_PARTS_STREAMCHOICES_H

#include "PartGraph.h"

#include "Transforms/Streams/StreamSchedule.h"
#include "Transforms/TileSelection/TileCost.h"

#include "llvm/ADT/SmallSet.h"

#include <map>

namespace mli::parts {

/// The vertices [begin, end), and what is whole in local memory around them.
struct PartRange {
  size_t begin, end;
  /// Values that they find there, and results that stay; both ascending.
  llvm::SmallVector<size_t, 4> inside, kept;

  bool operator<(const PartRange &other) const {
    return std::tie(begin, end, inside, kept) <
           std::tie(other.begin, other.end, other.inside, other.kept);
  }
};

/// The graph of a range alone, with the moves of rows as vertices.
struct PartStreamGraph {
  streams::StreamGraph graph;
  /// The values of the whole graph that those of this one are.
  std::vector<size_t> origins;
};

/// The graph of `range`; null if it makes no stream in local memory.
std::unique_ptr<PartStreamGraph> makeStreamGraph(const PartGraph &all,
                                                 const PartRange &range);

/// The bytes that `vertex`, a move, moves on all stripes.
int64_t getMovedBytes(const streams::StreamSchedule &schedule, size_t vertex);

/// A stream of one shape, with the weights that stay.
struct StreamChoice {
  streams::StreamShape shape;
  /// Bytes of each NPU that it takes.
  int64_t bytes = 0;
  int64_t movedBytes = 0;
  /// Products of the busiest NPU that it computes again.
  int64_t again = 0;
  /// Kernels that run, and those that are written out.
  int64_t calls = 0, written = 0;
  /// Bytes of its weights, and those of each NPU that stay through its loops.
  int64_t weightBytes = 0, residentBytes = 0;
  /// Whether no weights move more than once.
  bool allStay = true;
  double cost = 0;
};

/// The shapes of one part, each looked at when it is asked for.
class StreamChoices {
public:
  StreamChoices(const PartGraph &all, const PartRange &range,
                const tiling::CostModel &cost);

  /// The cheapest stream of at most `room` bytes of each NPU; nothing if there
  /// is none.
  std::optional<StreamChoice> findCheapest(int64_t room);
  /// The stream of `shape`; nothing if there is none that fits. `why` says so
  /// then, if it is not null.
  std::optional<StreamChoice> find(const streams::StreamShape &shape,
                                   int64_t room, std::string *why = nullptr);

private:
  /// Kernels that run under one condition, or moves of rows beside them.
  struct Item {
    bool isMove = false;
    int64_t movedBytes = 0;
    /// The kernels of the part, from its first one on.
    llvm::SmallVector<size_t, 4> kernels;
    /// Values that are used, and those that are written.
    llvm::SmallVector<size_t, 4> used, written;
  };
  /// What a shape costs, whatever room there is.
  struct ShapeCosts {
    /// The calls of each kernel.
    llvm::SmallVector<int64_t> calls;
    streams::StreamCosts all;
    /// Bytes that move, without weights, and kernels that are written out.
    int64_t movedBytes = 0, written = 0;
    /// A step in its order, and the steps.
    std::vector<Item> items;
    int64_t steps = 1;
  };
  /// What a shape takes, and, once that was asked for, what it costs.
  struct Shape {
    streams::StreamShape shape;
    /// Bytes besides weights while each kernel runs, and the most.
    llvm::SmallVector<int64_t> bytes;
    int64_t maxBytes = 0;
    /// The most with the weights of each kernel, none of which stay.
    int64_t minBytes = 0;
    std::optional<ShapeCosts> costs = std::nullopt;
  };

  /// Weights that some kernels of the part read, by their numbers in it.
  struct Weights {
    int64_t localBytes = 0, movedBytes = 0;
    llvm::SmallVector<size_t, 2> users;
  };

  void findWeights();
  streams::StreamSchedule *getSchedule(int64_t stripes, size_t step,
                                       bool isEven);
  bool fits(int64_t stripes, size_t step, bool isEven, int64_t room);
  Shape *getShape(int64_t stripes, size_t step, bool isEven);
  const ShapeCosts &getCosts(Shape &shape, size_t step);
  bool areViews(const streams::StreamSchedule &schedule) const;
  Shape makeShape(const streams::StreamSchedule &schedule) const;
  ShapeCosts makeCosts(const streams::StreamSchedule &schedule) const;
  std::vector<Item> makeItems(const streams::StreamSchedule &schedule) const;
  bool mayBeWhole(int64_t room) const;
  double getHidden(const ShapeCosts &costs, llvm::ArrayRef<bool> isMixed) const;
  std::optional<StreamChoice> findCheapest(int64_t stripes, bool isEven,
                                           int64_t room);
  StreamChoice judge(const Shape &shape, const ShapeCosts &costs,
                     int64_t room) const;

  const PartGraph &all;
  PartRange range;
  const tiling::CostModel &cost;
  std::unique_ptr<PartStreamGraph> made;
  /// Null if the part makes no stream.
  const streams::StreamGraph *graph;
  /// The rows of a step that are tried, ascending.
  llvm::SmallVector<int64_t> steps;
  /// Whether kernels have different rates.
  bool hasRates = false;
  std::vector<Weights> weights;
  /// The bytes of those of each kernel, and the most.
  llvm::SmallVector<int64_t> weightBytes;
  int64_t maxWeightBytes = 0;
  /// The schedules of steps, each on as many stripes as were asked for last.
  std::map<std::pair<size_t, bool>, std::optional<streams::StreamSchedule>>
      schedules;
  /// Those in which readers read early: of a shape that was asked for.
  llvm::SmallSet<std::pair<size_t, bool>, 8> early;
  std::map<std::tuple<int64_t, size_t, bool>, std::optional<Shape>> shapes;
};

} // namespace mli::parts

#endif // MLI_LIB_TRANSFORMS_PARTS_STREAMCHOICES_H
