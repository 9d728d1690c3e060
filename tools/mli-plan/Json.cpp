// SPDX-License-Identifier: Apache-2.0

#include "Report.h"

#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace mli::allocation;

namespace mli::plan_tool {

static StringRef getName(PlanStatus status) {
  switch (status) {
  case PlanStatus::Placed:
    return "placed";
  case PlanStatus::Infeasible:
    return "infeasible";
  case PlanStatus::BudgetSpent:
    return "budget-spent";
  case PlanStatus::BadProblem:
    return "bad-problem";
  }
  return "";
}

static void writeBuffer(const Outcome &outcome, size_t i, json::OStream &json) {
  const Buffer &buffer = outcome.table.problem.buffers[i];
  json.attribute("id", outcome.table.ids[i]);
  json.attribute("lower", buffer.live.lower);
  json.attribute("upper", buffer.live.upper);
  json.attribute("size", buffer.size);
  json.attribute("alignment", buffer.alignment);
  if (buffer.pinned)
    json.attribute("fixed", *buffer.pinned);
  if (outcome.plan.placements.empty())
    return;
  json.attribute("offset", outcome.plan.placements[i].offset);
  json.attribute("start_npu", outcome.plan.placements[i].startNpu);
}

static void writeConflict(const Outcome &outcome, json::OStream &json) {
  const Conflict &conflict = *outcome.conflict;
  auto ids = [&](StringRef key, const std::vector<int64_t> &buffers) {
    json.attributeArray(key, [&] {
      for (int64_t i : buffers)
        json.value(outcome.table.ids[i]);
    });
  };
  json.attribute("required", conflict.required);
  json.attribute("at_least", conflict.atLeast);
  if (conflict.available) {
    json.attribute("available", *conflict.available);
    json.attribute("excess", conflict.excess);
  }
  json.attribute("peak_time", conflict.peakTime);
  json.attribute("peak_npu", conflict.peakNpu);
  ids("live_at_peak", conflict.liveAtPeak);
  ids("core", conflict.core);
  json.attribute("core_proven", conflict.proven);
  json.attribute("core_minimal", conflict.minimal);
  json.attributeArray("constraints", [&] {
    for (ConstraintOf part : conflict.constraints)
      json.object([&] {
        json.attribute("id", outcome.table.ids[part.buffer]);
        json.attribute("constraint",
                       StringRef(toString(part.constraint, pinnedColumn)));
      });
  });
  json.attributeArray("fixes", [&] {
    for (const Fix &fix : conflict.fixes)
      json.object([&] {
        json.attribute("kind", StringRef(toString(fix.kind)));
        if (fix.buffer >= 0)
          json.attribute("id", outcome.table.ids[fix.buffer]);
        if (fix.kind == Fix::Kind::Drop)
          json.attribute("constraint",
                         StringRef(toString(fix.constraint, pinnedColumn)));
        if (fix.bytes > 0)
          json.attribute("bytes", fix.bytes);
        json.attribute("peak", fix.peak);
      });
  });
}

void writeJson(const Outcome &outcome, raw_ostream &os) {
  const Plan &plan = outcome.plan;
  const Memory &memory = outcome.table.problem.memory;
  json::OStream json(os, 2);
  json.object([&] {
    json.attribute("status", getName(plan.status));
    json.attribute("npus", memory.npus);
    if (memory.capacity)
      json.attribute("npu_bytes", *memory.capacity);
    json.attribute("peak", plan.peak);
    json.attribute("lower_bound", plan.liveBound);
    json.attribute("aligned_bound", plan.alignedBound);
    json.attribute("proven_bound", plan.provenBound);
    json.attribute("fragmentation", plan.fragmentation);
    json.attribute("algorithm", plan.algorithm);
    json.attribute("optimal", plan.optimal);
    json.attribute("nodes", plan.nodes);
    json.attributeArray("buffers", [&] {
      for (size_t i = 0; i < outcome.table.rows.size(); ++i)
        json.object([&] { writeBuffer(outcome, i, json); });
    });
    if (outcome.conflict)
      json.attributeObject("conflict", [&] { writeConflict(outcome, json); });
  });
  os << '\n';
}

} // namespace mli::plan_tool
