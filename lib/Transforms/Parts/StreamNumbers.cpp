// SPDX-License-Identifier: Apache-2.0
//
// The numbers that the streams of a part follow from.

#include "StreamChoices.h"

using namespace mlir;
using namespace mli;
using namespace mli::parts;
using mli::streams::RowRead;
using mli::streams::StreamValue;
using mli::streams::StreamVertex;
using mli::tiling::DimRange;

StreamNumbers::StreamNumbers(const PartGraph &all)
    : all(all), valuePlaces(all.values.size(), 0) {
  llvm::DenseMap<Value, size_t> tensors;
  for (size_t number = 0; number < all.kernels.size(); ++number) {
    vertices.push_back(find(getVertex(number)));
    SmallVector<size_t, 2> &ofVertex = weights.emplace_back();
    for (const PartWeights &read : all.kernels[number].weights)
      ofVertex.push_back(
          tensors.try_emplace(read.tensor, tensors.size()).first->second);
  }
  for (size_t number = 0; number < all.values.size(); ++number)
    values.push_back(find(getValue(number)));
  weightPlaces.assign(tensors.size(), 0);
}

int32_t StreamNumbers::find(const Numbers &numbers) {
  auto next = static_cast<int32_t>(known.size());
  return known.try_emplace(numbers, next).first->second;
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

/// What the streams of a part need of a vertex, but for its values.
StreamNumbers::Numbers StreamNumbers::getVertex(size_t number) const {
  const StreamVertex &vertex = all.graph.vertices[number];
  const PartKernel &kernel = all.kernels[number];
  Numbers numbers = {/*of a vertex*/ 0,
                     vertex.obstacle.empty(),
                     kernel.numbers.has_value(),
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
  return numbers;
}

/// What they need of a value, but for where it is used.
StreamNumbers::Numbers StreamNumbers::getValue(size_t number) const {
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

//===----------------------------------------------------------------------===//
// In a part
//===----------------------------------------------------------------------===//

/// Adds `value` by where it was met, or, the first time, by what it is.
void StreamNumbers::addValue(const PartRange &range, size_t value) {
  int64_t &place = valuePlaces[value];
  if (place >= base) {
    numbers.push_back(static_cast<int32_t>(place - base));
    return;
  }
  place = next++;
  const StreamValue &from = all.graph.values[value];
  bool isComputed = from.producer && *from.producer >= range.begin;
  if (isComputed)
    computed.push_back(value);
  // Places are not negative.
  numbers.push_back(isComputed                                ? -1
                    : llvm::is_contained(range.inside, value) ? -2
                                                              : -3);
  numbers.push_back(values[value]);
}

void StreamNumbers::addVertex(const PartRange &range, size_t number) {
  const StreamVertex &vertex = all.graph.vertices[number];
  numbers.push_back(vertices[number]);
  for (const RowRead &read : vertex.rowReads)
    addValue(range, read.value);
  for (size_t value : vertex.wholeInputs)
    addValue(range, value);
  for (size_t value : vertex.replaceable)
    addValue(range, value);
  for (size_t value : vertex.results)
    addValue(range, value);
  for (auto [read, tensor] :
       llvm::zip_equal(all.kernels[number].weights, weights[number])) {
    int64_t &place = weightPlaces[tensor];
    if (place < base)
      place = next++;
    numbers.push_back(static_cast<int32_t>(place - base));
    if (read.value)
      addValue(range, *read.value);
  }
}

/// Adds which values of `range` live on behind it, and where.
void StreamNumbers::addLive(const PartRange &range) {
  numbers.push_back(-4);
  for (size_t value : computed)
    if (all.graph.values[value].livesAt(range.end)) {
      numbers.push_back(static_cast<int32_t>(valuePlaces[value] - base));
      numbers.push_back(llvm::is_contained(range.kept, value));
    }
}

/// Whether `range` begins with all vertices of the last part, in which the same
/// values were in local memory before.
bool StreamNumbers::continues(const PartRange &range) const {
  return range.begin == last.begin && range.end >= last.end &&
         llvm::all_of(last.inside,
                      [&](size_t value) {
                        return llvm::is_contained(range.inside, value);
                      }) &&
         llvm::all_of(range.inside, [&](size_t value) {
           return !isMet(value) || llvm::is_contained(last.inside, value);
         });
}

ArrayRef<int32_t> StreamNumbers::get(const PartRange &range) {
  assert(all.isPlain() && "expected one NPU");
  size_t from = last.end;
  numbers.truncate(numVertexNumbers);
  if (!continues(range)) {
    from = range.begin;
    base = next;
    numbers.clear();
    computed.clear();
  }
  for (size_t number = from; number < range.end; ++number)
    addVertex(range, number);
  last = range;
  numVertexNumbers = numbers.size();
  addLive(range);
  return numbers;
}
