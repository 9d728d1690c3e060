// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/RunCounts.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;

/// Whether what runs in `loop` depends on its iteration.
static bool hasConditions(Operation *loop) {
  WalkResult walk =
      loop->walk([](scf::IfOp) { return WalkResult::interrupt(); });
  return walk.wasInterrupted();
}

RunCounts::RunCounts(Operation *root, Visit visit, Loops loops)
    : visit(std::move(visit)), loops(loops) {
  for (Region &region : root->getRegions())
    run(region, 1);
}

/// The integer that `value` is, as far as it follows from constants and
/// induction variables.
std::optional<int64_t> RunCounts::evaluate(Value value) {
  values.clear();
  return fold(value);
}

/// The same, of what follows from other values once.
std::optional<int64_t> RunCounts::fold(Value value) {
  if (!value.getType().isIntOrIndex())
    return std::nullopt;
  if (auto known = inductions.find(value); known != inductions.end())
    return known->second;
  if (auto known = values.find(value); known != values.end())
    return known->second;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getBitWidth() == 1 ? constant.getZExtValue()
                                       : constant.getSExtValue();
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      op->getNumOperands() == 0 || !isMemoryEffectFree(op))
    return std::nullopt;
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    std::optional<int64_t> known = fold(operand);
    if (!known)
      return std::nullopt;
    operands.push_back(IntegerAttr::get(operand.getType(), *known));
  }
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.size() != 1)
    return std::nullopt;
  if (auto other = dyn_cast<Value>(results.front()))
    return other == value ? std::nullopt : values[value] = fold(other);
  auto folded = dyn_cast<IntegerAttr>(cast<Attribute>(results.front()));
  if (!folded)
    return std::nullopt;
  return values[value] = folded.getType().isInteger(1)
                             ? folded.getValue().getZExtValue()
                             : folded.getValue().getSExtValue();
}

void RunCounts::runLoop(LoopLikeOpInterface op, int64_t times) {
  Region &body = *op.getLoopRegions().front();
  auto loop = dyn_cast<scf::ForOp>(*op);
  std::optional<int64_t> from, to, step;
  if (loop) {
    from = evaluate(loop.getLowerBound());
    to = evaluate(loop.getUpperBound());
    step = evaluate(loop.getStep());
  }
  if (!from || !to || !step || *step < 1) {
    std::optional<APInt> trips = op.getStaticTripCount();
    run(body, trips ? times * trips->getSExtValue() : times);
    return;
  }
  int64_t trips = llvm::divideCeilSigned(std::max(*to, *from) - *from, *step);
  bool isOneByOne = loops == Loops::InOrder || hasConditions(loop);
  if (!isOneByOne || trips > maxIterations - iterations) {
    run(body, times * trips);
    return;
  }
  iterations += trips;
  for (int64_t trip = 0; trip < trips; ++trip) {
    inductions[loop.getInductionVar()] = *from + trip * *step;
    run(body, times);
  }
  inductions.erase(loop.getInductionVar());
}

void RunCounts::run(Region &region, int64_t times) {
  for (Block &block : region) {
    counts[&block] += times;
    for (Operation &op : block) {
      if (auto loop = dyn_cast<LoopLikeOpInterface>(op);
          loop && loop.getLoopRegions().size() == 1) {
        runLoop(loop, times);
        if (visit)
          visit(&op, times);
        continue;
      }
      std::optional<int64_t> taken;
      if (auto branch = dyn_cast<scf::IfOp>(op))
        taken = evaluate(branch.getCondition());
      for (Region &inner : op.getRegions())
        if (!taken || (*taken != 0) == (inner.getRegionNumber() == 0))
          run(inner, times);
      if (visit)
        visit(&op, times);
    }
  }
}
