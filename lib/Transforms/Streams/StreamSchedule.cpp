// SPDX-License-Identifier: Apache-2.0

#include "StreamSchedule.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;
using namespace mli::streams;
using mli::tiling::DimRange;

CallRows StreamSchedule::getCallRows(size_t vertex, const RowRead &read) const {
  const StreamCalls &made = getCalls(vertex);
  const DimRange &range = read.rows;
  CallRows rows;
  if (read.isSpread())
    rows = {
        made.rows / range.stride,
        llvm::divideCeilSigned(range.before - range.extent + 1, range.stride),
        llvm::divideFloorSigned(made.rows - 1 + range.before, range.stride) +
            1};
  else
    rows = {made.rows * range.stride, -range.before,
            (made.rows - 1) * range.stride - range.before + range.extent};
  // A kernel that is not cut gets all of its input.
  if (made.count == 1) {
    rows.lower = std::min<int64_t>(rows.lower, 0);
    rows.upper = std::max(rows.upper, range.size);
  }
  return rows;
}

//===----------------------------------------------------------------------===//
// First calls
//===----------------------------------------------------------------------===//

/// Finds the first calls of vertices that are not known, from those that are:
/// of producers the earliest that their readers need, of readers the earliest
/// that their inputs are there for. Returns whether any was found.
bool StreamSchedule::delay(bool isBackward) {
  bool hasFound = false;
  for (size_t i = 0; i < end - begin; ++i) {
    size_t vertex = isBackward ? end - 1 - i : begin + i;
    if (isKnown[vertex - begin])
      continue;
    StreamCalls &made = calls[vertex - begin];
    std::optional<int64_t> first;
    if (isBackward) {
      forEachReader(vertex, [&](size_t reader, CallRows rows) {
        if (!isKnown[reader - begin])
          return;
        const StreamCalls &its = calls[reader - begin];
        int64_t needed =
            llvm::divideCeilSigned((its.first - 1) * rows.step + rows.upper +
                                       rowsBetween(vertex, reader),
                                   made.rows);
        first = std::max(first.value_or(needed), needed);
      });
    } else {
      for (const RowRead &read : graph->vertices[vertex].rowReads) {
        const StreamValue &value = graph->values[read.value];
        if (!computes(value) || !isKnown[*value.producer - begin])
          continue;
        const StreamCalls &its = calls[*value.producer - begin];
        CallRows rows = getCallRows(vertex, read);
        int64_t there =
            its.first * its.rows - rowsBetween(*value.producer, vertex);
        int64_t possible =
            llvm::divideFloorSigned(there - rows.upper, rows.step) + 1;
        first = std::min(first.value_or(possible), possible);
      }
    }
    if (!first)
      continue;
    made.first = *first;
    isKnown[vertex - begin] = true;
    hasFound = true;
  }
  return hasFound;
}

/// Finds for each vertex the first call: as late as the last one needs it, or,
/// where that does not, as early as its inputs are there.
// ST4
bool StreamSchedule::findFirstCalls() {
  isKnown.assign(end - begin, false);
  isKnown.back() = true;
  while (delay(/*isBackward=*/true) || delay(/*isBackward=*/false)) {
  }
  // What was found first may not suffice what was found later.
  for (size_t vertex = begin; vertex < end; ++vertex) {
    const StreamCalls &made = calls[vertex - begin];
    bool isThere = isKnown[vertex - begin];
    forEachReader(vertex, [&](size_t reader, CallRows rows) {
      isThere &= made.first * made.rows >=
                 (calls[reader - begin].first - 1) * rows.step + rows.upper +
                     rowsBetween(vertex, reader);
    });
    if (!isThere)
      return false;
  }
  return true;
}

/// Numbers steps from 0 on.
void StreamSchedule::countSteps() {
  int64_t from = std::numeric_limits<int64_t>::max();
  for (const StreamCalls &made : calls)
    from = std::min(
        from, llvm::divideFloorSigned(-made.first, loops[made.loop].perStep));
  int64_t to = from + 1;
  for (StreamCalls &made : calls) {
    made.first += from * loops[made.loop].perStep;
    to = std::max(to, from + llvm::divideCeilSigned(made.count - made.first,
                                                    loops[made.loop].perStep));
  }
  steps = to - from;
  loops[0].count = steps;
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

std::optional<StreamSchedule>
StreamSchedule::makeInOrder(const StreamGraph &graph, size_t begin, size_t end,
                            const StreamShape &shape, std::string *why) {
  StreamSchedule schedule(graph, begin, end, shape);
  for (size_t vertex = begin; vertex < end; ++vertex)
    for (size_t value : graph.vertices[vertex].wholeInputs)
      if (schedule.computes(graph.values[value])) {
        if (why)
          *why = "it needs all rows of one of its inputs";
        return std::nullopt;
      }
  if (!schedule.findRates(why))
    return std::nullopt;
  if (!schedule.chooseRows()) {
    if (why)
      *why = "its rows are not a multiple of those of other kernels";
    return std::nullopt;
  }
  schedule.moveBeside();
  if (!schedule.arrange(why))
    return std::nullopt;
  schedule.cut(1);
  return schedule;
}

std::optional<StreamSchedule> StreamSchedule::make(const StreamGraph &graph,
                                                   size_t begin, size_t end,
                                                   const StreamShape &shape,
                                                   std::string *why) {
  std::optional<StreamSchedule> schedule =
      makeInOrder(graph, begin, end, shape, why);
  if (!schedule)
    return std::nullopt;
  schedule->readEarly();
  if (!schedule->cut(shape.stripes)) {
    if (why)
      *why = "it can not be cut into " + std::to_string(shape.stripes) +
             " column stripes";
    return std::nullopt;
  }
  return schedule;
}

StreamSchedule::StreamSchedule(const StreamGraph &graph, size_t begin,
                               size_t end, StreamShape shape)
    : graph(&graph), begin(begin), end(end), shape(std::move(shape)),
      places(end - begin), calls(end - begin), buffers(end - begin) {
  for (size_t vertex = begin; vertex < end; ++vertex)
    order.push_back(vertex);
}

/// Finds all that follows from the order.
bool StreamSchedule::arrange(std::string *why) {
  makeLoops();
  if (!findFirstCalls()) {
    if (why)
      *why = "no order of calls suits all of its readers";
    return false;
  }
  countSteps();
  return placeBuffers(why);
}

/// Whether all rows that `vertex` reads are there an iteration earlier.
bool StreamSchedule::mayReadEarly(size_t vertex) const {
  const StreamCalls &made = getCalls(vertex);
  bool isReader = false;
  for (const RowRead &read : graph->vertices[vertex].rowReads) {
    const StreamValue &value = graph->values[read.value];
    if (!computes(value))
      continue;
    const StreamCalls &its = getCalls(*value.producer);
    CallRows rows = getCallRows(vertex, read);
    size_t common = findCommonLoop(made.loop, its.loop);
    isReader = true;
    if (its.first * its.rows - rowsOfIteration(*value.producer, common) <
        (made.first - 1) * rows.step + rows.upper)
      return false;
  }
  return isReader;
}

bool StreamSchedule::isBeside(size_t vertex) const {
  const StreamVertex &move = graph->vertices[vertex];
  if (!shape.isBeside || !(move.isMovedIn || move.isMovedOut))
    return false;
  auto isKernel = [&](size_t other) {
    const StreamVertex &kernel = graph->vertices[other];
    return isInside(other) && !kernel.isMovedIn && !kernel.isMovedOut;
  };
  if (move.isMovedOut) {
    std::optional<size_t> maker = graph->values[move.inputs[0]].producer;
    return maker && isKernel(*maker);
  }
  auto readers =
      llvm::make_filter_range(graph->values[move.results[0]].users,
                              [&](size_t user) { return isInside(user); });
  return !readers.empty() && llvm::all_of(readers, isKernel);
}

/// Lets rows move while kernels compute that do not use them: those of the next
/// step in behind their last reader, and those out behind the kernel that makes
/// them, or, from the step before, in front of it, where more kernels are.
// ST10
void StreamSchedule::moveBeside() {
  if (!shape.isBeside)
    return;
  std::vector<size_t> moves;
  llvm::copy_if(order, std::back_inserter(moves),
                [&](size_t vertex) { return isBeside(vertex); });
  llvm::erase_if(order, [&](size_t vertex) { return isBeside(vertex); });
  makeLoops();
  auto kernels = static_cast<int64_t>(order.size());
  // The moves in front of each kernel, and behind the last one.
  std::vector<std::vector<size_t>> at(order.size() + 1);
  int64_t first = kernels;
  for (size_t vertex : moves)
    if (graph->vertices[vertex].isMovedIn) {
      int64_t place = 0;
      forEachReader(vertex, [&](size_t reader, CallRows) {
        place = std::max(place, getItem(reader, /*loop=*/0).upper);
      });
      at[place].push_back(vertex);
      first = std::min(first, place);
    }
  for (size_t vertex : moves)
    if (graph->vertices[vertex].isMovedOut) {
      size_t source = graph->vertices[vertex].inputs[0];
      Interval maker = getItem(*graph->values[source].producer, /*loop=*/0);
      int64_t place = maker.upper;
      // What moves in keeps the kernels in front of it and behind it apart.
      if (kernels - maker.upper < maker.lower)
        place = first <= maker.lower ? 0 : maker.lower;
      at[place].push_back(vertex);
    }
  std::vector<size_t> next;
  for (size_t place = 0; place < at.size(); ++place) {
    llvm::append_range(next, at[place]);
    if (place < order.size())
      next.push_back(order[place]);
  }
  order = std::move(next);
}

// ST4
void StreamSchedule::readEarly() {
  std::optional<int64_t> least;
  for (size_t vertex = begin; vertex < end; ++vertex) {
    size_t front = loops[getCalls(vertex).loop].begin;
    size_t place = places[vertex - begin];
    if (place == front || !mayReadEarly(vertex))
      continue;
    if (!least)
      least = getPeak(*makeStripe(0, 1), 1);
    StreamSchedule other = *this;
    std::rotate(other.order.begin() + front, other.order.begin() + place,
                other.order.begin() + place + 1);
    if (!other.arrange())
      continue;
    int64_t bytes = other.getPeak(*makeStripe(0, 1), 1);
    if (bytes < *least) {
      least = bytes;
      *this = std::move(other);
    }
  }
}
