// SPDX-License-Identifier: Apache-2.0
//
// Where the rows of a stream are kept, and the bytes that this takes.

#include "StreamSchedule.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;
using namespace mli::streams;

/// The places of the item of `loop`, a kernel or a loop, that `vertex` is in.
Interval StreamSchedule::getItem(size_t vertex, size_t loop) const {
  auto place = static_cast<int64_t>(places[vertex - begin]);
  Interval item = {place, place + 1};
  for (size_t inner = getCalls(vertex).loop; inner != loop;
       inner = loops[inner].parent)
    item = {static_cast<int64_t>(loops[inner].begin),
            static_cast<int64_t>(loops[inner].end)};
  return item;
}

/// The places from the first to the last of the items of `loop` that `vertex`
/// and its readers are in.
Interval StreamSchedule::getLifetime(size_t vertex, size_t loop) const {
  Interval lifetime = getItem(vertex, loop);
  size_t value = graph->vertices[vertex].results[0];
  for (size_t user : graph->values[value].users)
    if (isInside(user))
      lifetime.extend(getItem(user, loop));
  return lifetime;
}

Interval StreamSchedule::getSpan(size_t vertex) const {
  return steps == 1 ? getItem(vertex, 0)
                    : Interval{0, static_cast<int64_t>(order.size())};
}

// ST5
void StreamSchedule::placeBuffer(size_t vertex) {
  size_t number = graph->vertices[vertex].results[0];
  const StreamValue &value = graph->values[number];
  const StreamCalls &made = calls[vertex - begin];
  StreamBuffer &buffer = buffers[vertex - begin];
  buffer.lifetime = {0, static_cast<int64_t>(order.size())};
  buffer.rows = value.map->rows;
  if (value.livesAt(end)) {
    buffer.isResult = true;
    return;
  }
  // The rows up to the last one there, from the first one that is read: where
  // rows move up in the loop of the kernel, and in the one around all readers.
  size_t outer = made.loop;
  bool isByRow = made.rows == 1, isReadEarly = false;
  forEachReader(vertex, [&](size_t reader, CallRows rows) {
    isByRow &= rows.upper - rows.lower == 1;
    outer = findCommonLoop(outer, calls[reader - begin].loop);
    isReadEarly |= isInFront(reader, vertex);
  });
  int64_t inInner = made.rows, inOuter = rowsOfIteration(vertex, outer);
  forEachReader(vertex, [&](size_t reader, CallRows rows) {
    const StreamCalls &its = calls[reader - begin];
    int64_t kept = made.first * made.rows - its.first * rows.step - rows.lower;
    size_t common = findCommonLoop(made.loop, its.loop);
    kept -= rowsBetween(vertex, reader);
    inInner = std::max(inInner, kept + rowsOfIteration(vertex, common));
    inOuter = std::max(inOuter, kept + rowsOfIteration(vertex, outer));
  });
  bool isInner = inInner < inOuter;
  buffer.loop = isInner ? made.loop : outer;
  buffer.rows = isInner ? inInner : inOuter;
  buffer.step = rowsOfIteration(vertex, buffer.loop);
  // Nothing is carried from a single step to the next.
  bool isOnce = outer == 0 && steps == 1;
  buffer.isCarried =
      isInner || (!isOnce && (isReadEarly || inOuter > buffer.step));
  if (!buffer.isCarried)
    buffer.lifetime = getLifetime(vertex, outer);
  else if (steps == 1)
    buffer.lifetime = getLifetime(vertex, 0);
  if (buffer.rows >= value.map->rows) {
    buffer.rows = value.map->rows;
    return;
  }
  if (isByRow && (buffer.isCarried || buffer.rows < buffer.step)) {
    buffer.index = StreamBuffer::Index::Modulo;
    return;
  }
  // Rows that nobody reads have a place as well.
  if (!buffer.isCarried)
    buffer.rows = buffer.step;
  buffer.index = StreamBuffer::Index::Base;
  buffer.base = buffer.step + made.first * made.rows - buffer.rows;
  if (!buffer.isCarried)
    return;
  buffer.keep = buffer.rows - buffer.step;
  if (!isInner) {
    int64_t room = buffer.rows + (shape.room - 1) * buffer.step;
    if (room < value.map->rows) {
      buffer.rows = room;
      buffer.room = shape.room;
    }
  }
}

/// Gives the ring of `vertex` `rows` rows. Returns whether it is one, and they
/// are enough, and no more than all.
bool StreamSchedule::resizeRing(size_t vertex, int64_t rows, std::string *why) {
  StreamBuffer &buffer = buffers[vertex - begin];
  bool isRing = buffer.isCarried && !buffer.isResult &&
                buffer.index != StreamBuffer::Index::Row;
  int64_t least = buffer.rows - (buffer.room - 1) * buffer.step;
  int64_t most = graph->values[graph->vertices[vertex].results[0]].map->rows;
  if (!isRing || rows < least || rows > most) {
    std::string kernel = "kernel " + std::to_string(vertex - begin);
    if (why)
      *why = !isRing
                 ? kernel + " of it has no ring"
                 : "the ring of " + kernel + " has " + std::to_string(least) +
                       " to " + std::to_string(most) + " rows, but got " +
                       std::to_string(rows);
    return false;
  }
  buffer.rows = rows;
  // Readers behind the loop that moves rows up do not know how far it is.
  bool isInner = false;
  forEachReader(vertex, [&](size_t reader, CallRows) {
    isInner |=
        findCommonLoop(calls[reader - begin].loop, buffer.loop) != buffer.loop;
  });
  if (buffer.index == StreamBuffer::Index::Base && !isInner)
    buffer.room = 1 + (rows - least) / buffer.step;
  return true;
}

bool StreamSchedule::placeBuffers(std::string *why) {
  for (size_t vertex = begin; vertex < end; ++vertex) {
    placeBuffer(vertex);
    int64_t rows = shape.rings.empty() ? 0 : shape.rings[vertex - begin];
    if (rows != 0 && !resizeRing(vertex, rows, why))
      return false;
  }
  return true;
}
