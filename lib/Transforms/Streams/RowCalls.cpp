// SPDX-License-Identifier: Apache-2.0
//
// The calls of a kernel of a stream that have equal shapes and padding.

#include "StreamSchedule.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;
using namespace mli::streams;

Interval CallRun::getRows(const RowRead &read) const {
  return read.rows.of({firstRow, firstRow + rows});
}

/// Whether the first call of `next` reads and writes as those of `run` do.
static bool isAlike(const StreamSchedule &schedule, size_t vertex,
                    const CallRun &run, const CallRun &next) {
  const StreamVertex &kernel = schedule.graph->vertices[vertex];
  return run.rows == next.rows &&
         llvm::all_of(kernel.rowReads, [&](const RowRead &read) {
           CallRows rows = schedule.getCallRows(vertex, read);
           int64_t moved = (next.begin - run.begin) * rows.step;
           Interval one = run.getRows(read), other = next.getRows(read);
           // At a border, less is read from there on.
           int64_t end = run.begin * rows.step + rows.upper;
           int64_t otherEnd = next.begin * rows.step + rows.upper;
           return one.lower + moved == other.lower &&
                  one.size() == other.size() &&
                  end - one.upper == otherEnd - other.upper;
         });
}

/// The call behind those from `run.begin` on that read rows of the middle of
/// all maps, and compute as many; that itself if it is at a border.
static int64_t findBorder(const StreamSchedule &schedule, size_t vertex,
                          const CallRun &run, int64_t allRows) {
  int64_t call = run.begin;
  int64_t end = allRows / schedule.getCalls(vertex).rows;
  for (const RowRead &read : schedule.graph->vertices[vertex].rowReads) {
    CallRows rows = schedule.getCallRows(vertex, read);
    if (call * rows.step + rows.lower < 0)
      return call;
    end = std::min(
        end,
        llvm::divideFloorSigned(read.rows.size - rows.upper, rows.step) + 1);
  }
  return std::max(call, end);
}

SmallVector<CallRun> StreamSchedule::getCallRuns(size_t vertex) const {
  const StreamCalls &made = getCalls(vertex);
  const StreamVertex &kernel = graph->vertices[vertex];
  int64_t all = graph->values[kernel.results[0]].map->rows;
  SmallVector<CallRun> runs;
  for (int64_t call = 0; call < made.count;) {
    int64_t row = call * made.rows;
    CallRun next = {call, call + 1, std::min(made.rows, all - row), row};
    next.end = std::max(next.end, findBorder(*this, vertex, next, all));
    call = next.end;
    if (!runs.empty() && isAlike(*this, vertex, runs.back(), next))
      runs.back().end = next.end;
    else
      runs.push_back(next);
  }
  return runs;
}

ArrayRef<size_t> StreamSchedule::takeAlike(ArrayRef<size_t> vertices) const {
  const StreamCalls &first = getCalls(vertices.front());
  size_t count = 1;
  for (; count < vertices.size(); ++count) {
    const StreamCalls &made = getCalls(vertices[count]);
    size_t result = graph->vertices[vertices[count]].results[0];
    if (made.loop != first.loop || made.first != first.first ||
        made.count != first.count ||
        isBeside(vertices[count]) != isBeside(vertices.front()) ||
        llvm::any_of(vertices.take_front(count), [&](size_t other) {
          return llvm::is_contained(graph->vertices[other].inputs, result);
        }))
      break;
  }
  return vertices.take_front(count);
}

ArrayRef<size_t> StreamSchedule::takeItem(ArrayRef<size_t> vertices,
                                          size_t loop) const {
  size_t inner = getCalls(vertices.front()).loop;
  if (inner == loop)
    return takeAlike(vertices);
  while (loops[inner].parent != loop)
    inner = loops[inner].parent;
  return vertices.take_front(loops[inner].end - loops[inner].begin);
}

bool StreamSchedule::isLocal(size_t vertex, ArrayRef<size_t> vertices) const {
  const StreamBuffer &buffer = getBuffer(vertex);
  size_t value = graph->vertices[vertex].results[0];
  return !buffer.isCarried && !buffer.isResult &&
         llvm::is_contained(vertices, vertex) &&
         llvm::all_of(graph->values[value].users, [&](size_t user) {
           return llvm::is_contained(vertices, user);
         });
}
