// SPDX-License-Identifier: Apache-2.0

#include "StreamChoices.h"

#include "Transforms/TileSelection/TileText.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;
using namespace mli::parts;
using namespace mli::streams;

/// More stripes are not looked at, nor streams that compute more than this part
/// of their products again.
static constexpr int64_t maxStripes = 8, maxAgain = 10;

/// The rows of a step that are tried for a result of `rows` rows, ascending:
/// powers of two, and what divides it, so that no step has fewer.
static SmallVector<int64_t> getStepRows(int64_t rows) {
  SmallVector<int64_t> steps;
  for (int64_t step = 1; step <= rows; ++step)
    if (rows % step == 0 || llvm::isPowerOf2_64(step))
      steps.push_back(step);
  return steps;
}

StreamChoices::StreamChoices(const PartGraph &all, const PartRange &range,
                             const tiling::CostModel &cost)
    : all(all), range(range), cost(cost), made(makeStreamGraph(all, range)),
      graph(made ? &made->graph : nullptr) {
  if (!graph)
    return;
  const StreamVertex &last = graph->vertices.back();
  steps = getStepRows(graph->values[last.results[0]].map->rows);
  for (const StreamVertex &vertex : graph->vertices)
    for (const RowRead &read : vertex.rowReads)
      hasRates |= read.rows.stride != 1;
  findWeights();
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// Finds the weights that kernels of the part read, but for those that are in
/// local memory anyway.
void StreamChoices::findWeights() {
  llvm::SmallDenseMap<Value, size_t> places;
  for (size_t number = range.begin; number < range.end; ++number)
    for (const PartWeights &read : all.kernels[number].weights) {
      if (read.value && llvm::is_contained(range.inside, *read.value))
        continue;
      auto [place, isNew] = places.try_emplace(read.tensor, weights.size());
      if (isNew)
        weights.emplace_back();
      Weights &entry = weights[place->second];
      entry.localBytes = read.localBytes;
      entry.movedBytes = read.movedBytes;
      entry.users.push_back(number - range.begin);
    }
  weightBytes.assign(range.end - range.begin, 0);
  for (const Weights &entry : weights)
    for (size_t user : entry.users)
      weightBytes[user] += entry.localBytes;
  maxWeightBytes = *llvm::max_element(weightBytes);
}

/// `shape`, which fits, of `costs`, with as many weights that stay as fit,
/// those that are read most often first; the others move in for each call.
StreamChoice StreamChoices::judge(const Shape &shape, const ShapeCosts &costs,
                                  int64_t room) const {
  SmallVector<int64_t> bytes(shape.bytes);
  int64_t macs = 0;
  for (size_t user = 0; user < bytes.size(); ++user) {
    bytes[user] += weightBytes[user];
    macs += all.kernels[range.begin + user].macsPerNpu;
  }
  // The calls that read each of the weights.
  SmallVector<std::pair<int64_t, const Weights *>> order;
  for (const Weights &entry : weights) {
    int64_t calls = 0;
    for (size_t user : entry.users)
      calls += costs.calls[user];
    order.emplace_back(calls, &entry);
  }
  llvm::sort(order, [](const auto &one, const auto &other) {
    return std::make_pair(-one.first, one.second->users.front()) <
           std::make_pair(-other.first, other.second->users.front());
  });
  int64_t staying = 0;
  SmallVector<bool> isMixed(bytes.size(), false);
  auto getBytes = [&] {
    return std::max(shape.maxBytes, *llvm::max_element(bytes)) + staying;
  };
  StreamChoice choice;
  choice.movedBytes = costs.movedBytes;
  for (auto [calls, entry] : order) {
    auto stay = [&, entry = entry](int64_t sign) {
      staying += sign * entry->localBytes;
      for (size_t user : entry->users)
        bytes[user] -= sign * entry->localBytes;
    };
    stay(1);
    bool fits = getBytes() <= room;
    if (!fits)
      stay(-1);
    choice.weightBytes += entry->movedBytes;
    choice.movedBytes += entry->movedBytes * (fits ? 1 : calls);
    choice.allStay &= fits;
    if (!fits)
      for (size_t user : entry->users)
        isMixed[user] = true;
  }
  choice.shape = shape.shape;
  choice.bytes = getBytes();
  choice.residentBytes = staying;
  choice.again = costs.all.again / all.target.npus;
  choice.calls = costs.all.calls;
  choice.written = costs.written;
  choice.cost = cost.byte * static_cast<double>(choice.movedBytes) +
                cost.mac * static_cast<double>(macs + choice.again) +
                cost.call * static_cast<double>(choice.calls) +
                cost.code * static_cast<double>(choice.written) +
                cost.shift * static_cast<double>(costs.all.shiftedBytes) -
                getHidden(costs, isMixed);
  return choice;
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// Whether the maps of each vertex fit, all rows of them: most often the first
/// question to a stream.
bool StreamChoices::mayBeWhole(int64_t room) const {
  auto getBytes = [&](size_t value) {
    const MapShape &map = *graph->values[value].map;
    return graph->getBytes(value, map.rows, map.columns);
  };
  return llvm::all_of(graph->vertices, [&](const StreamVertex &vertex) {
    int64_t bytes = 0;
    for (size_t value : vertex.inputs)
      if (graph->values[value].producer)
        bytes += getBytes(value);
    if (!graph->values[vertex.results[0]].isReturned)
      bytes += getBytes(vertex.results[0]);
    return bytes <= room;
  });
}

/// The cheapest stream on `stripes` stripes. More rows make fewer calls, fewer
/// rows leave room for more weights.
std::optional<StreamChoice>
StreamChoices::findCheapest(int64_t stripes, bool isEven, int64_t room) {
  auto fits = [&](size_t step) {
    return this->fits(stripes, step, isEven, room);
  };
  std::optional<StreamChoice> best;
  SmallVector<size_t> numbers;
  for (size_t step = 0; step < steps.size(); ++step)
    numbers.push_back(step);
  auto *end = numbers.end();
  // Of most parts all rows fit, or, of long ones, not even the fewest.
  if (!mayBeWhole(room) || !fits(numbers.back())) {
    if (!fits(0))
      return best;
    end = llvm::partition_point(numbers, fits);
  }
  while (end != numbers.begin()) {
    size_t step = *--end;
    Shape *shape = getShape(stripes, step, isEven);
    if (!shape || shape->minBytes > room)
      continue;
    StreamChoice choice = judge(*shape, getCosts(*shape, step), room);
    bool allStay = choice.allStay;
    if (!best || choice.cost < best->cost)
      best = std::move(choice);
    if (allStay)
      break;
  }
  return best;
}

std::optional<StreamChoice> StreamChoices::findCheapest(int64_t room) {
  std::optional<StreamChoice> best;
  // No shape makes the weights of one kernel fewer.
  if (!graph || maxWeightBytes > room)
    return best;
  for (int64_t stripes = 1; stripes <= maxStripes; ++stripes) {
    for (bool isEven : {false, true}) {
      if (isEven && !hasRates)
        continue;
      std::optional<StreamChoice> choice = findCheapest(stripes, isEven, room);
      if (choice && (!best || choice->cost < best->cost))
        best = choice;
    }
    if (best && best->allStay)
      break;
    const StreamSchedule *fewest = getSchedule(stripes, 0, false);
    if (!fewest || !areViews(*fewest))
      break;
    StreamCosts costs = fewest->getCosts();
    if (costs.again > costs.work / maxAgain)
      break;
  }
  return best;
}

std::optional<StreamChoice>
StreamChoices::find(const StreamShape &shape, int64_t room, std::string *why) {
  auto fail = [&](std::string reason) -> std::optional<StreamChoice> {
    if (why)
      *why = std::move(reason);
    return std::nullopt;
  };
  if (!graph)
    return fail("one of its kernels is computed as a whole");
  StreamShape full = shape;
  full.isBeside = cost.overlap.value_or(0) > 0;
  if (!shape.rings.empty()) {
    // Moves have rings of their own.
    full.rings.clear();
    size_t next = 0;
    for (const StreamVertex &vertex : graph->vertices)
      full.rings.push_back(vertex.op ? shape.rings[next++] : 0);
  }
  std::optional<StreamSchedule> schedule =
      StreamSchedule::make(*graph, 0, graph->vertices.size(), full, why);
  if (!schedule)
    return std::nullopt;
  if (!areViews(*schedule))
    return fail("its rows would not be views in local memory");
  Shape made = makeShape(*schedule);
  if (made.minBytes > room)
    return fail("it takes " + tiling::bytesText(made.minBytes) + " of " +
                tiling::bytesText(room));
  return judge(made, makeCosts(*schedule), room);
}
