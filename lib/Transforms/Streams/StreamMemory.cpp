// SPDX-License-Identifier: Apache-2.0

#include "FormStreams.h"
#include "StreamProgram.h"

#include "mli/Analysis/InPlaceChoice.h"
#include "mli/Transforms/Passes.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/SmallBitVector.h"

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
  /// The number of a buffer that calls fill, and its rows.
  struct RowBuffer {
    size_t number;
    int64_t rows;
  };
  using Buffers = std::vector<SmallVector<RowBuffer, 1>>;

  void setTimes(ArrayRef<StreamSchedule> schedules);
  size_t add(int64_t bytes, Interval live);
  void addWhole();
  void addStripe(const StreamSchedule &schedule, const StreamProgram &program,
                 const StreamStripe &stripe, int64_t begin);
  void share(size_t vertex, std::optional<size_t> result, Interval time,
             llvm::function_ref<std::optional<size_t>(size_t)> find);
  void shareStreamed(const StreamSchedule &schedule, StreamProgram::Call call,
                     Interval time, const Buffers &buffers);

  const StreamGraph &graph;
  MemoryProblem problem;
  /// The time at which what a vertex uses is there.
  std::vector<Interval> times;
  /// The stream that each vertex is in; null if it is in none.
  std::vector<const StreamSchedule *> streams;
  /// The calls of each stream, and the time at which the first one is.
  std::vector<StreamProgram> programs;
  std::vector<int64_t> starts;
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
    const StreamProgram &program = programs.emplace_back(schedule);
    auto calls = static_cast<int64_t>(program.getCalls().size());
    auto count = static_cast<int64_t>(schedule.stripes.size());
    starts.push_back(end);
    for (; vertex < schedule.end; ++vertex) {
      Interval span = program.getCalls(schedule.getSpan(vertex));
      times[vertex] = {end + span.lower,
                       end + calls * (count - 1) + span.upper};
      streams[vertex] = &schedule;
    }
    end += calls * count;
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

/// The same for `call`, at `time`, of a kernel of `schedule`, whose rows are in
/// `buffers`.
void ArenaProblem::shareStreamed(const StreamSchedule &schedule,
                                 StreamProgram::Call call, Interval time,
                                 const Buffers &buffers) {
  bool isWhole = schedule.isWhole(call.vertex);
  auto find = [&](size_t vertex) -> std::optional<size_t> {
    for (const RowBuffer &buffer : buffers[vertex - schedule.begin])
      if (problem.problem.buffers[buffer.number].live.contains(time.lower) &&
          buffer.rows == call.rows)
        return buffer.number;
    return std::nullopt;
  };
  std::optional<size_t> result = find(call.vertex);
  if (schedule.getBuffer(call.vertex).isResult && isWhole)
    result = wholeBuffers[graph.vertices[call.vertex].results[0]];
  share(call.vertex, result, time, [&](size_t value) -> std::optional<size_t> {
    const StreamValue &input = graph.values[value];
    if (schedule.computes(input))
      return find(*input.producer);
    return isWhole ? wholeBuffers[value] : std::nullopt;
  });
}

/// Adds the buffers of one stripe, which begins at time `begin`.
void ArenaProblem::addStripe(const StreamSchedule &schedule,
                             const StreamProgram &program,
                             const StreamStripe &stripe, int64_t begin) {
  Buffers buffers(schedule.end - schedule.begin);
  llvm::SmallBitVector isAdded(buffers.size());
  auto addRows = [&](size_t vertex, int64_t rows, Interval live,
                     bool isFilled) {
    size_t number = add(rows * schedule.getRowBytes(vertex, stripe),
                        {begin + live.lower, begin + live.upper});
    isAdded.set(vertex - schedule.begin);
    if (isFilled)
      buffers[vertex - schedule.begin].push_back({number, rows});
  };
  for (const StreamProgram::Buffer &buffer : program.getLocalBuffers())
    addRows(buffer.vertex, buffer.rows, buffer.live, /*isFilled=*/true);
  for (size_t vertex : schedule.getOrder()) {
    const StreamBuffer &buffer = schedule.getBuffer(vertex);
    if (!buffer.isResult && !isAdded[vertex - schedule.begin])
      addRows(vertex, buffer.rows, program.getCalls(buffer.lifetime),
              schedule.isFilled(vertex));
  }
  for (auto [place, call] : llvm::enumerate(program.getCalls())) {
    int64_t now = begin + static_cast<int64_t>(place);
    int64_t bytes = graph.vertices[call.vertex].scratchBytes;
    if (bytes > 0)
      add(bytes, {now, now + 1});
    shareStreamed(schedule, call, {now, now + 1}, buffers);
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
  const int64_t *start = starts.data();
  for (auto [schedule, program] : llvm::zip_equal(schedules, programs)) {
    int64_t begin = *start++;
    for (const StreamStripe &stripe : schedule.stripes) {
      addStripe(schedule, program, stripe, begin);
      begin += static_cast<int64_t>(program.getCalls().size());
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
