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
  explicit Timeline(int64_t npus) : engines{tiling::CostModel(), npus} {}

  /// Adds a run of `op`.
  void visit(Operation *op) {
    if (isa<ParallelOp>(op))
      wait();
    else if (isTransfer(op))
      add(op, /*isTransfer=*/true, getCost(op, &EngineCost::getTransferCost));
    else if (isLocalCompute(op))
      add(op, /*isTransfer=*/false, getCost(op, &EngineCost::getKernelCost));
  }

  std::vector<ScheduledOp> take() { return std::move(schedule); }

private:
  double getCost(Operation *op, double (EngineCost::*find)(Operation *) const) {
    auto [entry, isNew] = known.try_emplace(op);
    if (isNew)
      entry->second = (engines.*find)(op);
    return entry->second;
  }

  /// Both engines wait for each other.
  void wait() { moves = kernels = std::max(moves, kernels); }

  void add(Operation *op, bool isTransfer, double cost) {
    if (cost == 0)
      return;
    bool isBeside = op->getParentOfType<ParallelOp>() != nullptr;
    if (!isBeside)
      wait();
    double &engine = isTransfer ? moves : kernels;
    schedule.push_back({op, isTransfer, engine, engine + cost});
    engine += cost;
    if (!isBeside)
      wait();
  }

  EngineCost engines;
  llvm::DenseMap<Operation *, double> known;
  double moves = 0, kernels = 0;
  std::vector<ScheduledOp> schedule;
};

} // namespace

std::vector<ScheduledOp> mli::getSchedule(func::FuncOp function) {
  TargetAttr target = findTarget(function);
  if (!target)
    return {};
  Timeline timeline(target.getValue().npus);
  bool isInOrder = true;
  RunCounts counts(
      function,
      [&](Operation *op, int64_t times) {
        isInOrder &= times == 1;
        timeline.visit(op);
      },
      RunCounts::Loops::InOrder);
  return isInOrder ? timeline.take() : std::vector<ScheduledOp>();
}
