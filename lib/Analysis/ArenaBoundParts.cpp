// SPDX-License-Identifier: Apache-2.0

#include "ArenaBoundParts.h"

#include <limits>
#include <numeric>

using namespace mlir;
using namespace mli;
using namespace mli::bound;

static constexpr int64_t tooMany = std::numeric_limits<int64_t>::max();

Parts::Parts(const Graph &graph)
    : graph(graph), kept(findKeptRows(graph)),
      liveBytes(graph.steps.size() + 1, 0) {
  // Changes first, then their sums.
  for (const ArenaValue &value : graph.values) {
    size_t begin = value.maker ? *value.maker + 1 : 0;
    if (begin > value.liveUntil || begin >= graph.steps.size())
      continue;
    liveBytes[begin] += value.bytes;
    if (value.liveUntil < graph.steps.size())
      liveBytes[value.liveUntil + 1] -= value.bytes;
  }
  std::partial_sum(liveBytes.begin(), liveBytes.end(), liveBytes.begin());
}

// I5
Part Parts::getWhole(size_t number) const {
  const Step &step = graph.steps[number];
  int64_t bytes = liveBytes[number] + step.calleeBytes;
  for (size_t result : step.results) {
    const ArenaValue &value = graph.values[result];
    bool isInPlace = llvm::any_of(step.replaceable, [&](size_t input) {
      return graph.values[input].bytes == value.bytes &&
             graph.values[input].liveUntil <= number;
    });
    if (!isInPlace)
      bytes += value.bytes;
  }
  return {number, number + 1, bytes, 0};
}

//===----------------------------------------------------------------------===//
// Stripes
//===----------------------------------------------------------------------===//

namespace {

/// The least bytes of one stripe, which is not the last one, for each begin:
/// its kernels are cut as those of a function are, but what parts of it hand on
/// to each other has its columns only.
class StripeCuts {
public:
  StripeCuts(const Graph &graph, ArrayRef<KeptRows> kept,
             ArrayRef<int64_t> liveBytes, const Stripe &stripe, size_t first,
             size_t end)
      : graph(graph), kept(kept), liveBytes(liveBytes), stripe(stripe),
        first(first), end(end), live(end - first + 1, 0),
        results(end - first + 1, 0), rest(end - first + 1, tooMany),
        fewest(end - first + 1, tooMany) {
    rest.back() = 0;
    for (size_t step = first; step < end; ++step) {
      const ArenaValue &value = getResult(step);
      results[step + 1 - first] = value.isUsedFrom(end) ? value.bytes : 0;
      live[step + 1 - first] += stripe.getBytes(value);
      live[getLast(value) + 1 - first] -= stripe.getBytes(value);
    }
    std::partial_sum(live.begin(), live.end(), live.begin());
    std::partial_sum(results.begin(), results.end(), results.begin());
  }

  /// The bytes by begin, from `first` on; those of at least `most` may be less.
  ArrayRef<int64_t> find(int64_t most) {
    for (size_t cut = end; cut > first; --cut) {
      if (rest[cut - first] >= most)
        continue;
      crossing = live[cut - first];
      Stream stream(graph, kept, cut, &stripe);
      for (size_t begin = cut; begin-- > first;) {
        const ArenaValue &value = getResult(begin);
        if (getLast(value) >= cut)
          crossing -= stripe.getBytes(value);
        stream.grow();
        if (begin + 1 == cut)
          add(cut, begin, getWholeBytes(begin));
        else
          add(cut, begin, stream.getWholeBytes() + stream.getRowBytes());
        if (stream.getLeastBytes() >= most)
          break;
      }
    }
    return fewest;
  }

private:
  const ArenaValue &getResult(size_t step) const {
    return graph.values[graph.steps[step].results.front()];
  }
  /// The last step of the stripe that uses `value`, or makes it.
  size_t getLast(const ArenaValue &value) const {
    return value.isUsedFrom(end) || value.users.empty() ? *value.maker
                                                        : value.users.back();
  }
  int64_t getWholeBytes(size_t step) const;
  void add(size_t cut, size_t begin, int64_t bytes);

  const Graph &graph;
  ArrayRef<KeptRows> kept;
  ArrayRef<int64_t> liveBytes;
  const Stripe &stripe;
  size_t first, end;
  /// From step `first` on, in front of each step: columns of the stripe that
  /// are live, and whole results that are made. For the stripe from there on,
  /// the fewest bytes of both and of its rows; and with all that is live if the
  /// stripe begins there.
  std::vector<int64_t> live, results, rest, fewest;
  /// What is live in front of a cut and made in front of a begin.
  int64_t crossing = 0;
};

} // namespace

/// The bytes of the result of a step that computes all rows at once.
int64_t StripeCuts::getWholeBytes(size_t step) const {
  int64_t bytes = stripe.getBytes(getResult(step)), replaced = 0;
  for (size_t input : graph.steps[step].replaceable) {
    const ArenaValue &value = graph.values[input];
    if (value.maker && *value.maker >= first && getLast(value) == step)
      replaced = std::max(replaced, stripe.getBytes(value));
  }
  return bytes - std::min(bytes, replaced);
}

/// Adds the part from `begin` to `cut`, whose own values take `bytes`, as one
/// of a stripe, and as the first one of a stripe.
void StripeCuts::add(size_t cut, size_t begin, int64_t bytes) {
  int64_t now = results[cut - first] + bytes, behind = rest[cut - first];
  int64_t &best = rest[begin - first];
  best = std::min(best, std::max(behind, live[begin - first] + now));
  // What is made in front of the stripe is whole, and does not count twice.
  int64_t &all = fewest[begin - first];
  all = std::min(all, liveBytes[begin] - results[begin - first] +
                          std::max(now, behind - crossing));
}

// I7
std::vector<Part> Parts::getStriped(size_t end, int64_t count,
                                    const ArenaBoundOptions &options,
                                    int64_t most) const {
  SmallVector<Stripe> stripes;
  for (int64_t number = 0; number < count; ++number)
    stripes.emplace_back(graph, end, number, count);
  std::vector<Part> parts;
  int64_t again = 0;
  size_t last = end - std::min(end, options.stripedKernels);
  for (size_t begin = end; begin-- > last;) {
    if (!llvm::all_of(stripes, [](Stripe &stripe) { return stripe.grow(); }))
      break;
    const Step &step = graph.steps[begin];
    int64_t columns = -graph.values[step.results.front()].columns;
    for (const Stripe &stripe : stripes)
      columns += stripe.getColumns(begin).size();
    again += std::max<int64_t>(0, columns * step.columnProducts);
    if (again > options.again)
      break;
    parts.push_back({begin, end, 0, again});
  }
  if (parts.empty())
    return parts;
  // Behind the last one inputs are not needed any more.
  stripes.pop_back();
  size_t first = parts.back().begin;
  for (const Stripe &stripe : stripes) {
    StripeCuts cuts(graph, kept, liveBytes, stripe, first, end);
    ArrayRef<int64_t> fewest = cuts.find(most);
    for (Part &part : parts)
      part.bytes = std::max(part.bytes, fewest[part.begin - first]);
  }
  return parts;
}
