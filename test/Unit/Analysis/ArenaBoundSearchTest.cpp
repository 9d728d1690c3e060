// SPDX-License-Identifier: Apache-2.0
//
// The bound of the arena against all schedules of tiny networks: all cuts, all
// orders of rows, all sizes of buffers.

#include "mli/Analysis/ArenaBound.h"

#include "../AllDialects.h"
#include "NetworkText.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <queue>
#include <set>

using namespace mlir;
using namespace mli;
using mli::test::NetworkText;
using mli::test::RowTaps;
using mli::test::TextMap;

namespace {

/// A kernel that reads the value in front of it, and with `skip` another one:
/// value 0 is the argument, and kernel k makes value k + 1.
struct TinyKernel {
  RowTaps window;
  int64_t channels = 1;
  std::optional<size_t> skip = std::nullopt;
};

using TinyNetwork = std::vector<TinyKernel>;

/// How many rows each kernel of a part has made, and which values have been
/// empty since, before their last row.
struct State {
  std::vector<int64_t> made;
  unsigned emptied = 0;

  bool operator<(const State &other) const {
    return std::tie(made, emptied) < std::tie(other.made, other.emptied);
  }
};

class Search {
public:
  Search(const TinyNetwork &network, int64_t inputRows) : network(network) {
    rows.push_back(inputRows);
    bytes.push_back(0);
    for (const TinyKernel &kernel : network) {
      rows.push_back(kernel.window.getResults(rows.back()));
      bytes.push_back(2 * kernel.channels);
    }
    // The last one is returned.
    bytes.back() = 0;
  }

  /// The fewest bytes of all schedules of all cuts.
  int64_t findFewest() {
    std::vector<int64_t> fewest = {0};
    for (size_t end = 1; end <= network.size(); ++end) {
      int64_t best = std::max(fewest.back(), getWhole(end - 1, end));
      for (size_t begin = 0; begin + 1 < end; ++begin)
        best = std::min(best, std::max(fewest[begin], searchPart(begin, end)));
      fewest.push_back(best);
    }
    return fewest.back();
  }

private:
  bool reads(size_t kernel, size_t value) const {
    return kernel == value || network[kernel].skip == value;
  }
  /// The rows from the first to the last that `kernel` reads of `value` for
  /// `row`; of a skip its own.
  std::pair<int64_t, int64_t> readRows(size_t kernel, size_t value,
                                       int64_t row) const {
    if (network[kernel].skip == value)
      return {row, row + 1};
    const RowTaps &window = network[kernel].window;
    int64_t first = rows[value], end = 0;
    for (int64_t tap = 0; tap < window.taps; ++tap) {
      int64_t read = row * window.stride - window.top + tap * window.dilation;
      if (read < 0 || read >= rows[value])
        continue;
      first = std::min(first, read);
      end = std::max(end, read + 1);
    }
    return {first, end};
  }

  bool isUsed(size_t value, size_t from, size_t to) const {
    for (size_t kernel = from; kernel < to; ++kernel)
      if (reads(kernel, value))
        return true;
    return false;
  }

  /// The bytes of what is whole while the kernels [begin, end) run.
  int64_t getWhole(size_t begin, size_t end) const {
    int64_t sum = 0;
    for (size_t value = 1; value <= end; ++value)
      if (value <= begin ? isUsed(value, begin, network.size())
                         : value == end || isUsed(value, end, network.size()))
        sum += rows[value] * bytes[value];
    return sum;
  }

  int64_t searchPart(size_t begin, size_t end) {
    first = begin;
    last = end;
    inner.clear();
    for (size_t value = begin + 1; value < end; ++value)
      if (!isUsed(value, end, network.size()))
        inner.push_back(value);
    int64_t best = std::numeric_limits<int64_t>::max();
    size.assign(rows.size(), 0);
    for (unsigned rings = 1U << inner.size(); rings-- > 0;)
      chooseSizes(rings, 0, getWhole(begin, end), 0, best);
    return best;
  }

  /// Tries all sizes of the buffers of `inner` from `next` on; `sum` are the
  /// bytes of what is there all the time, `largest` those of the largest buffer
  /// that comes and goes.
  void chooseSizes(unsigned rings, size_t next, int64_t sum, int64_t largest,
                   int64_t &best) {
    if (sum + largest >= best)
      return;
    if (next == inner.size()) {
      best = std::min(best, sum + findLeastPeak(rings, best - sum));
      return;
    }
    size_t value = inner[next];
    bool isRing = (rings >> next & 1U) != 0;
    for (size[value] = 1; size[value] <= rows[value]; ++size[value]) {
      int64_t taken = size[value] * bytes[value];
      chooseSizes(rings, next + 1, isRing ? sum + taken : sum,
                  isRing ? largest : std::max(largest, taken), best);
    }
  }

  /// The rows of inner value `value` that are there and still needed.
  int64_t countHeld(size_t value, const std::vector<int64_t> &made,
                    std::optional<size_t> running) const {
    int64_t needed = rows[value];
    for (size_t kernel = first; kernel < last; ++kernel)
      if (reads(kernel, value))
        for (int64_t row = made[kernel - first]; row < rows[kernel + 1]; ++row)
          needed = std::min(needed, readRows(kernel, value, row).first);
    int64_t there = made[value - 1 - first];
    if (running && *running + 1 == value)
      ++there;
    return std::max<int64_t>(0, there - needed);
  }

  /// The least of the most bytes of buffers that come and go, over all orders
  /// of rows; `limit` if that is not less.
  int64_t findLeastPeak(unsigned rings, int64_t limit) const {
    using Entry = std::pair<int64_t, State>;
    auto isLater = [](const Entry &a, const Entry &b) { return b < a; };
    std::priority_queue<Entry, std::vector<Entry>, decltype(isLater)> open(
        isLater);
    std::set<State> seen;
    open.push({0, {std::vector<int64_t>(last - first, 0), 0}});
    while (!open.empty()) {
      auto [peak, state] = open.top();
      open.pop();
      if (peak >= limit)
        break;
      if (!seen.insert(state).second)
        continue;
      bool isEnd = true;
      for (size_t kernel = first; kernel < last; ++kernel)
        isEnd &= state.made[kernel - first] == rows[kernel + 1];
      if (isEnd && isSteps(rings, state))
        return peak;
      for (size_t kernel = first; kernel < last; ++kernel)
        if (std::optional<int64_t> bytesNow = tryRow(kernel, rings, state))
          open.emplace(std::max(peak, *bytesNow), advance(kernel, state));
    }
    return limit;
  }

  /// Whether all values that come and go have been empty in between.
  bool isSteps(unsigned rings, const State &state) const {
    for (size_t i = 0; i < inner.size(); ++i)
      if (!(rings >> i & 1U) && rows[inner[i]] > 1 &&
          !(state.emptied >> i & 1U))
        return false;
    return true;
  }

  /// The bytes that come and go when `kernel` computes its next row, if it can.
  std::optional<int64_t> tryRow(size_t kernel, unsigned rings,
                                const State &state) const {
    int64_t row = state.made[kernel - first];
    if (row == rows[kernel + 1])
      return std::nullopt;
    for (size_t value = first + 1; value < last; ++value)
      if (reads(kernel, value) &&
          readRows(kernel, value, row).second > state.made[value - 1 - first])
        return std::nullopt;
    int64_t sum = 0;
    for (size_t i = 0; i < inner.size(); ++i) {
      int64_t held = countHeld(inner[i], state.made, kernel);
      if (held > size[inner[i]])
        return std::nullopt;
      if (held > 0 && !(rings >> i & 1U))
        sum += size[inner[i]] * bytes[inner[i]];
    }
    return sum;
  }

  State advance(size_t kernel, State state) const {
    ++state.made[kernel - first];
    for (size_t i = 0; i < inner.size(); ++i) {
      int64_t made = state.made[inner[i] - 1 - first];
      if (made > 0 && made < rows[inner[i]] &&
          countHeld(inner[i], state.made, std::nullopt) == 0)
        state.emptied |= 1U << i;
    }
    return state;
  }

  const TinyNetwork &network;
  /// Of each value, the argument first.
  std::vector<int64_t> rows, bytes;
  size_t first = 0, last = 0;
  std::vector<size_t> inner;
  /// The rows of the buffer of each value.
  std::vector<int64_t> size;
};

class ArenaBoundSearchTest : public testing::Test {
protected:
  int64_t findBound(const TinyNetwork &network, int64_t inputRows) {
    NetworkText text(inputRows, 1);
    std::vector<TextMap> values = {text.input};
    for (const TinyKernel &kernel : network)
      values.push_back(
          kernel.skip
              ? text.add(values[*kernel.skip], values.back())
              : text.conv(values.back(), kernel.window, kernel.channels));
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(text.finish({values.back()}), &context);
    return getArenaBound(*module->getOps<func::FuncOp>().begin())->bytes;
  }

  MLIRContext context{test::allDialects()};
};

} // namespace

// I1, I4, I6
TEST_F(ArenaBoundSearchTest, NoScheduleOfAChainTakesFewerBytes) {
  int count = 0, equal = 0;
  const RowTaps windows[] = {{},           {2, 2, 0, 0}, {3, 1, 1, 1},
                             {3, 2, 0, 1}, {2, 1, 0, 0}, {3, 1, 2, 2, 2}};
  for (int64_t inputRows : {4, 5})
    for (const RowTaps &one : windows)
      for (const RowTaps &two : windows)
        for (int64_t channels : {1, 3}) {
          TinyNetwork network = {
              {{}, channels}, {one, 4 - channels}, {two, 2}, {{}, 1}};
          int64_t fewest = Search(network, inputRows).findFewest();
          int64_t bound = findBound(network, inputRows);
          EXPECT_LE(bound, fewest)
              << inputRows << " rows, " << channels << " channels, windows of "
              << one.taps << " by " << one.stride << " and " << two.taps
              << " by " << two.stride;
          ++count;
          equal += bound == fewest;
        }
  // As a bound of 0 would not be.
  EXPECT_GE(equal * 10, count * 7) << equal << " of " << count;
}

// I4, I6
TEST_F(ArenaBoundSearchTest, NoScheduleOfASkipTakesFewerBytes) {
  int count = 0, equal = 0;
  const RowTaps windows[] = {{}, {3, 1, 1, 1}};
  for (int64_t inputRows : {4, 5})
    for (const RowTaps &one : windows)
      for (const RowTaps &two : windows)
        for (int64_t channels : {1, 3}) {
          TinyNetwork network = {
              {{}, 2}, {one, channels}, {two, 2}, {{}, 2, 1}};
          int64_t fewest = Search(network, inputRows).findFewest();
          int64_t bound = findBound(network, inputRows);
          EXPECT_LE(bound, fewest)
              << inputRows << " rows, " << channels << " channels, windows of "
              << one.taps << " by " << one.stride << " and " << two.taps
              << " by " << two.stride;
          ++count;
          equal += bound == fewest;
        }
  EXPECT_GE(equal * 10, count * 7) << equal << " of " << count;
}
