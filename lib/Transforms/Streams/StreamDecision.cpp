// SPDX-License-Identifier: Apache-2.0

#include "StreamDecision.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;
using namespace mli::streams;

/// Longer streams are not looked for.
static constexpr size_t maxKernels = 48;

StreamPlanner::StreamPlanner(const StreamGraph &graph,
                             const tiling::CostModel &cost, int64_t alignment)
    : graph(graph), cost(cost), alignment(alignment),
      liveBytes(graph.vertices.size() + 1, 0) {
  // Changes first, then their sums.
  std::vector<int64_t> changes(graph.vertices.size() + 2, 0);
  for (const StreamValue &value : graph.values) {
    size_t begin = value.producer ? *value.producer + 1 : 0;
    size_t end = value.isReturned      ? graph.vertices.size() + 1
                 : value.users.empty() ? begin
                                       : value.users.back() + 1;
    auto bytes = static_cast<int64_t>(llvm::alignTo(value.bytes, alignment));
    if (end > begin) {
      changes[begin] += bytes;
      changes[end] -= bytes;
    }
  }
  int64_t live = 0;
  for (auto [bytes, change] : llvm::zip(liveBytes, changes))
    bytes = live += change;
}

StreamPart StreamPlanner::makeWhole(size_t number) const {
  const StreamVertex &vertex = graph.vertices[number];
  StreamPart part;
  part.begin = number;
  part.end = number + 1;
  part.bytes = liveBytes[number] + vertex.scratchBytes;
  for (size_t result : vertex.results) {
    const StreamValue &value = graph.values[result];
    if (value.producer != number)
      continue;
    bool isOver = llvm::any_of(vertex.replaceable, [&](size_t input) {
      const StreamValue &other = graph.values[input];
      return other.bytes == value.bytes && !other.livesAt(number + 1);
    });
    if (!isOver)
      part.bytes += static_cast<int64_t>(llvm::alignTo(value.bytes, alignment));
  }
  StreamCosts costs;
  costs.calls = 1;
  const std::optional<MapShape> &map =
      vertex.results.empty() ? std::nullopt
                             : graph.values[vertex.results[0]].map;
  costs.work = vertex.rowWork * (map ? map->rows : 1);
  part.cost = getCost(cost, costs);
  return part;
}

double mli::streams::getCost(const tiling::CostModel &cost,
                             const StreamCosts &costs) {
  return cost.mac * static_cast<double>(costs.work) +
         cost.call * static_cast<double>(costs.calls) +
         cost.shift * static_cast<double>(costs.shiftedBytes);
}

std::optional<StreamPart> StreamPlanner::makeStream(size_t begin, size_t end,
                                                    StreamShape shape) const {
  std::optional<StreamSchedule> schedule =
      StreamSchedule::make(graph, begin, end, shape);
  if (!schedule)
    return std::nullopt;
  StreamPart part;
  part.begin = begin;
  part.end = end;
  part.shape = shape;
  part.bytes = liveBytes[begin] + schedule->getBytes(alignment);
  part.cost = getCost(cost, schedule->getCosts());
  return part;
}

/// The best of all ways to cut the vertices into parts, which `visit` calls its
/// argument with for each end.
template <typename IsBetter, typename Visit>
StreamPlan StreamPlanner::plan(IsBetter isBetter, Visit visit) const {
  struct State {
    bool isReached = false;
    int64_t bytes = 0;
    double cost = 0;
    StreamPart last;
  };
  std::vector<State> states(graph.vertices.size() + 1);
  states[0].isReached = true;
  for (size_t end = 1; end <= graph.vertices.size(); ++end)
    visit(end, [&](const StreamPart &part) {
      const State &before = states[part.begin];
      if (!before.isReached)
        return;
      State next = {true, std::max(before.bytes, part.bytes),
                    before.cost + part.cost, part};
      State &best = states[end];
      if (!best.isReached || isBetter(next, best))
        best = next;
    });
  StreamPlan plan;
  plan.bytes = states.back().bytes;
  plan.cost = states.back().cost;
  if (!states.back().isReached)
    return plan;
  for (size_t end = graph.vertices.size(); end > 0;
       end = states[end].last.begin)
    plan.parts.push_back(states[end].last);
  std::reverse(plan.parts.begin(), plan.parts.end());
  return plan;
}

/// The first vertex that a stream that ends at `end` may begin with.
static size_t findLongest(const StreamGraph &graph, size_t end) {
  size_t begin = end;
  while (begin > 0 && end - begin < maxKernels &&
         graph.vertices[begin - 1].obstacle.empty())
    --begin;
  return begin;
}

StreamPlan StreamPlanner::planWhole() const {
  return plan([](const auto &, const auto &) { return false; },
              [&](size_t end, auto add) { add(makeWhole(end - 1)); });
}

StreamPlan StreamPlanner::planSmallest() const {
  return plan(
      [](const auto &one, const auto &other) {
        return std::make_pair(one.bytes, one.cost) <
               std::make_pair(other.bytes, other.cost);
      },
      [&](size_t end, auto add) {
        add(makeWhole(end - 1));
        size_t first = findLongest(graph, end);
        for (size_t begin = end - 1; begin-- > first;)
          if (std::optional<StreamPart> part =
                  makeStream(begin, end, StreamShape()))
            add(*part);
      });
}

/// The cheapest shape of a stream in at most `bytes` bytes.
std::optional<StreamPart> StreamPlanner::findCheapest(size_t begin, size_t end,
                                                      int64_t bytes) const {
  std::optional<StreamPart> best;
  auto take = [&](StreamShape shape) {
    std::optional<StreamPart> part = makeStream(begin, end, shape);
    bool fits = part && part->bytes <= bytes;
    if (fits && (!best || part->cost < best->cost))
      best = part;
    return fits;
  };
  const StreamVertex &last = graph.vertices[end - 1];
  int64_t rows = graph.values[last.results[0]].map->rows;
  for (bool isEven : {false, true})
    for (int64_t step = 1; step <= rows; step *= 2) {
      bool fits = take({step, isEven, 1});
      for (int64_t room = 2; fits && room <= 8; room *= 2)
        fits = take({step, isEven, room});
      if (!best)
        break;
    }
  return best;
}

std::optional<StreamPlan> StreamPlanner::planCheapest(int64_t bytes) const {
  StreamPlan cheapest = plan(
      [](const auto &one, const auto &other) {
        return std::make_pair(one.cost, one.bytes) <
               std::make_pair(other.cost, other.bytes);
      },
      [&](size_t end, auto add) {
        if (StreamPart whole = makeWhole(end - 1); whole.bytes <= bytes)
          add(whole);
        size_t first = findLongest(graph, end);
        for (size_t begin = end - 1; begin-- > first;)
          if (std::optional<StreamPart> part = findCheapest(begin, end, bytes))
            add(*part);
      });
  if (cheapest.parts.empty() && !graph.vertices.empty())
    return std::nullopt;
  return cheapest;
}
