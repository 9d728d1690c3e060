// SPDX-License-Identifier: Apache-2.0
//
// The column stripes that a stream runs on, and what it then takes and costs.

#include "StreamSchedule.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;
using namespace mli::streams;

/// Stripe `number` of `count`: an equal part of each result, and of all others
/// what that takes. Nothing if some kernel has no such columns.
// ST6
std::optional<StreamStripe> StreamSchedule::makeStripe(int64_t number,
                                                       int64_t count) const {
  StreamStripe stripe(end - begin, {0, 0});
  for (size_t vertex = end; vertex-- > begin;) {
    const StreamVertex &kernel = graph->vertices[vertex];
    int64_t columns = graph->values[kernel.results[0]].map->columns;
    Interval &range = stripe[vertex - begin];
    if (count == 1) {
      range = {0, columns};
      continue;
    }
    if (getBuffer(vertex).isResult) {
      Interval part = {columns * number / count,
                       columns * (number + 1) / count};
      if (part.isEmpty())
        return std::nullopt;
      if (range.isEmpty())
        range = part;
      else
        range.extend(part);
    }
    if (range.isEmpty() || !kernel.hasStripes)
      return std::nullopt;
    for (const RowRead &read : kernel.rowReads) {
      const StreamValue &value = graph->values[read.value];
      if (!computes(value))
        continue;
      Interval needed = read.columns->of(range);
      Interval &source = stripe[*value.producer - begin];
      if (source.isEmpty())
        source = needed;
      else
        source.extend(needed);
    }
  }
  return stripe;
}

bool StreamSchedule::cut(int64_t count) {
  std::vector<StreamStripe> parts;
  for (int64_t number = 0; number < count; ++number) {
    std::optional<StreamStripe> stripe = makeStripe(number, count);
    if (!stripe)
      return false;
    parts.push_back(std::move(*stripe));
  }
  stripes = std::move(parts);
  shape.stripes = count;
  return true;
}

int64_t StreamSchedule::getShiftedBytes(size_t vertex, int64_t rowBytes) const {
  const StreamBuffer &buffer = getBuffer(vertex);
  if (!buffer.isCarried || buffer.keep == 0)
    return 0;
  return buffer.keep * rowBytes *
         (steps * loops[buffer.loop].perStep / buffer.room);
}

StreamCosts StreamSchedule::getCosts() const {
  StreamCosts costs;
  for (size_t vertex = begin; vertex < end; ++vertex) {
    const StreamVertex &kernel = graph->vertices[vertex];
    const MapShape &map = *graph->values[kernel.results[0]].map;
    int64_t columns = 0;
    for (const StreamStripe &stripe : stripes)
      columns += stripe[vertex - begin].size();
    int64_t work = kernel.work / map.columns * columns;
    costs.calls +=
        getCalls(vertex).count * static_cast<int64_t>(stripes.size());
    costs.work += work;
    costs.again += std::max<int64_t>(0, work - kernel.work);
    costs.shiftedBytes +=
        getShiftedBytes(vertex, map.rowBytes / map.columns * columns);
  }
  return costs;
}

int64_t StreamSchedule::getRowBytes(size_t vertex,
                                    const StreamStripe &stripe) const {
  const MapShape &map = *graph->values[graph->vertices[vertex].results[0]].map;
  return map.rowBytes / map.columns * stripe[vertex - begin].size();
}

int64_t StreamSchedule::getBytes(size_t vertex,
                                 const StreamStripe &stripe) const {
  size_t value = graph->vertices[vertex].results[0];
  const StreamBuffer &buffer = getBuffer(vertex);
  if (buffer.isResult)
    return graph->values[value].bytes;
  return graph->getBytes(value, buffer.rows, stripe[vertex - begin].size());
}

bool StreamSchedule::isFilled(size_t vertex) const {
  const StreamBuffer &buffer = getBuffer(vertex);
  if (buffer.isResult)
    return isWhole(vertex);
  int64_t all = graph->values[graph->vertices[vertex].results[0]].map->rows;
  int64_t rows = std::min(getCalls(vertex).rows, all);
  return !buffer.isCarried && buffer.rows == rows && all % rows == 0;
}

/// Whether the buffer of `vertex`, of those of a stripe that have `sizes`, may
/// lie on one that nothing uses any more.
bool StreamSchedule::isInPlace(size_t vertex, ArrayRef<int64_t> sizes) const {
  const StreamBuffer &buffer = getBuffer(vertex);
  auto place = static_cast<int64_t>(places[vertex - begin]);
  if (!isFilled(vertex) || buffer.lifetime.lower != place)
    return false;
  return llvm::any_of(graph->vertices[vertex].replaceable, [&](size_t input) {
    const StreamValue &value = graph->values[input];
    return computes(value) && isFilled(*value.producer) &&
           getBuffer(*value.producer).lifetime.upper == place + 1 &&
           sizes[*value.producer - begin] == sizes[vertex - begin];
  });
}

int64_t StreamSchedule::getPeak(int64_t alignment) const {
  int64_t most = 0;
  for (const StreamStripe &stripe : stripes)
    most = std::max(most, getPeak(stripe, alignment));
  return most;
}

std::vector<int64_t> StreamSchedule::getLiveBytes(const StreamStripe &stripe,
                                                  int64_t alignment) const {
  // The bytes that are there at each place, and what it computes in place.
  std::vector<int64_t> live(end - begin + 1, 0), saved(end - begin, 0);
  SmallVector<int64_t> sizes;
  for (size_t vertex = begin; vertex < end; ++vertex)
    sizes.push_back(getBytes(vertex, stripe));
  for (size_t vertex = begin; vertex < end; ++vertex) {
    Interval lifetime = getBuffer(vertex).lifetime;
    auto size =
        static_cast<int64_t>(llvm::alignTo(sizes[vertex - begin], alignment));
    live[lifetime.lower] += size;
    live[lifetime.upper] -= size;
    if (isInPlace(vertex, sizes))
      saved[places[vertex - begin]] = size;
  }
  std::vector<int64_t> bytes(end - begin);
  int64_t now = 0;
  for (auto [place, vertex] : llvm::enumerate(order)) {
    now += live[place];
    bytes[vertex - begin] =
        now - saved[place] + graph->vertices[vertex].scratchBytes;
  }
  return bytes;
}

int64_t StreamSchedule::getPeak(const StreamStripe &stripe,
                                int64_t alignment) const {
  return *llvm::max_element(getLiveBytes(stripe, alignment));
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// What the buffer of `vertex` takes at least: the rows of one of its calls, or
/// of one of a reader.
int64_t StreamSchedule::getLeastBytes(size_t vertex,
                                      const StreamStripe &stripe) const {
  size_t value = graph->vertices[vertex].results[0];
  if (graph->values[value].livesAt(end))
    return graph->values[value].bytes;
  int64_t rows = getCalls(vertex).rows;
  forEachReader(vertex, [&](size_t, CallRows read) {
    rows = std::max(rows, read.upper - read.lower);
  });
  return graph->getBytes(value, std::min(rows, graph->values[value].map->rows),
                         stripe[vertex - begin].size());
}

/// Whether rows of `vertex` are kept from one step to the next, in any order: a
/// call of some reader reads those that the one before it has read, or they
/// move in behind the kernels that read them.
bool StreamSchedule::isKept(size_t vertex) const {
  bool isAgain = graph->vertices[vertex].isMovedIn && isBeside(vertex);
  forEachReader(vertex, [&](size_t, CallRows read) {
    isAgain |= read.upper - read.lower > read.step;
  });
  return isAgain;
}

int64_t StreamSchedule::getLeastPeak() const {
  const StreamStripe &stripe = stripes[stripes.size() / 2];
  int64_t all = graph->values[graph->vertices[end - 1].results[0]].map->rows;
  bool hasSteps = rowsOfStep.back() < all;
  // What is there all the time, and what each other vertex adds to that.
  int64_t kept = 0;
  SmallVector<int64_t> sizes;
  for (size_t vertex = begin; vertex < end; ++vertex) {
    int64_t bytes = getLeastBytes(vertex, stripe);
    bool isRing = hasSteps && isKept(vertex);
    kept += isRing ? bytes : 0;
    sizes.push_back(isRing ? 0 : bytes);
  }
  int64_t most = 0;
  for (size_t vertex = begin; vertex < end; ++vertex) {
    const StreamVertex &kernel = graph->vertices[vertex];
    int64_t bytes = kernel.scratchBytes;
    // What may be computed in place adds nothing.
    if (kernel.replaceable.empty())
      bytes += sizes[vertex - begin];
    for (size_t input : kernel.inputs)
      if (const StreamValue &value = graph->values[input]; computes(value))
        bytes += sizes[*value.producer - begin];
    most = std::max(most, bytes);
  }
  return kept + most;
}
