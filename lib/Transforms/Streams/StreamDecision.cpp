// SPDX-License-Identifier: Apache-2.0

#include "StreamDecision.h"

using namespace mlir;
using namespace mli;
using namespace mli::streams;

/// More ways to compute more again for less are not kept.
static constexpr size_t maxStates = 32;

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static double getCost(const tiling::CostModel &cost, const StreamCosts &costs) {
  return cost.mac * static_cast<double>(costs.work) +
         cost.rows * static_cast<double>(costs.calls) +
         cost.shift * static_cast<double>(costs.shiftedBytes);
}

StreamPlanner::StreamPlanner(const StreamGraph &graph,
                             const tiling::CostModel &cost,
                             std::vector<StreamPart> fixed)
    : graph(graph), cost(cost), fixed(std::move(fixed)),
      liveBytes(graph.getLiveBytes()) {
  size_t first = 0;
  firstOfStream.push_back(0);
  auto next = this->fixed.begin();
  for (size_t vertex = 0; vertex < graph.vertices.size(); ++vertex) {
    bool isFixed = next != this->fixed.end() && next->begin <= vertex;
    if (isFixed || !graph.vertices[vertex].obstacle.empty())
      first = vertex + 1;
    if (isFixed && next->end == vertex + 1)
      ++next;
    first = std::max(first, vertex + 1 - std::min(vertex + 1, maxKernels));
    firstOfStream.push_back(first);
  }
}

StreamPart StreamPlanner::makeWhole(size_t number) const {
  const StreamVertex &vertex = graph.vertices[number];
  StreamPart part;
  part.begin = number;
  part.end = number + 1;
  part.bytes = liveBytes[number] + graph.getWholeBytes(number);
  StreamCosts costs;
  costs.calls = 1;
  costs.work = vertex.work;
  part.cost = getCost(cost, costs);
  return part;
}

StreamPart StreamPlanner::makeStream(const StreamSchedule &schedule) const {
  StreamPart part;
  part.begin = schedule.begin;
  part.end = schedule.end;
  part.shape = schedule.shape;
  part.bytes = liveBytes[schedule.begin] + schedule.getPeak(graph.alignment);
  StreamCosts costs = schedule.getCosts();
  part.again = costs.again;
  part.cost = getCost(cost, costs);
  return part;
}

/// Adds the stream [begin, end) of the fewest bytes, and on stripes.
void StreamPlanner::addSmallest(size_t begin, size_t end, int64_t again,
                                Add add) const {
  std::optional<StreamSchedule> schedule =
      StreamSchedule::make(graph, begin, end, StreamShape());
  for (int64_t stripes = 1; schedule && stripes <= maxStripes; ++stripes) {
    if (!schedule->cut(stripes))
      continue;
    StreamPart part = makeStream(*schedule);
    if (part.again > again)
      return;
    add(part);
    if (again == 0)
      return;
  }
}

/// The rows of a step that are tried for a result of `rows` rows, ascending:
/// few of them, and more if they divide all, so that no step has fewer.
static SmallVector<int64_t> getStepRows(int64_t rows) {
  constexpr int64_t few = 4;
  SmallVector<int64_t> steps;
  for (int64_t step = 1; step <= std::min(few, rows); ++step)
    steps.push_back(step);
  for (int64_t step = 1; step * step <= rows; ++step)
    if (rows % step == 0)
      steps.append({step, rows / step});
  llvm::sort(steps);
  steps.erase(llvm::unique(steps), steps.end());
  return steps;
}

/// Adds the cheapest stream [begin, end) within `limits`, for each number of
/// stripes until one needs no more of them.
void StreamPlanner::addCheapest(size_t begin, size_t end, StreamLimits limits,
                                Add add) const {
  const StreamVertex &last = graph.vertices[end - 1];
  SmallVector<int64_t> steps =
      getStepRows(graph.values[last.results[0]].map->rows);
  for (int64_t stripes = 1; stripes <= maxStripes; ++stripes) {
    std::optional<StreamPart> best;
    auto take = [&](const StreamShape &shape) {
      std::optional<StreamSchedule> schedule =
          StreamSchedule::make(graph, begin, end, shape);
      if (!schedule)
        return false;
      StreamPart part = makeStream(*schedule);
      if (part.again > limits.again || part.bytes > limits.bytes)
        return false;
      if (!best || part.cost < best->cost)
        best = part;
      return true;
    };
    for (bool isEven : {false, true})
      for (int64_t step : steps) {
        bool fits = take({step, isEven, 1, stripes});
        for (int64_t room = 2; fits && room <= 8; room *= 2)
          fits = take({step, isEven, room, stripes});
        if (!best)
          break;
      }
    if (best)
      add(*best);
    if (best || limits.again == 0)
      return;
  }
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// The best of all ways to cut the vertices into parts: `visit` adds the
/// streams between two vertices.
template <typename IsBetter>
StreamPlan
StreamPlanner::plan(StreamLimits limits, IsBetter isBetter,
                    llvm::function_ref<void(size_t, size_t, Add)> visit) const {
  struct State {
    int64_t bytes = 0, again = 0;
    double cost = 0;
    StreamPart last;
    /// The state at the begin of `last` that it follows, and how many were
    /// found first.
    size_t before = 0, number = 0;
  };
  // Those that no other one beats, the best first, which compute most again.
  std::vector<std::vector<State>> states(graph.vertices.size() + 1);
  states[0].emplace_back();
  auto next = fixed.begin();
  for (size_t end = 1; end <= graph.vertices.size(); ++end) {
    std::vector<State> found;
    auto add = [&](const StreamPart &part) {
      if (part.bytes > limits.bytes)
        return;
      for (auto [i, before] : llvm::enumerate(states[part.begin]))
        if (before.again + part.again <= limits.again)
          found.push_back({std::max(before.bytes, part.bytes),
                           before.again + part.again, before.cost + part.cost,
                           part, i, found.size()});
    };
    bool isFixed = next != fixed.end() && next->begin < end;
    if (isFixed && next->end == end)
      add(*next++);
    else if (!isFixed)
      add(makeWhole(end - 1));
    for (size_t begin = end; begin-- > firstOfStream[end];)
      if (end - begin > 1 && !states[begin].empty())
        visit(begin, end, add);
    llvm::sort(found, [&](const State &one, const State &other) {
      if (isBetter(one, other) || isBetter(other, one))
        return isBetter(one, other);
      return std::make_pair(one.again, one.number) <
             std::make_pair(other.again, other.number);
    });
    for (const State &state : found)
      if (states[end].size() < maxStates &&
          (states[end].empty() || state.again < states[end].back().again))
        states[end].push_back(state);
  }
  StreamPlan plan;
  if (states.back().empty())
    return plan;
  const State *state = &states.back().front();
  plan.bytes = state->bytes;
  plan.again = state->again;
  plan.cost = state->cost;
  for (size_t end = graph.vertices.size(); end > 0;) {
    plan.parts.push_back(state->last);
    end = state->last.begin;
    state = &states[end][state->before];
  }
  std::reverse(plan.parts.begin(), plan.parts.end());
  return plan;
}

StreamPlan StreamPlanner::planWhole() const {
  StreamLimits limits;
  limits.again = std::numeric_limits<int64_t>::max();
  return plan(
      limits, [](const auto &, const auto &) { return false; },
      [](size_t, size_t, Add) {});
}

StreamPlan StreamPlanner::planSmallest(int64_t again) const {
  StreamLimits limits;
  limits.again = again;
  return plan(
      limits,
      [](const auto &one, const auto &other) {
        return std::make_pair(one.bytes, one.cost) <
               std::make_pair(other.bytes, other.cost);
      },
      [&](size_t begin, size_t end, Add add) {
        addSmallest(begin, end, again, add);
      });
}

// ST7
std::optional<StreamPlan>
StreamPlanner::planCheapest(StreamLimits limits) const {
  StreamPlan cheapest = plan(
      limits,
      [](const auto &one, const auto &other) {
        return std::make_pair(one.cost, one.bytes) <
               std::make_pair(other.cost, other.bytes);
      },
      [&](size_t begin, size_t end, Add add) {
        addCheapest(begin, end, limits, add);
      });
  if (cheapest.parts.empty() && !graph.vertices.empty())
    return std::nullopt;
  return cheapest;
}

std::vector<StreamSchedule>
mli::streams::makeSchedules(const StreamGraph &graph, const StreamPlan &plan) {
  std::vector<StreamSchedule> schedules;
  for (const StreamPart &part : plan.parts)
    if (part.shape)
      schedules.push_back(
          *StreamSchedule::make(graph, part.begin, part.end, *part.shape));
  return schedules;
}
