// SPDX-License-Identifier: Apache-2.0

#include "Report.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace mli::allocation;

namespace mli::plan_tool {

/// Rows of a list that are printed before the rest is only counted.
static constexpr size_t maxListed = 20;

static ConflictNames getNames(const Table &table) {
  return {[&](int64_t i) { return "id " + shownId(table, i); }, pinnedColumn};
}

void writeSummary(const Outcome &outcome, raw_ostream &os) {
  const Plan &plan = outcome.plan;
  os << "peak=" << plan.peak << " lower_bound=" << plan.liveBound
     << " aligned_bound=" << plan.alignedBound
     << " proven_bound=" << plan.provenBound
     << " buffers=" << outcome.table.rows.size()
     << " algorithm=" << plan.algorithm << " nodes=" << plan.nodes
     << (plan.optimal ? " optimal\n" : "\n");
}

static void listBuffers(const Outcome &outcome, ArrayRef<int64_t> buffers,
                        raw_ostream &os) {
  for (int64_t i : buffers.take_front(maxListed)) {
    const Buffer &buffer = outcome.table.problem.buffers[i];
    os << "  id " << shownId(outcome.table, i) << ": " << buffer.size
       << " bytes, live [" << buffer.live.lower << "," << buffer.live.upper
       << ")";
    if (buffer.pinned)
      os << ", fixed at " << *buffer.pinned;
    if (buffer.alignment > 1)
      os << ", alignment " << buffer.alignment;
    os << '\n';
  }
  if (buffers.size() > maxListed)
    os << "  and " << buffers.size() - maxListed << " more\n";
}

/// Writes the buffers that are live at peak usage by their addresses in the
/// lowest plan.
static void writeMap(const Outcome &outcome, raw_ostream &os) {
  const Plan &plan = outcome.conflict->lowest;
  if (plan.placements.empty())
    return;
  const std::vector<Buffer> &buffers = outcome.table.problem.buffers;
  std::vector<int64_t> order = sortLiveByAddress(*outcome.conflict);
  os << "note: memory map at time " << outcome.conflict->peakTime
     << " of the lowest plan found, peak " << plan.peak << '\n';
  for (int64_t i : ArrayRef(order).take_front(maxListed)) {
    const Placement &place = plan.placements[i];
    os << "  " << place.offset << ".." << place.offset + buffers[i].size - 1
       << ": id " << shownId(outcome.table, i) << ", " << buffers[i].size
       << " bytes";
    if (outcome.table.problem.memory.npus > 1)
      os << ", start NPU " << place.startNpu;
    os << '\n';
  }
  if (order.size() > maxListed)
    os << "  and " << order.size() - maxListed << " more\n";
}

/// Writes the requirement and what there is instead.
static void writeReason(const Outcome &outcome, raw_ostream &os) {
  const Conflict &conflict = *outcome.conflict;
  os << "expected 'buffers' to ";
  if (conflict.available)
    os << "fit " << *conflict.available << " bytes, but got ";
  else
    os << "have a plan, but got ";
  os << describeRequired(conflict);
  if (conflict.required == 0 &&
      conflict.lowest.status != PlanStatus::Infeasible)
    os << " in " << outcome.plan.nodes << " nodes";
  if (outcome.plan.status == PlanStatus::Infeasible)
    os << " (proven not to fit)\n";
  else if (conflict.required > 0)
    os << " (not proven: a larger --budget may find a plan)\n";
  else
    os << " (not proven: a larger --budget or another --algorithm may find a "
          "plan)\n";
}

static void writeCore(const Outcome &outcome, raw_ostream &os) {
  const Conflict &conflict = *outcome.conflict;
  size_t size = conflict.core.size();
  os << "note: "
     << describeCore(conflict,
                     std::to_string(size) +
                         (size == 1 ? " buffer" : " buffers"),
                     conflict.proven)
     << '\n';
  listBuffers(outcome, conflict.core, os);
  for (const ConstraintOf &part : conflict.constraints)
    os << "note: " << describe(part, getNames(outcome.table)) << '\n';
}

void writeFailure(const Outcome &outcome, StringRef file, raw_ostream &os) {
  const Conflict &conflict = *outcome.conflict;
  os << "error: " << file << ": ";
  writeReason(outcome, os);
  if (conflict.core.empty() && conflict.required == 0)
    return;
  if (!conflict.liveAtPeak.empty()) {
    os << "note: live at peak usage, time " << conflict.peakTime << " on NPU "
       << conflict.peakNpu << '\n';
    listBuffers(outcome, conflict.liveAtPeak, os);
  }
  if (!conflict.core.empty())
    writeCore(outcome, os);
  writeMap(outcome, os);
  for (const Fix &fix : conflict.fixes)
    os << "fix: " << describe(fix, getNames(outcome.table)) << '\n';
}

} // namespace mli::plan_tool
