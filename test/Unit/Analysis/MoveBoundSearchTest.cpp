// SPDX-License-Identifier: Apache-2.0
//
// The bound of moved bytes against all schedules of tiny networks: all cuts,
// all that stays between them, all bands of rows, all weights that stay, and
// passes over the channels.

#include "mli/Analysis/MoveBound.h"

#include "../AllDialects.h"
#include "NetworkText.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <map>

using namespace mlir;
using namespace mli;
using mli::test::NetworkText;
using mli::test::TextMap;

namespace {

/// A kernel that reads the value in front of it, and with `skip` adds another
/// one: value 0 is the argument, and kernel k makes value k + 1.
struct TinyKernel {
  /// Of a convolution without a window; 0 of a relu or sum.
  int64_t channels = 0;
  std::optional<size_t> skip = std::nullopt;
};

using TinyNetwork = std::vector<TinyKernel>;
constexpr int64_t never = std::numeric_limits<int64_t>::max() / 4;

/// Values that are whole in local memory and in system memory, as bits.
struct Placed {
  unsigned local, system;

  bool operator<(const Placed &other) const {
    return std::tie(local, system) < std::tie(other.local, other.system);
  }
};

class Search {
public:
  Search(const TinyNetwork &network, int64_t rows, int64_t channels,
         int64_t capacity)
      : network(network), rows(rows), capacity(capacity),
        channels(1, channels) {
    for (const TinyKernel &kernel : network)
      this->channels.push_back(kernel.channels > 0 ? kernel.channels
                                                   : this->channels.back());
  }

  /// The fewest bytes that all schedules move; `never` if there is none.
  int64_t findFewest() {
    std::vector<std::map<Placed, int64_t>> cuts(network.size() + 1);
    cuts[0][{0, 1}] = 0;
    for (size_t begin = 0; begin < network.size(); ++begin) {
      // A move may be followed by others.
      for (size_t again = 0; again < 2 * network.size(); ++again)
        moveWholes(begin, cuts[begin]);
      for (const auto &[placed, moved] : cuts[begin])
        for (size_t end = begin + 1; end <= network.size(); ++end)
          for (unsigned kept = 0; kept < 1U << (end - begin); ++kept)
            runSegment({begin, end, placed.local, kept << (begin + 1)},
                       placed.system, moved, cuts[end]);
    }
    int64_t fewest = never;
    for (const auto &[placed, moved] : cuts.back())
      if (has(placed.system, network.size()))
        fewest = std::min(fewest, moved);
    return fewest;
  }

private:
  struct Part {
    size_t begin, end;
    /// Values in local memory at the begin, and results that stay there.
    unsigned local, kept;
  };

  static bool has(unsigned set, size_t value) {
    return (set >> value & 1U) != 0;
  }
  int64_t getBytes(size_t value) const { return 2 * rows * channels[value]; }
  int64_t sumBytes(unsigned set) const {
    int64_t bytes = 0;
    for (size_t value = 0; value < channels.size(); ++value)
      bytes += has(set, value) ? getBytes(value) : 0;
    return bytes;
  }
  bool reads(size_t kernel, size_t value) const {
    return kernel == value || network[kernel].skip == value;
  }
  bool isRead(size_t value, size_t begin, size_t end) const {
    for (size_t kernel = begin; kernel < end; ++kernel)
      if (reads(kernel, value))
        return true;
    return false;
  }
  /// Whether something from kernel `step` on needs `value`.
  bool isUsed(size_t value, size_t step) const {
    return value == network.size() || isRead(value, step, network.size());
  }
  /// One output channel: its weights and its bias.
  int64_t getFilterBytes(size_t kernel) const {
    return network[kernel].channels > 0 ? channels[kernel] + 1 : 0;
  }

  void moveWholes(size_t step, std::map<Placed, int64_t> &cut) {
    std::map<Placed, int64_t> next = cut;
    auto add = [&](Placed placed, int64_t moved) {
      auto [known, isNew] = next.try_emplace(placed, moved);
      known->second = std::min(known->second, moved);
    };
    for (const auto &[placed, moved] : cut)
      for (size_t value = 0; value <= step; ++value) {
        unsigned bit = 1U << value;
        if (has(placed.local, value)) {
          add({placed.local, placed.system | bit}, moved + getBytes(value));
          if (has(placed.system, value))
            add({placed.local & ~bit, placed.system}, moved);
        } else if (has(placed.system, value) &&
                   sumBytes(placed.local | bit) <= capacity) {
          add({placed.local | bit, placed.system}, moved + getBytes(value));
        }
      }
    cut = std::move(next);
  }

  void runSegment(const Part &part, unsigned system, int64_t moved,
                  std::map<Placed, int64_t> &cut) {
    unsigned local = 0, saved = system;
    for (size_t value = 0; value <= part.end; ++value) {
      if (!isUsed(value, part.end)) {
        if (has(part.kept, value))
          return;
        continue;
      }
      if (value > part.begin && !has(part.kept, value))
        saved |= 1U << value;
      if (has(part.local | part.kept, value))
        local |= 1U << value;
    }
    int64_t cost = std::min(findFewestByRows(part), findFewestByPasses(part));
    if (cost == never)
      return;
    auto [known, isNew] = cut.try_emplace({local, saved}, moved + cost);
    known->second = std::min(known->second, moved + cost);
  }

  /// Bytes that move whatever the tiles are, without weights.
  int64_t getEnds(const Part &part) const {
    int64_t bytes = 0;
    for (size_t value = 0; value <= part.end; ++value) {
      bool isInput = value <= part.begin && isRead(value, part.begin, part.end);
      bool isResult = value > part.begin && isUsed(value, part.end);
      if ((isInput || isResult) && !has(part.local | part.kept, value))
        bytes += getBytes(value);
    }
    return bytes;
  }

  /// Bands of rows go through all kernels. Of each some filters stay.
  int64_t findFewestByRows(const Part &part) const {
    int64_t whole = sumBytes(part.local | part.kept);
    // An elementwise kernel may write over what it reads.
    if (part.end == part.begin + 1 && network[part.begin].channels == 0 &&
        has(part.kept, part.end))
      for (size_t value = 0; value <= part.begin; ++value)
        if (reads(part.begin, value) && has(part.local, value) &&
            !isUsed(value, part.end)) {
          whole -= getBytes(value);
          break;
        }
    int64_t fewest = never;
    for (int64_t band = 1; band <= rows; ++band) {
      int64_t most = 0;
      for (size_t kernel = part.begin; kernel < part.end; ++kernel)
        most = std::max(most, getBandBytes(part, kernel, band));
      int64_t room = capacity - whole - most;
      if (room >= 0)
        fewest = std::min(fewest, getEnds(part) +
                                      moveWeights(part, part.begin, room,
                                                  (rows + band - 1) / band));
    }
    return fewest;
  }

  /// Bytes of all bands that are there while `kernel` runs.
  int64_t getBandBytes(const Part &part, size_t kernel, int64_t band) const {
    int64_t bytes = 0;
    for (size_t value = 0; value <= kernel + 1; ++value) {
      bool isThere = value == kernel + 1 || isRead(value, kernel, part.end);
      // What others make comes when it is read first.
      bool isWaiting =
          value <= part.begin && !isRead(value, part.begin, kernel + 1);
      if (!isThere || isWaiting || has(part.local | part.kept, value))
        continue;
      // What only moves out is computed channel by channel.
      bool isOut = value > part.begin && !isRead(value, part.begin, part.end);
      bytes += 2 * band * (isOut ? 1 : channels[value]);
    }
    return bytes;
  }

  /// The fewest bytes of weights of the kernels from `kernel` on, in `rounds`
  /// rounds: those that do not stay move one filter at a time.
  int64_t moveWeights(const Part &part, size_t kernel, int64_t room,
                      int64_t rounds, int64_t largest = 0) const {
    if (room < largest)
      return never;
    if (kernel == part.end)
      return 0;
    int64_t fewest = never, filter = getFilterBytes(kernel);
    int64_t filters = filter > 0 ? channels[kernel + 1] : 0;
    for (int64_t stay = 0; stay <= filters; ++stay) {
      int64_t others =
          moveWeights(part, kernel + 1, room - stay * filter, rounds,
                      stay < filters ? std::max(largest, filter) : largest);
      fewest = std::min(fewest,
                        others + filter * (stay + (filters - stay) * rounds));
    }
    return fewest;
  }

  /// A convolution, some of its channels after the other: each pass reads all
  /// rows, one at a time, and computes a channel at a time.
  int64_t findFewestByPasses(const Part &part) const {
    size_t kernel = part.begin;
    if (part.end != kernel + 1 || network[kernel].channels == 0)
      return never;
    bool movesIn = !has(part.local, kernel), isKept = has(part.kept, part.end);
    int64_t fewest = never, all = channels[part.end];
    for (int64_t count = 1; count <= all; ++count) {
      int64_t bytes = sumBytes(part.local | part.kept) +
                      count * getFilterBytes(kernel) +
                      (movesIn ? 2 * channels[kernel] : 0) + (isKept ? 0 : 2);
      int64_t passes = (all + count - 1) / count;
      if (bytes <= capacity)
        fewest = std::min(fewest,
                          getEnds(part) + all * getFilterBytes(kernel) +
                              (movesIn ? (passes - 1) * getBytes(kernel) : 0));
    }
    return fewest;
  }

  const TinyNetwork &network;
  int64_t rows, capacity;
  /// Of each value.
  std::vector<int64_t> channels;
};

class MoveBoundSearchTest : public testing::Test {
protected:
  int64_t findBound(const TinyNetwork &network, int64_t rows, int64_t channels,
                    int64_t capacity) {
    NetworkText text(rows, channels);
    std::vector<TextMap> values = {text.input};
    for (const TinyKernel &kernel : network)
      values.push_back(
          kernel.skip           ? text.add(values[*kernel.skip], values.back())
          : kernel.channels > 0 ? text.conv(values.back(), {}, kernel.channels)
                                : text.relu(values.back()));
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(text.finish({values.back()}), &context);
    layout::Target target;
    target.npus = 1;
    target.npuBytes = capacity;
    return *boundMovedBytes(*module->getOps<func::FuncOp>().begin(), target);
  }

  /// Compares the bound of `network` with all schedules, for all memories that
  /// change something.
  void compare(const TinyNetwork &network, int64_t rows, int64_t channels) {
    int64_t least = findBound(network, rows, channels, 1 << 20);
    for (int64_t capacity = 8; capacity < 4096; capacity += capacity / 4) {
      int64_t fewest = Search(network, rows, channels, capacity).findFewest();
      if (fewest == never)
        continue;
      int64_t bound = findBound(network, rows, channels, capacity);
      EXPECT_LE(bound, fewest) << rows << " rows, " << channels << " channels, "
                               << capacity << " bytes";
      if (fewest == least)
        break;
      fewestAgain += fewest - least;
      boundAgain += bound - least;
      maxShare = std::max(maxShare, static_cast<double>(bound - least) /
                                        static_cast<double>(fewest - least));
    }
  }

  /// Bytes that move more than once, of all networks and memories.
  int64_t fewestAgain = 0, boundAgain = 0;
  /// The greatest share that the bound has of them.
  double maxShare = 0;
  MLIRContext context{test::allDialects()};
};

} // namespace

// MB5, MB7
TEST_F(MoveBoundSearchTest, NoScheduleOfFewKernelsMovesFewerBytes) {
  for (int64_t rows : {16, 60})
    for (int64_t input : {1, 2, 8})
      for (int64_t one : {8, 24, 48}) {
        compare({{one}}, rows, input);
        for (int64_t two : {1, 16})
          compare({{one}, {two}}, rows, input);
      }
  // A bound of what moves once would have nothing of what moves again.
  EXPECT_GE(boundAgain * 5, fewestAgain * 2);
  EXPECT_GE(maxShare, 0.8);
}

// MB3, MB5, MB7
TEST_F(MoveBoundSearchTest, NoScheduleOfAChainMovesFewerBytes) {
  for (int64_t rows : {2, 30, 120})
    for (int64_t input : {1, 6})
      for (int64_t one : {2, 9})
        for (int64_t two : {1, 5})
          for (int64_t three : {0, 12})
            compare({{one}, {0}, {two}, {three}}, rows, input);
  EXPECT_GE(boundAgain * 5, fewestAgain);
}

// MB3, MB4, MB7
TEST_F(MoveBoundSearchTest, NoScheduleOfASkipMovesFewerBytes) {
  for (int64_t rows : {2, 30, 120})
    for (int64_t input : {1, 6})
      for (int64_t one : {2, 5})
        for (int64_t two : {3, 12})
          compare({{one}, {two}, {one}, {0, 1}, {2}}, rows, input);
  EXPECT_GE(boundAgain * 4, fewestAgain);
}
