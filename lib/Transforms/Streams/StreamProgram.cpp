// SPDX-License-Identifier: Apache-2.0

#include "StreamProgram.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mli;
using namespace mli::streams;

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

CallBlock::CallBlock(const StreamSchedule &schedule, ArrayRef<size_t> vertices)
    : vertices(vertices) {
  auto runs = llvm::map_to_vector(
      vertices, [&](size_t vertex) { return schedule.getCallRuns(vertex); });
  add(schedule, llvm::to_vector_of<Runs>(runs));
}

CallBlock::CallBlock(const StreamSchedule &schedule, ArrayRef<size_t> vertices,
                     ArrayRef<Runs> runs)
    : vertices(vertices) {
  add(schedule, runs);
}

/// Adds the calls of all vertices, which are those of `runs`.
// ST5
void CallBlock::add(const StreamSchedule &schedule, ArrayRef<Runs> runs) {
  ArrayRef<size_t> all = vertices;
  llvm::SmallBitVector isInBranch(all.size());
  for (size_t i = 0; i < all.size();) {
    size_t end = i + 1;
    const CallRun &last = runs[i].back();
    if (runs[i].size() == 1) {
      items.push_back({all[i], last, {}});
      i = end;
      continue;
    }
    while (end < all.size() && runs[end].size() > 1 &&
           runs[end].back().begin == last.begin)
      ++end;
    ArrayRef<size_t> members = all.slice(i, end - i);
    auto select = [&](llvm::function_ref<Runs(Runs)> part) {
      return CallBlock(schedule, members,
                       llvm::map_to_vector(runs.slice(i, end - i), part));
    };
    items.push_back({all[i], last, {}});
    items.back().branches.push_back(
        select([](Runs its) { return its.drop_back(); }));
    items.back().branches.push_back(
        select([](Runs its) { return its.take_back(); }));
    for (; i < end; ++i)
      isInBranch[i] = schedule.isLocal(all[i], members);
  }
  for (auto [i, vertex] : llvm::enumerate(all)) {
    if (isInBranch[i] || !schedule.isLocal(vertex, all))
      continue;
    int64_t rows = 0;
    for (const CallRun &run : runs[i])
      rows = std::max(rows, run.rows);
    buffers.push_back({vertex, rows});
  }
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

StreamProgram::StreamProgram(const StreamSchedule &schedule) {
  for (ArrayRef<size_t> rest = schedule.getOrder(); !rest.empty();) {
    ArrayRef<size_t> alike = schedule.takeAlike(rest);
    auto first = static_cast<int64_t>(calls.size());
    add(schedule, CallBlock(schedule, alike));
    for (size_t vertex : alike) {
      auto isOfVertex = [&](const Call &call) { return call.vertex == vertex; };
      auto begin = calls.begin() + first;
      auto from = std::find_if(begin, calls.end(), isOfVertex);
      auto last = std::find_if(calls.rbegin(), calls.rend(), isOfVertex);
      callsAt.push_back({from - calls.begin(), calls.rend() - last});
    }
    rest = rest.drop_front(alike.size());
  }
}

void StreamProgram::add(const StreamSchedule &schedule,
                        const CallBlock &block) {
  size_t first = calls.size();
  for (const CallBlock::Item &item : block.items) {
    if (item.branches.empty())
      calls.push_back({item.vertex, item.run.rows});
    for (const CallBlock &branch : item.branches)
      add(schedule, branch);
  }
  for (const CallBlock::Buffer &buffer : block.buffers) {
    size_t value = schedule.graph->vertices[buffer.vertex].results[0];
    std::optional<Interval> live;
    for (size_t place = first; place < calls.size(); ++place) {
      size_t vertex = calls[place].vertex;
      if (vertex != buffer.vertex &&
          !llvm::is_contained(schedule.graph->values[value].users, vertex))
        continue;
      auto call = static_cast<int64_t>(place);
      live = live.value_or(Interval{call, call + 1});
      live->extend({call, call + 1});
    }
    buffers.push_back({buffer.vertex, buffer.rows, *live});
  }
}

Interval StreamProgram::getCalls(Interval places) const {
  return {callsAt[places.lower].lower, callsAt[places.upper - 1].upper};
}
