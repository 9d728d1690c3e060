// SPDX-License-Identifier: Apache-2.0
//
// Reports why a plan of mli-assign-addresses failed, as diagnostics.

#include "Addresses.h"

#include "mli/Allocation/Conflict.h"
#include "mli/Analysis/BufferNames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mli;
using namespace mli::allocation;

/// Notes of one kind before the rest is only counted.
static constexpr size_t maxNotes = 20;

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
    *buffer.pinned += layout::getAddress({start, 0}, *problem.target) -
                      layout::getAddress({start, 0}, target);
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
  constexpr int maxSizes = 4;
  for (int i = 0; i < maxSizes; ++i) {
    layout::Target target = *problem.target;
    target.npuBytes = roundUpNpuBytes(fix.bytes, target);
    MemoryProblem grown = problem;
    if (layout::verify(target) || !keepAddresses(grown, target))
      return std::nullopt;
    grown.target = target;
    grown.problem.memory.capacity = target.npuBytes;
    grown.problem.memory.bankBytes = target.npuBytes / target.banks;
    Plan plan = planInPlace(grown, options).plan;
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
        options(options), bufferNames(getBufferNames(problem)),
        names{[&](int64_t i) {
                return "'" + bufferNames[i].getShortText() + "'";
              },
              "address"} {}

  LogicalResult report(const InPlacePlan &found) {
    bool isLocal = problem.target.has_value();
    // Not on the operation, which would be printed whole.
    InFlightDiagnostic error =
        emitError(function.getLoc(), "expected buffers of '")
        << function.getSymName() << "' to fit in ";
    if (conflict.available)
      error << *conflict.available << " bytes of ";
    error << (isLocal ? "local memory" : "the arena") << ", but got "
          << describeRequired(conflict);
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
        error.attachNote() << "would fit with " << describe(*legal, names);
    }
    return error;
  }

private:
  Location getLocation(int64_t i) const {
    return problem.users[i].op->getLoc();
  }

  /// Notes the buffers that are live at the time of peak usage, and where the
  /// lowest plan has them.
  void noteLive(InFlightDiagnostic &error) {
    std::vector<int64_t> live = sortLiveByAddress(conflict);
    const std::vector<Placement> &places = conflict.lowest.placements;
    for (int64_t i : ArrayRef(live).take_front(maxNotes)) {
      const Buffer &buffer = problem.problem.buffers[i];
      Diagnostic &note = error.attachNote(getLocation(i));
      note << "live at peak usage, time " << conflict.peakTime << ": "
           << names.buffer(i) << ", " << buffer.size << " bytes";
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
    if (live.size() > maxNotes)
      error.attachNote() << "and " << live.size() - maxNotes << " more";
  }

  void noteCore(InFlightDiagnostic &error) {
    ArrayRef<int64_t> core = conflict.core;
    if (core.empty())
      return;
    std::string listed = llvm::join(
        llvm::map_range(core.take_front(maxNotes), names.buffer), ", ");
    if (core.size() > maxNotes)
      listed += " and " + std::to_string(core.size() - maxNotes) + " more";
    bool mayShare = llvm::any_of(core, [&](int64_t i) {
      return problem.problem.buffers[i].aliasSet >= 0;
    });
    bool isProven = conflict.proven &&
                    (!mayShare || neverFit(problem.problem, core, options));
    error.attachNote() << describeCore(conflict, listed, isProven);
    for (const ConstraintOf &part : conflict.constraints)
      error.attachNote(getLocation(part.buffer)) << describe(part, names);
  }

  func::FuncOp function;
  const MemoryProblem &problem;
  const Conflict &conflict;
  const PlannerOptions &options;
  std::vector<BufferName> bufferNames;
  ConflictNames names;
};

} // namespace

LogicalResult mli::reportConflict(func::FuncOp function,
                                  const MemoryPlan &memory,
                                  const PlannerOptions &options) {
  const auto &[problem, found] = memory;
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
