// SPDX-License-Identifier: Apache-2.0
//
// The least over all cuts into segments and over what stays between them.

#include "mli/Analysis/MoveBound.h"

#include "MoveBoundRounds.h"
#include "MoveBoundSegment.h"

#include "mli/Analysis/MovedBytes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mli;
using namespace mli::movebound;

static constexpr int64_t unreached = std::numeric_limits<int64_t>::max() / 2;
/// Sums and states that are looked at before there is no bound.
static constexpr int64_t maxSteps = 1 << 24;
/// The most values that are live at one cut.
static constexpr size_t maxLive = 6;

namespace {

/// Where a value is between two segments.
enum Place : uint8_t { System, Local, Both };

/// What is between two segments: for each way in which the live values are
/// placed the fewest bytes that are moved until then.
struct Cut {
  /// The weight of the live value `i` in the number of a state.
  static size_t getWeight(size_t i) {
    size_t weight = 1;
    while (i-- > 0)
      weight *= 3;
    return weight;
  }
  static Place getPlace(size_t state, size_t i) {
    return static_cast<Place>(state / getWeight(i) % 3);
  }

  SmallVector<size_t, 4> live;
  std::vector<int64_t> moved;
};

/// What follows for the cut behind a segment from which of its results stay.
struct SegmentEnd {
  /// The weights of the values that are live there.
  llvm::SmallDenseMap<size_t, size_t> weights;
  llvm::SmallDenseSet<size_t> kept;
  int64_t keptBytes = 0, movedOut = 0;
  /// At least so many bytes move again, whatever stays.
  int64_t movedAgain = 0;
  /// The part of the number of a state that results make up.
  size_t state = 0;
};

class BoundSearch {
public:
  BoundSearch(const MoveGraph &graph, int64_t capacity);

  std::optional<int64_t> run();

private:
  int64_t search(size_t longest, int64_t limit);
  void settle(Cut &cut);
  void visitSegments(size_t begin, size_t longest, int64_t limit);
  int64_t getMovedAgain(const Segment &segment, int64_t limit);
  void visitEnds(const Segment &segment, int64_t again, const Cut &cut,
                 int64_t limit);
  SegmentEnd getEnd(const Segment &segment, ArrayRef<size_t> results,
                    unsigned kept) const;
  void visitEnd(const Segment &segment, const SegmentEnd &end, const Cut &cut,
                size_t state, int64_t limit);
  int64_t getLocalBytes(const Cut &cut, size_t state) const;

  const MoveGraph &graph;
  int64_t capacity;
  std::vector<Cut> cuts;
  /// Bytes of constants and returned values of each kernel and those behind it.
  std::vector<int64_t> atLeast;
  RoundsBudget budget{256, maxSteps};
};

} // namespace

BoundSearch::BoundSearch(const MoveGraph &graph, int64_t capacity)
    : graph(graph), capacity(capacity), cuts(graph.kernels.size() + 1),
      atLeast(graph.kernels.size() + 1, 0) {
  for (auto [step, cut] : llvm::enumerate(cuts))
    for (auto [number, value] : llvm::enumerate(graph.values))
      if (value.isLiveAt(step))
        cut.live.push_back(number);
  for (size_t number = graph.kernels.size(); number-- > 0;) {
    const MovedKernel &kernel = graph.kernels[number];
    atLeast[number] = atLeast[number + 1] + kernel.constantBytes;
    for (size_t result : kernel.results)
      if (graph.values[result].isReturned)
        atLeast[number] += graph.values[result].bytes;
  }
}

int64_t BoundSearch::getLocalBytes(const Cut &cut, size_t state) const {
  int64_t bytes = 0;
  for (auto [i, value] : llvm::enumerate(cut.live))
    if (Cut::getPlace(state, i) != System)
      bytes += graph.values[value].bytes;
  return bytes;
}

/// Moves whole values between segments: first out, then in.
// MB3
void BoundSearch::settle(Cut &cut) {
  auto relax = [&](size_t from, size_t to, int64_t bytes) {
    if (cut.moved[from] != unreached)
      cut.moved[to] = std::min(cut.moved[to], cut.moved[from] + bytes);
  };
  auto forEach = [&](Place from, auto visit) {
    for (auto [i, value] : llvm::enumerate(cut.live))
      for (size_t state = 0; state < cut.moved.size(); ++state)
        if (Cut::getPlace(state, i) == from)
          visit(state, Cut::getWeight(i), graph.values[value].bytes);
  };
  forEach(Local, [&](size_t state, size_t weight, int64_t bytes) {
    relax(state, state + weight, bytes);
  });
  forEach(Both, [&](size_t state, size_t weight, int64_t) {
    relax(state, state - 2 * weight, 0);
  });
  forEach(System, [&](size_t state, size_t weight, int64_t bytes) {
    if (getLocalBytes(cut, state) + bytes <= capacity)
      relax(state, state + 2 * weight, bytes);
  });
}

/// Bytes that the sums of `segment` move again at least, whatever stays, or
/// `limit` of them.
int64_t BoundSearch::getMovedAgain(const Segment &segment, int64_t limit) {
  std::vector<Sum> sums = segment.getSums(
      [](size_t) { return false; }, [](size_t) { return Whereabouts::System; });
  return countMovedAgain(sums, {capacity, /*held=*/0}, limit, budget);
}

/// Goes on from the cut at `begin` to all behind it.
void BoundSearch::visitSegments(size_t begin, size_t longest, int64_t limit) {
  Cut &cut = cuts[begin];
  settle(cut);
  int64_t fewest = *llvm::min_element(cut.moved);
  if (fewest == unreached)
    return;
  Segment segment(graph, begin);
  size_t last = std::min(graph.kernels.size(), begin + longest);
  while (segment.getEnd() < last && budget.steps > 0) {
    segment.grow();
    int64_t rest = limit - fewest - atLeast[begin];
    int64_t again = getMovedAgain(segment, rest);
    // A longer segment moves no less.
    if (again >= rest)
      return;
    visitEnds(segment, again, cut, limit);
  }
}

/// Goes on to the end of `segment` from `cut`, its begin, whatever results
/// stay.
void BoundSearch::visitEnds(const Segment &segment, int64_t again,
                            const Cut &cut, int64_t limit) {
  SmallVector<size_t, 4> results = segment.getResults();
  size_t count = llvm::count_if(results, [&](size_t result) {
    return graph.values[result].isReadFrom(segment.getEnd());
  });
  for (unsigned kept = 0; kept < 1U << count; ++kept) {
    SegmentEnd end = getEnd(segment, results, kept);
    end.movedAgain = again;
    for (size_t state = 0; state < cut.moved.size(); ++state)
      if (cut.moved[state] != unreached)
        visitEnd(segment, end, cut, state, limit);
  }
}

/// The end of `segment` where those of its `results` stay that the bits of
/// `kept` say, of the ones that are read later.
SegmentEnd BoundSearch::getEnd(const Segment &segment, ArrayRef<size_t> results,
                               unsigned kept) const {
  SegmentEnd end;
  for (auto [i, value] : llvm::enumerate(cuts[segment.getEnd()].live))
    end.weights[value] = Cut::getWeight(i);
  for (size_t result : results) {
    const MovedValue &value = graph.values[result];
    bool isKept = false;
    if (value.isReadFrom(segment.getEnd())) {
      isKept = (kept & 1U) != 0;
      kept >>= 1;
    }
    if (isKept) {
      end.kept.insert(result);
      end.keptBytes += value.bytes;
      end.state += end.weights[result] * (value.isReturned ? Both : Local);
    }
    if (!isKept || value.isReturned)
      end.movedOut += value.bytes;
  }
  return end;
}

/// Goes on to `end` of `segment` from one state of its begin.
// MB4
void BoundSearch::visitEnd(const Segment &segment, const SegmentEnd &end,
                           const Cut &cut, size_t state, int64_t limit) {
  --budget.steps;
  size_t next = end.state;
  int64_t passing = 0, ending = 0;
  llvm::SmallDenseMap<size_t, Whereabouts> inputs;
  for (auto [i, value] : llvm::enumerate(cut.live)) {
    Place place = Cut::getPlace(state, i);
    auto weight = end.weights.find(value);
    bool isPassing = weight != end.weights.end();
    if (isPassing)
      next += weight->second * place;
    if (place != System)
      (isPassing ? passing : ending) += graph.values[value].bytes;
    inputs[value] = place == System ? Whereabouts::System
                    : isPassing     ? Whereabouts::Passing
                                    : Whereabouts::Segment;
  }
  SegmentRoom room{capacity - passing, std::max(ending, end.keptBytes)};
  if (room.held > room.all)
    return;
  int64_t moved = cut.moved[state] + segment.getConstantBytes() + end.movedOut;
  for (const ValueRead &read : segment.getReads())
    if (inputs.lookup(read.value) == Whereabouts::System)
      moved += read.bytes;
  int64_t &fewest = cuts[segment.getEnd()].moved[next];
  // What more moves again is not fewer than is known, or than may be.
  int64_t rest =
      std::min(fewest, limit - atLeast[segment.getEnd()] + 1) - moved;
  if (end.movedAgain >= rest)
    return;
  if (segment.hasSums())
    moved += countMovedAgain(
        segment.getSums([&](size_t value) { return end.kept.contains(value); },
                        [&](size_t value) { return inputs.lookup(value); }),
        room, rest, budget);
  fewest = std::min(fewest, moved);
}

/// The fewest bytes with segments of at most `longest` kernels, if they are
/// fewer than `limit`.
int64_t BoundSearch::search(size_t longest, int64_t limit) {
  for (Cut &cut : cuts)
    cut.moved.assign(Cut::getWeight(cut.live.size()), unreached);
  // Arguments are in system memory.
  cuts.front().moved.front() = 0;
  for (size_t begin = 0; begin < graph.kernels.size(); ++begin)
    visitSegments(begin, longest, limit);
  return std::min(limit, cuts.back().moved.front());
}

// MB7
std::optional<int64_t> BoundSearch::run() {
  for (const Cut &cut : cuts)
    if (cut.live.size() > maxLive)
      return std::nullopt;
  // What short segments move is a limit for others.
  int64_t limit = search(/*longest=*/4, unreached);
  int64_t fewest = search(graph.kernels.size(), limit);
  if (budget.steps <= 0 || fewest == unreached)
    return std::nullopt;
  return fewest;
}

// MB1
std::optional<int64_t> mli::boundMovedBytes(func::FuncOp function,
                                            const layout::Target &target) {
  if (!function.getBody().hasOneBlock())
    return std::nullopt;
  std::optional<MoveGraph> graph = MoveGraph::get(function.getBody().front());
  if (!graph)
    return std::nullopt;
  BoundSearch search(*graph, target.totalBytes());
  std::optional<int64_t> bound = search.run();
  int64_t least = getMinMovedBytes(function);
  // Then it does not hold that all of what is given moves.
  return bound && *bound >= least ? bound : std::nullopt;
}
