// SPDX-License-Identifier: Apache-2.0

#include "PlanReport.h"

#include "mli/Allocation/Conflict.h"
#include "mli/Analysis/TargetSize.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mli;
using namespace mli::allocation;

/// Notes of one kind before the rest is only counted.
static constexpr size_t mostNotes = 20;

/// The attribute that a constraint comes from.
static StringRef nameOf(Constraint constraint) {
  switch (constraint) {
  case Constraint::Pinned:
    return "address";
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

/// Pins the buffers of `problem` at the addresses that they have, with NPUs of
/// `target`; false if one of them would not be on its NPU any more.
static bool keepAddresses(MemoryProblem &problem,
                          const layout::Target &target) {
  for (auto [buffer, user] :
       llvm::zip_equal(problem.problem.buffers, problem.users)) {
    if (!buffer.pinned || user.startNpus.empty())
      continue;
    int64_t start = user.startNpus.front();
    // L2
    *buffer.pinned += layout::addressOf({start, 0}, *problem.target) -
                      layout::addressOf({start, 0}, target);
    if (*buffer.pinned < 0)
      return false;
  }
  return true;
}

/// `fix`, which grows the memory of `problem`, with as many bytes as its target
/// may have, where banks grow, too; nothing if no plan with a few more bytes
/// was found.
static std::optional<Fix> roundFix(const MemoryProblem &problem, Fix fix,
                                   const PlannerOptions &options) {
  if (!problem.target)
    return fix;
  constexpr int mostSizes = 4;
  for (int i = 0; i < mostSizes; ++i) {
    layout::Target target = *problem.target;
    target.npuBytes = roundToTarget(fix.bytes, target);
    MemoryProblem grown = problem;
    if (layout::verify(target) || !keepAddresses(grown, target))
      return std::nullopt;
    grown.target = target;
    grown.problem.memory.capacity = target.npuBytes;
    grown.problem.memory.bankBytes = target.npuBytes / target.banks;
    Plan plan = planMemory(grown, options);
    if (plan.status == PlanStatus::Placed) {
      fix.bytes = target.npuBytes;
      fix.peak = plan.peak;
      return fix;
    }
    fix.bytes = std::max(plan.peak, target.npuBytes + 1);
  }
  return std::nullopt;
}

namespace {

class ConflictReport {
public:
  ConflictReport(func::FuncOp function, const MemoryProblem &problem,
                 const Conflict &conflict, const PlannerOptions &options)
      : function(function), problem(problem), conflict(conflict),
        options(options) {}

  LogicalResult report(const InPlacePlan &found) {
    bool isLocal = problem.target.has_value();
    // Not on the operation, which would be printed whole.
    InFlightDiagnostic error =
        emitError(function.getLoc(), "expected buffers of '")
        << function.getSymName() << "' to fit in ";
    if (conflict.available)
      error << *conflict.available << " bytes of ";
    error << (isLocal ? "local memory" : "the arena") << ", but got ";
    if (conflict.required > 0)
      error << conflict.required << ", " << conflict.excess << " too many";
    else if (conflict.lowest.status == PlanStatus::Infeasible)
      error << "no place at any size";
    else
      error << "no place";
    if (found.plan.status != PlanStatus::Infeasible)
      error << " (not proven: a larger 'budget' may find a plan)";
    else if (!found.isProven)
      error << " (not proven: with other kernels in place it may fit)";
    else
      error << " (proven)";
    noteLive(error);
    noteCore(error);
    for (const Fix &fix : conflict.fixes) {
      bool isGrown = fix.kind == Fix::Kind::GrowCapacity;
      if (auto legal = isGrown ? roundFix(problem, fix, options) : fix)
        noteFix(error, *legal);
    }
    return error;
  }

private:
  Location locationOf(int64_t i) const { return problem.users[i].op->getLoc(); }
  std::string nameOfBuffer(int64_t i) const {
    return "'" + problem.getName(i) + "'";
  }

  /// What is live at the fullest time, and where the lowest plan has it.
  void noteLive(InFlightDiagnostic &error) {
    std::vector<int64_t> live = conflict.liveAtPeak;
    const std::vector<Placement> &places = conflict.lowest.placements;
    if (!places.empty())
      llvm::sort(live, [&](int64_t a, int64_t b) {
        return std::make_pair(places[a].offset, a) <
               std::make_pair(places[b].offset, b);
      });
    for (int64_t i : ArrayRef(live).take_front(mostNotes)) {
      const Buffer &buffer = problem.problem.buffers[i];
      Diagnostic &note = error.attachNote(locationOf(i));
      note << "live at the fullest time, " << conflict.peakTime << ": "
           << nameOfBuffer(i) << ", " << buffer.size << " bytes";
      if (!places.empty())
        note << " at " << places[i].offset << " to "
             << places[i].offset + buffer.size - 1;
      if (problem.target && problem.target->npus > 1 && problem.users[i].range)
        note << " from NPU "
             << (places.empty() ? problem.users[i].startNpus.front()
                                : problem.getStartNpu(i, places[i]))
             << " on";
      note << ", from " << buffer.live.lower << " to " << buffer.live.upper;
    }
    if (live.size() > mostNotes)
      error.attachNote() << "and " << live.size() - mostNotes << " more";
  }

  void noteCore(InFlightDiagnostic &error) {
    ArrayRef<int64_t> core = conflict.core;
    if (core.empty())
      return;
    Diagnostic &note = error.attachNote();
    llvm::interleaveComma(core.take_front(mostNotes), note,
                          [&](int64_t i) { note << nameOfBuffer(i); });
    if (core.size() > mostNotes)
      note << " and " << core.size() - mostNotes << " more";
    bool mayShare = llvm::any_of(core, [&](int64_t i) {
      return problem.problem.buffers[i].aliasSet >= 0;
    });
    bool isProven = conflict.proven &&
                    (!mayShare || neverFit(problem.problem, core, options));
    note << (isProven ? " can not" : " seem not to")
         << (core.size() == 1 ? " be placed" : " be together");
    if (conflict.minimal && core.size() > 1)
      note << "; without any one of them the others fit";
    for (ConstraintOf part : conflict.constraints)
      error.attachNote(locationOf(part.buffer))
          << "'" << nameOf(part.constraint) << "' of "
          << nameOfBuffer(part.buffer) << " is part of it";
  }

  void noteFix(InFlightDiagnostic &error, const Fix &fix) {
    Diagnostic &note = error.attachNote();
    note << "would fit with ";
    switch (fix.kind) {
    case Fix::Kind::GrowCapacity:
      note << fix.bytes << " bytes of memory";
      break;
    case Fix::Kind::Evict:
      note << nameOfBuffer(fix.buffer) << " elsewhere";
      break;
    case Fix::Kind::Shrink:
      note << nameOfBuffer(fix.buffer) << " of " << fix.bytes << " bytes";
      break;
    case Fix::Kind::Drop:
      note << nameOfBuffer(fix.buffer) << " without '" << nameOf(fix.constraint)
           << "'";
      break;
    }
    note << ": the peak is then " << fix.peak;
  }

  func::FuncOp function;
  const MemoryProblem &problem;
  const Conflict &conflict;
  const PlannerOptions &options;
};

} // namespace

LogicalResult mli::reportConflict(func::FuncOp function,
                                  const MemoryProblem &problem,
                                  const InPlacePlan &found,
                                  const PlannerOptions &options) {
  const Plan &plan = found.plan;
  // A12
  if (plan.status == PlanStatus::BadProblem) {
    int64_t buffer = plan.error->buffer;
    Location loc =
        buffer < 0 ? function.getLoc() : problem.users[buffer].op->getLoc();
    return emitError(loc, "expected memory that can be planned, but got: ")
           << plan.error->message;
  }
  // A20, A21, A22
  Conflict conflict = explain(found.problem, plan, options);
  return ConflictReport(function, problem, conflict, options).report(found);
}
