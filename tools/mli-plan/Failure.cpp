// SPDX-License-Identifier: Apache-2.0

#include "Report.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace llvm;
using namespace mli::allocation;

namespace mli::plan_tool {

/// Rows of a list that are printed before the rest is only counted.
static constexpr size_t mostListed = 20;

StringRef nameOf(Constraint constraint) {
  switch (constraint) {
  case Constraint::Pinned:
    return "fixed";
  case Constraint::Alignment:
    return "alignment";
  case Constraint::AvoidBanks:
    return "avoid_banks";
  case Constraint::StartNpu:
    return "start_npus";
  case Constraint::StartGroup:
    return "start_group";
  case Constraint::Guard:
    return "guard";
  }
  return "";
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
  for (int64_t i : buffers.take_front(mostListed)) {
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
  if (buffers.size() > mostListed)
    os << "  and " << buffers.size() - mostListed << " more\n";
}

/// What lies where at the fullest time, by address, in the lowest plan.
static void writeMap(const Outcome &outcome, raw_ostream &os) {
  const Plan &plan = outcome.conflict->lowest;
  if (plan.placements.empty())
    return;
  const std::vector<Buffer> &buffers = outcome.table.problem.buffers;
  std::vector<int64_t> order = outcome.conflict->liveAtPeak;
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return std::make_pair(plan.placements[a].offset, a) <
           std::make_pair(plan.placements[b].offset, b);
  });
  os << "note: memory map at time " << outcome.conflict->peakTime
     << " of the lowest plan found, peak " << plan.peak << '\n';
  for (int64_t i : ArrayRef(order).take_front(mostListed)) {
    const Placement &place = plan.placements[i];
    os << "  " << place.offset << ".." << place.offset + buffers[i].size - 1
       << ": id " << shownId(outcome.table, i) << ", " << buffers[i].size
       << " bytes";
    if (outcome.table.problem.memory.npus > 1)
      os << ", start NPU " << place.startNpu;
    os << '\n';
  }
  if (order.size() > mostListed)
    os << "  and " << order.size() - mostListed << " more\n";
}

static void writeFix(const Outcome &outcome, const Fix &fix, raw_ostream &os) {
  std::string id = fix.buffer < 0 ? "" : shownId(outcome.table, fix.buffer);
  os << "fix: ";
  switch (fix.kind) {
  case Fix::Kind::GrowCapacity:
    os << "give it " << fix.bytes << " bytes";
    break;
  case Fix::Kind::Evict:
    os << "keep id " << id << " elsewhere";
    break;
  case Fix::Kind::Shrink:
    os << "make id " << id << " " << fix.bytes << " bytes";
    break;
  case Fix::Kind::Drop:
    os << "drop '" << nameOf(fix.constraint) << "' of id " << id;
    break;
  }
  os << "; then the peak is " << fix.peak << '\n';
}

/// What was asked for and what there is instead.
static void writeReason(const Outcome &outcome, raw_ostream &os) {
  const Conflict &conflict = *outcome.conflict;
  os << "expected 'buffers' to ";
  if (conflict.available)
    os << "fit " << *conflict.available << " bytes, but got ";
  else
    os << "have a plan, but got ";
  if (conflict.required > 0)
    os << conflict.required << ", " << conflict.excess << " too many";
  else if (conflict.lowest.status == PlanStatus::Infeasible)
    os << "no plan at any size";
  else
    os << "none in " << outcome.plan.nodes << " nodes";
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
  const char *how = conflict.proven ? "can not" : "seem not to";
  if (conflict.core.size() == 1)
    os << "note: 1 buffer " << (conflict.proven ? how : "seems not to")
       << " be placed\n";
  else
    os << "note: " << conflict.core.size() << " buffers " << how
       << " be together"
       << (conflict.minimal ? "; without any one of them the others fit\n"
                            : "\n");
  listBuffers(outcome, conflict.core, os);
  for (ConstraintOf part : conflict.constraints)
    os << "note: '" << nameOf(part.constraint) << "' of id "
       << shownId(outcome.table, part.buffer) << " is part of it\n";
}

void writeFailure(const Outcome &outcome, StringRef file, raw_ostream &os) {
  const Conflict &conflict = *outcome.conflict;
  os << "error: " << file << ": ";
  writeReason(outcome, os);
  if (conflict.core.empty() && conflict.required == 0)
    return;
  if (!conflict.liveAtPeak.empty()) {
    os << "note: live at the fullest time " << conflict.peakTime << " on NPU "
       << conflict.peakNpu << '\n';
    listBuffers(outcome, conflict.liveAtPeak, os);
  }
  if (!conflict.core.empty())
    writeCore(outcome, os);
  writeMap(outcome, os);
  for (const Fix &fix : conflict.fixes)
    writeFix(outcome, fix, os);
}

} // namespace mli::plan_tool
