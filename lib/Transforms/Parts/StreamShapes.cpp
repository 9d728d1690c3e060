// SPDX-License-Identifier: Apache-2.0
//
// What the shapes of a stream take, and what they cost.

#include "StreamChoices.h"

using namespace mlir;
using namespace mli;
using namespace mli::parts;
using namespace mli::streams;

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
  shape.minBytes = shape.maxBytes;
  for (auto [vertex, live] : llvm::zip_equal(graph->vertices, bytes)) {
    if (!vertex.op)
      continue;
    shape.minBytes =
        std::max(shape.minBytes, live + weightBytes[shape.bytes.size()]);
    shape.bytes.push_back(live);
  }
  return shape;
}

StreamChoices::ShapeCosts
StreamChoices::makeCosts(const StreamSchedule &schedule) const {
  ShapeCosts costs;
  costs.all = schedule.getCosts();
  costs.steps = schedule.steps;
  if (schedule.shape.isBeside)
    costs.items = makeItems(schedule);
  auto stripes = static_cast<int64_t>(schedule.stripes.size());
  for (size_t vertex = 0; vertex < schedule.end; ++vertex) {
    if (!graph->vertices[vertex].op) {
      costs.movedBytes += getMovedBytes(schedule, vertex);
      continue;
    }
    costs.written +=
        static_cast<int64_t>(schedule.getCallRuns(vertex).size()) * stripes;
    costs.calls.push_back(schedule.getCalls(vertex).count * stripes);
  }
  return costs;
}

/// The schedule of `steps[step]` rows a step on `stripes` stripes, in order
/// until its shape is asked for; null if there is none. Valid until it is asked
/// for on other stripes.
StreamSchedule *StreamChoices::getSchedule(int64_t stripes, size_t step,
                                           bool isEven) {
  // Stripes are cut last: all numbers of them share the rest.
  auto [schedule, isFirst] = schedules.try_emplace({step, isEven});
  if (isFirst)
    schedule->second = StreamSchedule::makeInOrder(
        *graph, 0, graph->vertices.size(),
        {steps[step], isEven, 1, 1, {}, cost.overlap.value_or(0) > 0});
  return schedule->second && schedule->second->cut(stripes) ? &*schedule->second
                                                            : nullptr;
}

/// Whether the shape of `steps[step]` rows a step takes at most `room` bytes
/// besides weights. Most that do not are too large in any order.
bool StreamChoices::fits(int64_t stripes, size_t step, bool isEven,
                         int64_t room) {
  if (!shapes.count({stripes, step, isEven})) {
    const StreamSchedule *schedule = getSchedule(stripes, step, isEven);
    if (!schedule || schedule->getLeastPeak() > room)
      return false;
  }
  const Shape *shape = getShape(stripes, step, isEven);
  return shape && shape->maxBytes <= room;
}

/// The shape of `steps[step]` rows a step; null if there is none.
StreamChoices::Shape *StreamChoices::getShape(int64_t stripes, size_t step,
                                              bool isEven) {
  auto [known, isNew] = shapes.try_emplace({stripes, step, isEven});
  if (!isNew)
    return known->second ? &*known->second : nullptr;
  StreamSchedule *schedule = getSchedule(stripes, step, isEven);
  if (!schedule || !areViews(*schedule))
    return nullptr;
  if (early.insert({step, isEven}).second)
    schedule->readEarly();
  known->second = makeShape(*schedule);
  return &*known->second;
}

/// The costs of `shape`, of `steps[step]` rows a step.
const StreamChoices::ShapeCosts &StreamChoices::getCosts(Shape &shape,
                                                         size_t step) {
  if (!shape.costs)
    shape.costs =
        makeCosts(*getSchedule(shape.shape.stripes, step, shape.shape.isEven));
  return *shape.costs;
}
