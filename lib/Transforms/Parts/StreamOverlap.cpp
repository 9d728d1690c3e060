// SPDX-License-Identifier: Apache-2.0
//
// What of the moves of a stream its kernels hide.

#include "StreamChoices.h"

using namespace mlir;
using namespace mli;
using namespace mli::parts;
using namespace mli::streams;

/// A step of `schedule` as mli-double-buffer finds it.
std::vector<StreamChoices::Item>
StreamChoices::makeItems(const StreamSchedule &schedule) const {
  std::vector<size_t> kernels;
  kernels.reserve(graph->vertices.size());
  size_t count = 0;
  for (const StreamVertex &vertex : graph->vertices)
    kernels.push_back(vertex.op ? count++ : count);
  std::vector<Item> items;
  for (ArrayRef<size_t> rest = schedule.getOrder(); !rest.empty();) {
    ArrayRef<size_t> vertices = schedule.takeItem(rest, 0);
    rest = rest.drop_front(vertices.size());
    Item &item = items.emplace_back();
    item.isMove = schedule.isBeside(vertices.front());
    for (size_t vertex : vertices) {
      const StreamVertex &from = graph->vertices[vertex];
      if (from.op)
        item.kernels.push_back(kernels[vertex]);
      else
        item.movedBytes += getMovedBytes(schedule, vertex);
      item.used.append(from.inputs.begin(), from.inputs.end());
      item.used.push_back(from.results[0]);
      item.written.push_back(from.results[0]);
    }
  }
  return items;
}

/// The cost of moves of a shape that kernels hide, but for those with moves of
/// their own.
// ST10
double StreamChoices::getHidden(const ShapeCosts &costs,
                                ArrayRef<bool> isMixed) const {
  double hidden = 0;
  ArrayRef<Item> group;
  auto end = [&] {
    double moves = 0, products = 0;
    for (const Item &item : group) {
      moves += cost.byte * static_cast<double>(item.movedBytes);
      for (size_t kernel : item.kernels)
        products +=
            cost.mac *
            static_cast<double>(all.kernels[range.begin + kernel].macsPerNpu);
    }
    hidden += std::min(moves, products);
  };
  auto intersect = [](ArrayRef<size_t> one, ArrayRef<size_t> other) {
    return llvm::any_of(
        one, [&](size_t value) { return llvm::is_contained(other, value); });
  };
  size_t begin = 0;
  for (size_t number = 0; number < costs.items.size(); ++number) {
    const Item &item = costs.items[number];
    bool isBarrier = llvm::any_of(
        item.kernels, [&](size_t kernel) { return isMixed[kernel]; });
    bool depends = llvm::any_of(group, [&](const Item &other) {
      return other.isMove != item.isMove &&
             (intersect(item.written, other.used) ||
              intersect(item.used, other.written));
    });
    if (isBarrier || depends) {
      end();
      begin = number + (isBarrier ? 1 : 0);
    }
    group = ArrayRef(costs.items).slice(begin, number + 1 - begin);
  }
  end();
  return cost.overlap.value_or(0) * hidden *
         static_cast<double>(costs.steps - 1) /
         static_cast<double>(costs.steps);
}
