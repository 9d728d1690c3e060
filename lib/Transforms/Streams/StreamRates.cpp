// SPDX-License-Identifier: Apache-2.0
//
// How many rows the kernels of a stream compute in a step, and in which calls.

#include "StreamSchedule.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mli;
using namespace mli::streams;

/// Steps of more rows are no streams.
static constexpr int64_t maxRowsOfStep = 4096;

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
        int64_t up = read.isSpread() ? 1 : read.rows.stride;
        int64_t down = read.isSpread() ? read.rows.stride : 1;
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
      return fail("it shares no rows with other kernels");
    common = std::lcm(common, rate.down);
    if (common > maxRowsOfStep)
      return fail("its strides multiply to over " + Twine(maxRowsOfStep));
  }
  // Steps of more rows than there are compute no more.
  const StreamVertex &last = graph->vertices[end - 1];
  int64_t all = graph->values[last.results[0]].map->rows;
  int64_t rows = llvm::alignTo(std::min(shape.rows, all), common);
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
      if (read.isSpread())
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
    // One move a step has the most kernels beside it.
    int64_t ofStep = isBeside(vertex) ? 1 : callsOfStep[getClass(vertex)];
    made.rows = rowsOfStep[vertex - begin] / ofStep;
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
