// SPDX-License-Identifier: Apache-2.0
//
// The order in which the engines run a function on buffers, by the cost model,
// for mli-run.

#include "EngineCost.h"

#include "mli/Analysis/RunCounts.h"
#include "mli/IR/LocalMemory.h"
#include "mli/IR/MLIParallel.h"
#include "mli/Transforms/ScheduleCost.h"

using namespace mlir;
using namespace mli;

namespace {

/// Puts one operation after the other, or beside it.
class Timeline {
public:
  explicit Timeline(const EngineCost &engines) : engines(engines) {}

  /// Adds a run of `op`, behind those of what is in it.
  void visit(Operation *op) {
    if (isa<ParallelOp>(op))
      end();
    else if (isTransfer(op))
      add(op, /*isTransfer=*/true, getCost(op, &EngineCost::getTransferCost));
    else if (isLocalCompute(op))
      add(op, /*isTransfer=*/false, getCost(op, &EngineCost::getKernelCost));
  }

  Schedule take() { return std::move(schedule); }

private:
  double getCost(Operation *op, double (EngineCost::*find)(Operation *) const) {
    auto [entry, isNew] = known.try_emplace(op);
    if (isNew)
      entry->second = (engines.*find)(op);
    return entry->second;
  }

  void add(Operation *op, bool isTransfer, double cost) {
    if (cost == 0)
      return;
    double &engine = isTransfer ? moves : kernels;
    schedule.push_back({op, isTransfer, engine, engine + cost});
    engine += cost;
    if (!op->getParentOfType<ParallelOp>())
      end();
  }

  /// Ends what runs at the same time. Where less than all of it overlaps, the
  /// engine that takes longer starts later.
  void end() {
    double shorter = std::min(moves, kernels) - start;
    double delay = (1 - engines.model.overlap.value_or(1)) * shorter;
    bool isLongerTransfer = moves > kernels;
    for (ScheduledOp &step : llvm::drop_begin(schedule, first))
      if (step.isTransfer == isLongerTransfer) {
        step.begin += delay;
        step.end += delay;
      }
    start = moves = kernels = std::max(moves, kernels) + delay;
    first = schedule.size();
  }

  const EngineCost &engines;
  llvm::DenseMap<Operation *, double> known;
  Schedule schedule;
  /// When both engines have run all before step `first`, and when each has run
  /// all.
  double start = 0, moves = 0, kernels = 0;
  size_t first = 0;
};

} // namespace

static Schedule getSchedule(func::FuncOp function, const EngineCost &engines) {
  Timeline timeline(engines);
  bool isInOrder = true;
  RunCounts counts(
      function,
      [&](Operation *op, int64_t times) {
        isInOrder &= times == 1;
        timeline.visit(op);
      },
      RunCounts::Loops::InOrder);
  return isInOrder ? timeline.take() : Schedule();
}

FailureOr<std::shared_ptr<const tiling::CostModel>>
mli::readCosts(Operation *op, StringRef overrides) {
  FailureOr<tiling::TileOverrides> read = tiling::readOverrides(op, overrides);
  if (failed(read))
    return failure();
  return std::make_shared<const tiling::CostModel>(read->cost);
}

RunEstimate mli::estimateRun(func::FuncOp function,
                             const tiling::CostModel &cost,
                             bool findsSchedule) {
  RunEstimate estimate;
  TargetAttr target = findTarget(function);
  if (!target)
    return estimate;
  estimate.cost = getScheduleCost(function, cost);
  if (findsSchedule)
    estimate.schedule = getSchedule(function, {cost, target.getValue().npus});
  return estimate;
}
