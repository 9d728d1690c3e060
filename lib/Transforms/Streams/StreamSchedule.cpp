// SPDX-License-Identifier: Apache-2.0

#include "StreamSchedule.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mli;
using namespace mli::streams;
using mli::tiling::DimAccess;
using mli::tiling::DimRange;

/// Steps of more rows are no streams.
static constexpr int64_t maxRowsOfStep = 4096;

static bool isSpread(const DimRange &range) {
  return range.use.kind == DimAccess::Kind::Spread;
}

CallRows StreamSchedule::getCallRows(size_t vertex, const RowRead &read) const {
  const StreamCalls &made = getCalls(vertex);
  const DimRange &range = read.rows;
  CallRows rows;
  if (isSpread(range))
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
// Rates
//===----------------------------------------------------------------------===//

namespace {
/// A positive fraction in lowest terms.
struct Fraction {
  int64_t up = 0, down = 1;

  bool isSet() const { return up != 0; }
  Fraction times(int64_t factor, int64_t divisor) const {
    Fraction product = {up * factor, down * divisor};
    int64_t common = std::gcd(product.up, product.down);
    return {product.up / common, product.down / common};
  }
  bool operator!=(const Fraction &other) const {
    return up != other.up || down != other.down;
  }
};
} // namespace

/// Finds how many rows each vertex computes in a step: so many that readers
/// keep up with what they read.
bool StreamSchedule::findRates(std::string *why) {
  auto fail = [&](const Twine &reason) {
    if (why)
      *why = reason.str();
    return false;
  };
  std::vector<Fraction> rates(end - begin);
  rates.back() = {1, 1};
  bool hasChanged = true;
  auto join = [&](Fraction &known, Fraction &other, int64_t up, int64_t down) {
    if (!known.isSet())
      return true;
    Fraction rate = known.times(up, down);
    if (other.isSet())
      return !(other != rate);
    other = rate;
    hasChanged = true;
    return true;
  };
  while (hasChanged) {
    hasChanged = false;
    for (size_t vertex = end; vertex-- > begin;)
      for (const RowRead &read : graph->vertices[vertex].rowReads) {
        const StreamValue &value = graph->values[read.value];
        if (!computes(value))
          continue;
        Fraction &reader = rates[vertex - begin];
        Fraction &producer = rates[*value.producer - begin];
        int64_t up = isSpread(read.rows) ? 1 : read.rows.stride;
        int64_t down = isSpread(read.rows) ? read.rows.stride : 1;
        if (!join(reader, producer, up, down) ||
            !join(producer, reader, down, up))
          return fail("two of its inputs have rows at different rates");
        if (std::max(producer.up, producer.down) > maxRowsOfStep ||
            std::max(reader.up, reader.down) > maxRowsOfStep)
          return fail("its strides multiply to over " + Twine(maxRowsOfStep));
      }
  }
  int64_t common = 1;
  for (const Fraction &rate : rates) {
    if (!rate.isSet())
      return fail("it shares no rows with it");
    common = std::lcm(common, rate.down);
    if (common > maxRowsOfStep)
      return fail("its strides multiply to over " + Twine(maxRowsOfStep));
  }
  int64_t rows = llvm::alignTo(shape.rows, common);
  for (const Fraction &rate : rates)
    rowsOfStep.push_back(rows / rate.down * rate.up);
  return true;
}

//===----------------------------------------------------------------------===//
// Rows of a call
//===----------------------------------------------------------------------===//

/// Splits the rows of a step into calls: those of a slower kernel are never
/// between those of one call of a faster one.
// ST3
bool StreamSchedule::chooseRows() {
  // The rows of a step, the work of one of them, and what calls have to have a
  // multiple of.
  struct RateClass {
    int64_t rows = 0, work = 0, grain = 1;
  };
  std::vector<RateClass> classes;
  std::vector<int64_t> rates = rowsOfStep;
  llvm::sort(rates);
  rates.erase(std::unique(rates.begin(), rates.end()), rates.end());
  classes.reserve(rates.size());
  for (int64_t rows : rates)
    classes.push_back({rows});
  auto getClass = [&](size_t vertex) -> size_t {
    return llvm::lower_bound(rates, rowsOfStep[vertex - begin]) - rates.begin();
  };
  for (size_t vertex = begin; vertex < end; ++vertex) {
    RateClass &rate = classes[getClass(vertex)];
    const StreamVertex &kernel = graph->vertices[vertex];
    int64_t all = graph->values[kernel.results[0]].map->rows;
    rate.work = std::max(rate.work, kernel.work / all);
    for (const RowRead &read : kernel.rowReads)
      if (isSpread(read.rows))
        rate.grain = std::lcm(rate.grain, read.rows.stride);
  }
  std::vector<int64_t> callsOfStep;
  int64_t calls = 1, least = 0;
  for (const RateClass &rate : classes) {
    if (rate.rows % calls != 0 || rate.rows / calls % rate.grain != 0)
      return false;
    if (callsOfStep.empty() && shape.isEven)
      least = rate.rows * rate.work;
    // The most calls that are wanted: as many as divide the rows.
    int64_t best = calls;
    for (int64_t more = calls; more <= rate.rows / rate.grain; more += calls) {
      int64_t rows = rate.rows / more;
      bool isLegal = rate.rows % more == 0 && rows % rate.grain == 0;
      if (isLegal && (rows * rate.work >= least) && !callsOfStep.empty())
        best = more;
    }
    calls = best;
    callsOfStep.push_back(calls);
  }
  for (size_t vertex = begin; vertex < end; ++vertex) {
    size_t value = graph->vertices[vertex].results[0];
    StreamCalls &made = this->calls[vertex - begin];
    made.rows = rowsOfStep[vertex - begin] / callsOfStep[getClass(vertex)];
    made.count = llvm::divideCeil(graph->values[value].map->rows, made.rows);
  }
  return true;
}

/// Puts kernels of more calls a step into inner loops, in their order.
void StreamSchedule::makeLoops() {
  std::vector<int64_t> counts;
  for (size_t vertex = begin; vertex < end; ++vertex)
    counts.push_back(rowsOfStep[vertex - begin] / calls[vertex - begin].rows);
  std::vector<int64_t> levels = counts;
  llvm::sort(levels);
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  loops.assign(1, {0, 0, 1, 1, 0, order.size()});
  size_t open = 0;
  for (auto [place, vertex] : llvm::enumerate(order)) {
    places[vertex - begin] = place;
    int64_t count = counts[vertex - begin];
    while (loops[open].perStep > count)
      open = loops[open].parent;
    for (int64_t level : levels)
      if (level > loops[open].perStep && level <= count) {
        loops.push_back({open, loops[open].depth + 1,
                         level / loops[open].perStep, level, place, place});
        open = loops.size() - 1;
      }
    calls[vertex - begin].loop = open;
    for (size_t loop = open; loop != 0; loop = loops[loop].parent)
      loops[loop].end = place + 1;
  }
}

size_t StreamSchedule::findCommonLoop(size_t a, size_t b) const {
  while (a != b) {
    size_t &deeper = loops[a].depth >= loops[b].depth ? a : b;
    deeper = loops[deeper].parent;
  }
  return a;
}

int64_t StreamSchedule::rowsOfIteration(size_t vertex, size_t loop) const {
  return rowsOfStep[vertex - begin] / loops[loop].perStep;
}

/// The rows of what `producer` computes that are new to an iteration of the
/// innermost loop around both and not there when `reader` runs.
int64_t StreamSchedule::rowsBetween(size_t producer, size_t reader) const {
  if (!isInFront(reader, producer))
    return 0;
  size_t common =
      findCommonLoop(getCalls(producer).loop, getCalls(reader).loop);
  return rowsOfIteration(producer, common);
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

std::optional<StreamSchedule> StreamSchedule::make(const StreamGraph &graph,
                                                   size_t begin, size_t end,
                                                   const StreamShape &shape,
                                                   std::string *why) {
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
      *why = "its rows are no multiple of those of other kernels";
    return std::nullopt;
  }
  if (!schedule.arrange(why))
    return std::nullopt;
  schedule.readEarly();
  if (!schedule.cut(shape.stripes)) {
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

/// Puts readers that may read early in front, where that takes fewer bytes:
/// what they read is needed less long.
// ST4
void StreamSchedule::readEarly() {
  for (size_t vertex = begin; vertex < end; ++vertex) {
    size_t front = loops[getCalls(vertex).loop].begin;
    size_t place = places[vertex - begin];
    if (place == front || !mayReadEarly(vertex))
      continue;
    StreamSchedule other = *this;
    std::rotate(other.order.begin() + front, other.order.begin() + place,
                other.order.begin() + place + 1);
    if (other.arrange() &&
        other.getPeak(*makeStripe(0, 1), 1) < getPeak(*makeStripe(0, 1), 1))
      *this = std::move(other);
  }
}
