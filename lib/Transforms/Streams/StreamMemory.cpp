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
        streams(graph.vertices.size(), nullptr),
        wholeBuffers(graph.values.size()) {}

  MemoryProblem make(ArrayRef<StreamSchedule> schedules);

private:
  using Buffers = ArrayRef<std::optional<size_t>>;

  void setTimes(ArrayRef<StreamSchedule> schedules);
  size_t add(int64_t bytes, Interval live);
  void addWhole();
  void addStripe(const StreamSchedule &schedule, const StreamStripe &stripe,
                 int64_t begin);
  void share(size_t vertex, std::optional<size_t> result, Interval time,
             llvm::function_ref<std::optional<size_t>(size_t)> find);
  void shareStreamed(const StreamSchedule &schedule, size_t vertex,
                     Interval time, Buffers buffers);

  const StreamGraph &graph;
  MemoryProblem problem;
  /// The time at which what a vertex uses is there.
  std::vector<Interval> times;
  /// The stream that each vertex is in; null if it is in none.
  std::vector<const StreamSchedule *> streams;
  std::vector<std::optional<size_t>> wholeBuffers;
  std::vector<std::pair<size_t, size_t>> shared;
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
      Interval span = schedule.getSpan(vertex);
      times[vertex] = {end + span.lower,
                       end + places * (count - 1) + span.upper};
      streams[vertex] = &schedule;
    }
    end += places * count;
    schedules = schedules.drop_front();
  }
}

/// Adds the values that are whole.
void ArenaProblem::addWhole() {
  for (auto [i, value] : llvm::enumerate(graph.values)) {
    bool isUsed = value.isReturned || !value.users.empty();
    // Calls stay, and write their results.
    if (!isUsed && value.producer)
      isUsed = !wouldOpBeTriviallyDead(graph.vertices[*value.producer].op);
    if (value.bytes == 0 || !isUsed)
      continue;
    const StreamSchedule *stream =
        value.producer ? streams[*value.producer] : nullptr;
    if (stream && !stream->getBuffer(*value.producer).isResult)
      continue;
    Interval live = value.producer ? times[*value.producer] : Interval{0, 0};
    for (size_t user : value.users)
      live.extend(times[user]);
    if (value.isReturned)
      live.upper = end;
    wholeBuffers[i] = add(value.bytes, live);
  }
}

/// Lets `vertex`, which runs at `time`, compute over an input that ends there:
/// `find` returns the buffer of a value, if it is read as a whole.
void ArenaProblem::share(
    size_t vertex, std::optional<size_t> result, Interval time,
    llvm::function_ref<std::optional<size_t>(size_t)> find) {
  if (!result)
    return;
  const allocation::Buffer &after = problem.problem.buffers[*result];
  for (size_t input : graph.vertices[vertex].replaceable) {
    std::optional<size_t> other = find(input);
    if (!other)
      continue;
    const allocation::Buffer &before = problem.problem.buffers[*other];
    if (before.live.upper == time.upper && after.live.lower == time.lower &&
        before.size == after.size) {
      shared.emplace_back(*result, *other);
      return;
    }
  }
}

/// The same for kernels of `schedule` whose rows are in `buffers`.
void ArenaProblem::shareStreamed(const StreamSchedule &schedule, size_t vertex,
                                 Interval time, Buffers buffers) {
  if (!schedule.isFilled(vertex))
    return;
  bool isResult = schedule.getBuffer(vertex).isResult;
  share(vertex,
        isResult ? wholeBuffers[graph.vertices[vertex].results[0]]
                 : buffers[vertex - schedule.begin],
        time, [&](size_t value) -> std::optional<size_t> {
          const StreamValue &input = graph.values[value];
          if (!schedule.computes(input))
            return schedule.isWhole(vertex) ? wholeBuffers[value]
                                            : std::nullopt;
          return schedule.isFilled(*input.producer)
                     ? buffers[*input.producer - schedule.begin]
                     : std::nullopt;
        });
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
  for (auto [place, vertex] : llvm::enumerate(schedule.getOrder())) {
    int64_t now = begin + static_cast<int64_t>(place);
    shareStreamed(schedule, vertex, {now, now + 1}, buffers);
  }
}

MemoryProblem ArenaProblem::make(ArrayRef<StreamSchedule> schedules) {
  setTimes(schedules);
  addWhole();
  for (auto [i, vertex] : llvm::enumerate(graph.vertices)) {
    if (streams[i])
      continue;
    if (vertex.results.size() == 1)
      share(i, wholeBuffers[vertex.results[0]], times[i],
            [&](size_t value) { return wholeBuffers[value]; });
    if (vertex.scratchBytes > 0)
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
