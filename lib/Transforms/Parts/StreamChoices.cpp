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
// Shapes
//===----------------------------------------------------------------------===//

/// Whether the rows that kernels read and write are views of where they are.
bool StreamChoices::areViews(const StreamSchedule &schedule) const {
  if (all.isPlain())
    return true;
  for (const StreamStripe &stripe : schedule.stripes)
    for (size_t vertex = 0; vertex < schedule.end; ++vertex) {
      const StreamVertex &kernel = graph->vertices[vertex];
      auto isView = [&](size_t value, Interval part) {
        const StreamValue &source = graph->values[value];
        Interval columns = {0, source.map->columns};
        if (source.producer && !schedule.getBuffer(*source.producer).isResult)
          columns = stripe[*source.producer];
        // Moves take any address in system memory.
        bool isLocal =
            source.producer
                ? graph->vertices[*source.producer].op || !source.isReturned
                : llvm::is_contained(range.inside, made->origins[value]);
        size_t origin = made->origins[value];
        SmallVector<int64_t> shape =
            llvm::to_vector(all.values[origin].desc.shape);
        size_t row = shape.size() - 3;
        shape[row] = 2;
        shape[row + 1] = columns.size();
        SmallVector<int64_t> offsets(shape.size(), 0), sizes(shape);
        offsets[row] = ShapedType::kDynamic;
        sizes[row] = 1;
        offsets[row + 1] = part.lower - columns.lower;
        sizes[row + 1] = part.size();
        return !isLocal || all.areViews(origin, shape, offsets, sizes);
      };
      if (!isView(kernel.results[0], stripe[vertex]))
        return false;
      for (const RowRead &read : kernel.rowReads)
        if (!isView(read.value,
                    read.columns
                        ? read.columns->of(stripe[vertex])
                        : Interval{0, graph->values[read.value].map->columns}))
          return false;
    }
  return true;
}

StreamChoices::Shape
StreamChoices::makeShape(const StreamSchedule &schedule) const {
  Shape shape;
  shape.shape = schedule.shape;
  shape.costs = schedule.getCosts();
  shape.steps = schedule.steps;
  shape.items = makeItems(schedule);
  std::vector<int64_t> bytes(schedule.end, 0);
  for (auto [number, stripe] : llvm::enumerate(schedule.stripes)) {
    // Stripes of the same sizes, as most inner ones are, take the same bytes.
    auto isAlike = [&, &stripe = stripe](const StreamStripe &other) {
      return llvm::all_of_zip(stripe, other, [](Interval one, Interval two) {
        return one.size() == two.size();
      });
    };
    if (llvm::any_of(ArrayRef(schedule.stripes).take_front(number), isAlike))
      continue;
    for (auto [most, live] :
         llvm::zip_equal(bytes, schedule.getLiveBytes(stripe, 1)))
      most = std::max(most, live);
  }
  shape.maxBytes = *llvm::max_element(bytes);
  for (auto [vertex, live] : llvm::enumerate(bytes)) {
    if (!graph->vertices[vertex].op) {
      shape.movedBytes += getMovedBytes(schedule, vertex);
      continue;
    }
    auto stripes = static_cast<int64_t>(schedule.stripes.size());
    shape.written +=
        static_cast<int64_t>(schedule.getCallRuns(vertex).size()) * stripes;
    shape.calls.push_back(schedule.getCalls(vertex).count * stripes);
    shape.bytes.push_back(live);
  }
  return shape;
}

/// The shape of `steps[step]` rows a step; null if there is none.
const StreamChoices::Shape *StreamChoices::getShape(int64_t stripes,
                                                    size_t step, bool isEven) {
  auto [known, isNew] = shapes.try_emplace({stripes, step, isEven});
  if (!isNew)
    return known->second ? &*known->second : nullptr;
  // Stripes are cut last: all numbers of them share the rest.
  auto [schedule, isFirst] = schedules.try_emplace({step, isEven});
  if (isFirst)
    schedule->second = StreamSchedule::make(
        *graph, 0, graph->vertices.size(),
        {steps[step], isEven, 1, 1, {}, cost.overlap.value_or(0) > 0});
  if (!schedule->second || !schedule->second->cut(stripes) ||
      !areViews(*schedule->second))
    return nullptr;
  known->second = makeShape(*schedule->second);
  return &*known->second;
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
  SmallVector<int64_t> bytes(range.end - range.begin, 0);
  for (const Weights &entry : weights)
    for (size_t user : entry.users)
      bytes[user] += entry.localBytes;
  maxWeightBytes = *llvm::max_element(bytes);
}

/// `shape` with as many weights that stay as fit, those that are read most
/// often first; the others move in for each call. Nothing if it does not fit;
/// `why` says so then, if it is not null.
std::optional<StreamChoice>
StreamChoices::judge(const Shape &shape, int64_t room, std::string *why) const {
  SmallVector<int64_t> bytes(shape.bytes);
  int64_t macs = 0;
  for (size_t user = 0; user < bytes.size(); ++user)
    macs += all.kernels[range.begin + user].macsPerNpu;
  // The calls that read each of the weights.
  SmallVector<std::pair<int64_t, const Weights *>> order;
  for (const Weights &entry : weights) {
    int64_t calls = 0;
    for (size_t user : entry.users) {
      calls += shape.calls[user];
      bytes[user] += entry.localBytes;
    }
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
  if (int64_t bytes = getBytes(); bytes > room) {
    if (why)
      *why = "it takes " + tiling::bytesText(bytes) + " of " +
             tiling::bytesText(room);
    return std::nullopt;
  }
  StreamChoice choice;
  choice.movedBytes = shape.movedBytes;
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
  choice.again = shape.costs.again / all.target.npus;
  choice.calls = shape.costs.calls;
  choice.written = shape.written;
  choice.cost = cost.byte * static_cast<double>(choice.movedBytes) +
                cost.mac * static_cast<double>(macs + choice.again) +
                cost.call * static_cast<double>(choice.calls) +
                cost.code * static_cast<double>(choice.written) +
                cost.shift * static_cast<double>(shape.costs.shiftedBytes) -
                getHidden(shape, isMixed);
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
    const Shape *shape = getShape(stripes, step, isEven);
    return shape && shape->maxBytes <= room;
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
    const Shape *shape = getShape(stripes, *--end, isEven);
    std::optional<StreamChoice> choice =
        shape ? judge(*shape, room) : std::nullopt;
    if (!choice)
      continue;
    if (!best || choice->cost < best->cost)
      best = choice;
    if (choice->allStay)
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
    const Shape *least = getShape(stripes, 0, false);
    if (!least || least->costs.again > least->costs.work / maxAgain)
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
  return judge(makeShape(*schedule), room, why);
}
