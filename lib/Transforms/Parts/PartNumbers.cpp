// SPDX-License-Identifier: Apache-2.0

#include "PartNumbers.h"

using namespace mlir;
using namespace mli;
using namespace mli::parts;
using mli::streams::RowRead;
using mli::streams::StreamValue;
using mli::streams::StreamVertex;
using mli::tiling::DimRange;

PartNumbers::PartNumbers(const PartGraph &all, size_t maxGroup)
    : all(all), ofValues(all.values.size()) {
  for (size_t number = 0; number < all.values.size(); ++number)
    values.push_back(find(describeValue(number)));
  live = all.findLive([&](size_t value) {
    return all.graph.values[value].producer.has_value();
  });
  llvm::DenseMap<Value, size_t> tensors;
  for (size_t number = 0; number < all.kernels.size(); ++number)
    addVertex(number, maxGroup, tensors);
}

int32_t PartNumbers::find(const Numbers &numbers) {
  auto next = static_cast<int32_t>(classes.size());
  return classes.try_emplace(numbers, next).first->second;
}

//===----------------------------------------------------------------------===//
// By themselves
//===----------------------------------------------------------------------===//

static void addRange(const DimRange &range, SmallVectorImpl<int64_t> &numbers) {
  numbers.append({static_cast<int64_t>(range.use.kind), range.use.loop,
                  range.use.isPart, range.use.windowDim, range.size,
                  range.iterations, range.stride, range.extent, range.before,
                  range.groups.filters, range.groups.channels});
}

/// The vertex of `all` that computes what operand `i` of vertex `number` is, by
/// how far in front of that it is; 0 if none does of at most `most`.
static int64_t findMaker(const PartGraph &all, size_t number, size_t i,
                         size_t most) {
  Operation *maker =
      all.kernels[number].numbers->op->getOperand(i).getDefiningOp();
  for (size_t distance = 1; distance <= std::min(most, number); ++distance)
    if (all.graph.vertices[number - distance].op == maker)
      return static_cast<int64_t>(distance);
  return 0;
}

/// What the tiles and the streams of a part need of a vertex, but for its
/// values.
PartNumbers::Numbers PartNumbers::describeVertex(size_t number,
                                                 size_t maxGroup) const {
  const StreamVertex &vertex = all.graph.vertices[number];
  const PartKernel &kernel = all.kernels[number];
  Numbers numbers = {/*of a vertex*/ 0,
                     vertex.obstacle.empty(),
                     kernel.numbers ? kernel.numbersClass : -1,
                     vertex.hasStripes,
                     vertex.isMovedIn,
                     vertex.isMovedOut,
                     vertex.work,
                     vertex.scratchBytes,
                     kernel.macsPerNpu,
                     static_cast<int64_t>(vertex.results.size()),
                     static_cast<int64_t>(vertex.wholeInputs.size()),
                     static_cast<int64_t>(vertex.replaceable.size()),
                     static_cast<int64_t>(vertex.rowReads.size())};
  for (const RowRead &read : vertex.rowReads) {
    bool isWhole = read.operand < kernel.values.size() &&
                   kernel.values[read.operand] == read.value;
    numbers.append({isWhole, read.columns.has_value()});
    addRange(read.rows, numbers);
    if (read.columns)
      addRange(*read.columns, numbers);
  }
  for (const PartWeights &read : kernel.weights)
    numbers.append({read.localBytes, read.movedBytes, read.value.has_value()});
  for (auto [i, value] : llvm::enumerate(kernel.values))
    numbers.append(
        {value.has_value(), findMaker(all, number, i, maxGroup - 1)});
  return numbers;
}

/// What they need of a value, but for where it is used.
PartNumbers::Numbers PartNumbers::describeValue(size_t number) const {
  const StreamValue &value = all.graph.values[number];
  const PartValue &local = all.values[number];
  Numbers numbers = {/*of a value*/ 1,
                     local.isSaved,
                     local.isReadAlike,
                     static_cast<int64_t>(local.desc.role),
                     local.desc.elementBytes,
                     local.desc.cutsGroups,
                     value.map.has_value()};
  if (value.map)
    numbers.append({value.map->rowDim, value.map->rows, value.map->columns,
                    value.map->rowBytes});
  llvm::append_range(numbers, local.desc.shape);
  return numbers;
}

void PartNumbers::addVertex(size_t number, size_t maxGroup,
                            llvm::DenseMap<Value, size_t> &tensors) {
  const StreamVertex &from = all.graph.vertices[number];
  const PartKernel &kernel = all.kernels[number];
  Vertex &vertex = vertices.emplace_back();
  vertex.own = find(describeVertex(number, maxGroup));
  for (const RowRead &read : from.rowReads)
    vertex.values.push_back(read.value);
  for (const auto &list : {ArrayRef(from.wholeInputs),
                           ArrayRef(from.replaceable), ArrayRef(from.results)})
    vertex.values.append(list.begin(), list.end());
  for (const PartWeights &read : kernel.weights)
    if (read.value)
      vertex.values.push_back(*read.value);
  for (std::optional<size_t> value : kernel.values)
    if (value)
      vertex.values.push_back(*value);
  for (const PartWeights &read : kernel.weights) {
    auto [tensor, isNew] = tensors.try_emplace(read.tensor, ofWeights.size());
    if (isNew)
      ofWeights.emplace_back();
    vertex.weights.push_back(tensor->second);
  }
  vertex.from = number;
  auto meet = [&](Meetings &meetings) {
    if (meetings.vertices.empty() || meetings.vertices.back() != number)
      meetings.vertices.push_back(number);
    vertex.from = std::min(vertex.from, meetings.vertices.front());
  };
  for (size_t value : vertex.values) {
    meet(ofValues[value]);
    if (all.graph.values[value].producer != number &&
        !llvm::is_contained(vertex.read, value))
      vertex.read.push_back(value);
  }
  for (size_t tensor : vertex.weights)
    meet(ofWeights[tensor]);
}

//===----------------------------------------------------------------------===//
// In a part
//===----------------------------------------------------------------------===//

/// What vertex `number` is in `range`: its values and weights by where they are
/// met first, or, there, by what they are.
PartNumbers::Numbers PartNumbers::describe(size_t number,
                                           const PartRange &range) const {
  const Vertex &vertex = vertices[number];
  Numbers numbers = {/*in a part*/ 2, vertex.own};
  auto getPlace = [](ArrayRef<size_t> list, size_t one) {
    return static_cast<int64_t>(llvm::find(list, one) - list.begin());
  };
  for (auto [i, value] : llvm::enumerate(vertex.values)) {
    size_t first = ofValues[value].findFirst(range.begin);
    int64_t place = getPlace(vertices[first].values, value);
    if (first < number || place < static_cast<int64_t>(i)) {
      numbers.append({static_cast<int64_t>(number - first), place});
      continue;
    }
    const StreamValue &from = all.graph.values[value];
    bool isComputed = from.producer && *from.producer >= range.begin;
    // Distances are not negative.
    numbers.append({isComputed                                ? -1
                    : llvm::is_contained(range.inside, value) ? -2
                                                              : -3,
                    values[value]});
  }
  for (size_t tensor : vertex.weights) {
    size_t first = ofWeights[tensor].findFirst(range.begin);
    numbers.append({static_cast<int64_t>(number - first),
                    getPlace(vertices[first].weights, tensor)});
  }
  return numbers;
}

int32_t PartNumbers::getNumber(size_t number, const PartRange &range) {
  Vertex &vertex = vertices[number];
  size_t begin = std::max(range.begin, vertex.from);
  SmallVector<size_t, 2> inside;
  for (size_t value : vertex.read)
    if (llvm::is_contained(range.inside, value))
      inside.push_back(value);
  for (const Known &known : vertex.known)
    if (known.begin == begin && known.inside == inside)
      return known.number;
  int32_t found = find(describe(number, range));
  vertex.known.push_back({begin, std::move(inside), found});
  return found;
}

ArrayRef<int32_t> PartNumbers::get(const PartRange &range) {
  assert(all.isPlain() && "expected one NPU");
  last.clear();
  for (size_t number = range.begin; number < range.end; ++number)
    last.push_back(getNumber(number, range));
  // What lives on, and where it is computed.
  last.push_back(-1);
  for (size_t value : live[range.end]) {
    size_t producer = *all.graph.values[value].producer;
    if (producer < range.begin)
      continue;
    ArrayRef<size_t> results = all.graph.vertices[producer].results;
    last.append(
        {static_cast<int32_t>(range.end - producer),
         static_cast<int32_t>(llvm::find(results, value) - results.begin()),
         llvm::is_contained(range.kept, value)});
  }
  return last;
}
