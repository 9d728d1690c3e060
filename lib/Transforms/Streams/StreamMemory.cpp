// SPDX-License-Identifier: Apache-2.0

#include "FormStreams.h"

#include "mli/Analysis/InPlaceChoice.h"
#include "mli/Transforms/Passes.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/IntEqClasses.h"

using namespace mlir;
using namespace mli;
using namespace mli::streams;

namespace {

/// Fills the problem of the planner. A vertex, or a place of a stripe of a
/// stream, takes one unit of time.
class ArenaProblem {
public:
  explicit ArenaProblem(const StreamGraph &graph)
      : graph(graph), times(graph.vertices.size()),
        wholeBuffers(graph.values.size()) {}

  MemoryProblem make(ArrayRef<StreamSchedule> schedules);

private:
  void setTimes(ArrayRef<StreamSchedule> schedules);
  size_t add(int64_t bytes, Interval live);
  void addWhole();
  void addStripe(const StreamSchedule &schedule, const StreamStripe &stripe,
                 int64_t begin);
  void shareWhole(size_t vertex);

  const StreamGraph &graph;
  MemoryProblem problem;
  /// The time of each vertex, and of all of the stream that it is in.
  std::vector<Interval> times;
  std::vector<std::optional<size_t>> wholeBuffers;
  std::vector<std::pair<size_t, size_t>> shared;
  std::vector<bool> isStreamed;
  int64_t end = 0;
};

} // namespace

size_t ArenaProblem::add(int64_t bytes, Interval live) {
  allocation::Buffer buffer;
  buffer.size = bytes;
  buffer.alignment = graph.alignment;
  buffer.live = live;
  buffer.tag = static_cast<int64_t>(problem.problem.buffers.size());
  problem.problem.buffers.push_back(std::move(buffer));
  return problem.problem.buffers.size() - 1;
}

void ArenaProblem::setTimes(ArrayRef<StreamSchedule> schedules) {
  isStreamed.assign(graph.vertices.size(), false);
  for (size_t vertex = 0; vertex < graph.vertices.size();) {
    if (schedules.empty() || schedules.front().begin > vertex) {
      times[vertex++] = {end, end + 1};
      ++end;
      continue;
    }
    const StreamSchedule &schedule = schedules.front();
    auto places = static_cast<int64_t>(schedule.end - schedule.begin);
    auto count = static_cast<int64_t>(schedule.stripes.size());
    for (; vertex < schedule.end; ++vertex) {
      times[vertex] = {end, end + places * count};
      isStreamed[vertex] = true;
    }
    end += places * count;
    schedules = schedules.drop_front();
  }
}

/// Adds the values that are whole: in a stream, all through it.
void ArenaProblem::addWhole() {
  for (auto [i, value] : llvm::enumerate(graph.values)) {
    bool isUsed = value.isReturned || !value.users.empty();
    // Calls stay, and write their results.
    if (!isUsed && value.producer)
      isUsed = !wouldOpBeTriviallyDead(graph.vertices[*value.producer].op);
    if (value.bytes == 0 || !isUsed)
      continue;
    Interval live = {0, 0};
    if (value.producer)
      live = times[*value.producer];
    if (!value.users.empty())
      live.upper = std::max(live.upper, times[value.users.back()].upper);
    if (value.isReturned)
      live.upper = end;
    bool isInside = value.producer && isStreamed[*value.producer] &&
                    live.upper == times[*value.producer].upper;
    if (!isInside || value.isReturned)
      wholeBuffers[i] = add(value.bytes, live);
  }
}

/// A kernel may compute over an input that ends with it.
void ArenaProblem::shareWhole(size_t vertex) {
  const StreamVertex &kernel = graph.vertices[vertex];
  if (isStreamed[vertex] || kernel.results.size() != 1)
    return;
  std::optional<size_t> result = wholeBuffers[kernel.results[0]];
  for (size_t input : kernel.replaceable) {
    std::optional<size_t> other = wholeBuffers[input];
    if (!result || !other)
      continue;
    const allocation::Buffer &before = problem.problem.buffers[*other];
    const allocation::Buffer &after = problem.problem.buffers[*result];
    if (before.live.upper == times[vertex].upper &&
        after.live.lower == times[vertex].lower && before.size == after.size) {
      shared.emplace_back(*result, *other);
      return;
    }
  }
}

/// Adds the buffers of one stripe, which begins at time `begin`.
void ArenaProblem::addStripe(const StreamSchedule &schedule,
                             const StreamStripe &stripe, int64_t begin) {
  std::vector<std::optional<size_t>> buffers(schedule.end - schedule.begin);
  for (auto [place, vertex] : llvm::enumerate(schedule.getOrder())) {
    const StreamVertex &kernel = graph.vertices[vertex];
    const StreamBuffer &buffer = schedule.getBuffer(vertex);
    int64_t now = begin + static_cast<int64_t>(place);
    if (kernel.scratchBytes > 0)
      add(kernel.scratchBytes, {now, now + 1});
    if (buffer.isResult)
      continue;
    buffers[vertex - schedule.begin] =
        add(schedule.getBytes(vertex, stripe),
            {begin + buffer.lifetime.lower, begin + buffer.lifetime.upper});
  }
  for (size_t vertex : schedule.getOrder())
    if (std::optional<size_t> input = schedule.findReplaced(vertex, stripe))
      shared.emplace_back(*buffers[vertex - schedule.begin],
                          *buffers[*input - schedule.begin]);
}

MemoryProblem ArenaProblem::make(ArrayRef<StreamSchedule> schedules) {
  setTimes(schedules);
  addWhole();
  for (auto [i, vertex] : llvm::enumerate(graph.vertices)) {
    shareWhole(i);
    if (!isStreamed[i] && vertex.scratchBytes > 0)
      add(vertex.scratchBytes, times[i]);
  }
  for (const StreamSchedule &schedule : schedules) {
    int64_t begin = times[schedule.begin].lower;
    for (const StreamStripe &stripe : schedule.stripes) {
      addStripe(schedule, stripe, begin);
      begin += static_cast<int64_t>(schedule.end - schedule.begin);
    }
  }
  llvm::IntEqClasses classes(problem.problem.buffers.size());
  std::vector<bool> isShared(problem.problem.buffers.size(), false);
  for (auto [one, other] : shared) {
    classes.join(static_cast<unsigned>(one), static_cast<unsigned>(other));
    isShared[one] = isShared[other] = true;
  }
  for (size_t i = 0; i < isShared.size(); ++i)
    if (isShared[i])
      problem.problem.buffers[i].aliasSet =
          static_cast<int32_t>(classes.findLeader(static_cast<unsigned>(i)));
  return std::move(problem);
}

// ST9
int64_t mli::streams::planArena(const StreamGraph &graph,
                                ArrayRef<StreamSchedule> schedules) {
  allocation::PlannerOptions options;
  options.budget = AssignAddressesOptions().budget;
  options.minimise = true;
  return planInPlace(ArenaProblem(graph).make(schedules), options).plan.peak;
}
