// SPDX-License-Identifier: Apache-2.0
//
// Chooses the weights of a recurrent cell that stay in local memory through its
// steps.

#include "CellSteps.h"
#include "TileApply.h"
#include "TileSearch.h"

#include "Transforms/LocalMemory/LocalTensors.h"

using namespace mlir;
using namespace mli;
using namespace mli::tiling;

namespace {

/// The loop over the steps of one cell.
class StepLoop {
public:
  StepLoop(scf::ForOp loop, const CellRules &rules);

  size_t countGates() const { return gates.size(); }
  std::optional<double> getCost(size_t kept, int64_t room) const;
  void keep(RewriterBase &rewriter, size_t kept);

private:
  /// Whether `operand` of a gate is the same in each step.
  bool isWeights(Operation *gate, size_t operand) const {
    return !loop->isAncestor(
        gate->getOperand(operand).getParentBlock()->getParentOp());
  }

  scf::ForOp loop;
  const CellRules &rules;
  int64_t count;
  std::vector<StaticKernel> kernels;
  SmallVector<Operation *, 4> gates;
};

} // namespace

StepLoop::StepLoop(scf::ForOp loop, const CellRules &rules)
    : loop(loop), rules(rules),
      count(loop.getStaticTripCount()->getSExtValue()) {
  for (Operation &op : *loop.getBody()) {
    if (isTileable(&op))
      kernels.push_back(*StaticKernel::get(&op));
    if (isa<RnnDenseOp>(op))
      gates.push_back(&op);
  }
}

/// The cost of all steps in `room` bytes of each NPU if the weights of the
/// first `kept` gates stay there; nothing if some kernel then does not fit.
std::optional<double> StepLoop::getCost(size_t kept, int64_t room) const {
  ArrayRef<Operation *> staying = ArrayRef(gates).take_front(kept);
  auto isKept = [&](const StaticKernel &kernel, size_t operand) {
    return llvm::is_contained(staying, kernel.op) &&
           isWeights(kernel.op, operand);
  };
  double once = 0;
  for (const StaticKernel &kernel : kernels)
    for (unsigned i = 0; i < kernel.operands.size(); ++i)
      if (isKept(kernel, i)) {
        auto type = cast<ShapedType>(kernel.op->getOperand(i).getType());
        room -= kernel.getBytes(i, type.getShape(), rules.target);
        once += rules.cost.byte *
                static_cast<double>(type.getNumElements() *
                                    kernel.operands[i].elementBytes);
      }
  double each = 0;
  for (const StaticKernel &kernel : kernels) {
    TileGroup group({&kernel}, rules.target, isKept);
    std::optional<TilePlan> plan =
        searchTiles(group, room, rules.cost, rules.alwaysDoubles);
    // A kernel that finds tensors in local memory is decided: it is whole.
    // Z20
    if (!plan ||
        (llvm::is_contained(staying, kernel.op) && !plan->tiles.order.empty()))
      return std::nullopt;
    each += plan->score;
  }
  return once + each * static_cast<double>(count);
}

/// Has the weights of the first `kept` gates moved in before the loop.
void StepLoop::keep(RewriterBase &rewriter, size_t kept) {
  rewriter.setInsertionPoint(loop);
  for (Operation *gate : ArrayRef(gates).take_front(kept))
    for (OpOperand &operand : gate->getOpOperands())
      if (isWeights(gate, operand.getOperandNumber()))
        operand.set(
            createMove(rewriter, gate->getLoc(), operand.get(), Space::local));
}

// Z21
void mli::tiling::keepWeights(RewriterBase &rewriter, scf::ForOp loop,
                              const CellRules &rules, int64_t room) {
  StepLoop steps(loop, rules);
  size_t best = 0;
  std::optional<double> least = steps.getCost(0, room);
  for (size_t kept = 1; least && kept <= steps.countGates(); ++kept)
    if (std::optional<double> cost = steps.getCost(kept, room);
        cost && *cost < *least) {
      best = kept;
      least = cost;
    }
  steps.keep(rewriter, best);
}
