// SPDX-License-Identifier: Apache-2.0
//
// When a kernel computes a row, the rows that it follows from are made on all
// paths, however early or late other kernels run. So many rows of an input are
// there at that time, from the first that the kernel still reads: no order of
// calls keeps fewer, and longer calls keep more.

#include "ArenaBoundGraph.h"

#include <limits>

using namespace mli;
using namespace mli::bound;

/// Less is looked at where there is more, which leaves rows out: a bound still.
static constexpr size_t maxSteps = 64;
static constexpr int64_t maxRows = 256;

namespace {

/// Follows what one reader needs back to the values that it is computed from.
class Demand {
public:
  Demand(const Graph &graph, size_t reader)
      : graph(graph), reader(reader),
        first(reader < maxSteps ? 0 : reader - maxSteps),
        madeOf(reader - first) {}

  /// Finds how many rows of each value are made when row `row` of the reader's
  /// result is computed.
  void find(int64_t row) {
    std::fill(madeOf.begin(), madeOf.end(), 0);
    addReads(graph.steps[reader], row + 1);
    // Values behind the only input of the reader are not asked for.
    if (graph.steps[reader].reads.size() == 1)
      return;
    for (size_t step = reader; step-- > first;)
      if (madeOf[step - first] > 0)
        addReads(graph.steps[step], madeOf[step - first]);
  }

  /// The rows of `value` that are made; 0 if no step near makes it.
  int64_t getMade(const ArenaValue &value) const {
    return isNear(value) ? madeOf[*value.maker - first] : 0;
  }
  bool isNear(const ArenaValue &value) const {
    return value.maker && *value.maker >= first &&
           graph.steps[*value.maker].isByRow;
  }

private:
  void addReads(const Step &step, int64_t count) {
    for (const RowRead &read : step.reads)
      if (const ArenaValue &value = graph.values[read.value]; isNear(value)) {
        int64_t &made = madeOf[*value.maker - first];
        made = std::max(made, read.rows.getEnd(count));
      }
  }

  const Graph &graph;
  size_t reader, first;
  /// By the step that makes the value.
  std::vector<int64_t> madeOf;
};

/// What one value keeps, reader by reader.
class RowCount {
public:
  /// Rows from `first` on are needed when `made` rows are made.
  void add(int64_t first, int64_t made) {
    kept.rows = std::max(kept.rows, made - first);
    read.extend({first, made - 1});
    if (made - first > 1)
      spans.push_back({first, made - 1});
  }
  KeptRows get() {
    joinTouching(spans);
    kept.isRing = spans.size() == 1 && spans.front() == read;
    return kept;
  }
  /// The rows that any two rows that wait for each other follow from by
  /// `window`.
  int64_t countRows(const AxisWindow &window) const {
    int64_t count = 0;
    for (const Interval &span : spans)
      for (int64_t row = span.lower; row < span.upper; ++row)
        count = std::max(count, window.getEnd(row + 2) - window.getFirst(row));
    return count;
  }

private:
  KeptRows kept;
  /// The rows of each call but for the last one: that stay while it is made.
  std::vector<Interval> spans;
  Interval read = {std::numeric_limits<int64_t>::max(), 0};
};

} // namespace

// I4
std::vector<KeptRows> mli::bound::findKeptRows(const Graph &graph) {
  std::vector<RowCount> counts(graph.values.size());
  for (size_t step = 0; step < graph.steps.size(); ++step) {
    const auto &reads = graph.steps[step].reads;
    if (reads.empty())
      continue;
    Demand demand(graph, step);
    int64_t results = reads.front().rows.results;
    for (int64_t row = 0; row < std::min(results, maxRows); ++row) {
      demand.find(row);
      for (const RowRead &read : reads)
        counts[read.value].add(read.rows.getFirst(row),
                               demand.getMade(graph.values[read.value]));
    }
  }
  std::vector<KeptRows> kept;
  kept.reserve(counts.size());
  for (RowCount &count : counts)
    kept.push_back(count.get());
  for (const Step &step : graph.steps) {
    if (step.reads.empty())
      continue;
    const RowRead &read = step.reads.front();
    KeptRows &value = kept[step.results.front()];
    value.source = read.value;
    if (kept[read.value].isRing && !value.isRing)
      value.sourceRows = counts[step.results.front()].countRows(read.rows);
  }
  return kept;
}
