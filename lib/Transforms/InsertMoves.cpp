// SPDX-License-Identifier: Apache-2.0
//
// mli-insert-moves moves operands of kernels into local memory, and results
// out.

#include "Transforms/LocalMemory/InsertMoves.h"

#include "mli/Analysis/BufferLifetimes.h"
#include "mli/Analysis/SliceView.h"
#include "mli/IR/AttributeNames.h"
#include "mli/Transforms/Passes.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mli-insert-moves"

namespace mli {
#define GEN_PASS_DEF_INSERTMOVES
#include "mli/Transforms/Passes.h.inc"
} // namespace mli

using namespace mlir;
using namespace mli;

namespace {

struct InsertMovesPass : mli::impl::InsertMovesBase<InsertMovesPass> {
  using InsertMovesBase::InsertMovesBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(runOnFunction(function)))
        return signalPassFailure();
  }

private:
  LogicalResult runOnFunction(func::FuncOp function) {
    WalkResult kernels = function.walk([](Operation *op) {
      return isLocalKernel(op) ? WalkResult::interrupt()
                               : WalkResult::advance();
    });
    if (!kernels.wasInterrupted())
      return success();
    FailureOr<TargetAttr> attr = getTarget(function);
    if (failed(attr))
      return failure();
    const layout::Target &target = attr->getValue();
    FailureOr<LocalMoves> moves = chooseLocalMoves(function, target);
    if (failed(moves))
      return failure();
    FailureOr<TransferRequirements> requirements =
        TransferRequirements::of(function, target, std::move(*moves));
    if (failed(requirements))
      return failure();
    inSystem.clear();
    for (const LocalCopy &copy : planMoves(*requirements, target))
      if (copy.movedBefore)
        moveIn(copy, target);
      else
        moveOut(copy, target);
    // The requirements have read the attribute.
    function.walk(
        [](Operation *op) { op->removeDiscardableAttr(doubledAttrName); });
    return success();
  }

  void moveIn(const LocalCopy &copy, const layout::Target &target);
  void moveOut(const LocalCopy &copy, const layout::Target &target);
  void explain(const LocalCopy &copy, Operation *op);

  /// The values in system memory of results that are moved out.
  llvm::DenseMap<Value, Value> inSystem;
};

} // namespace

/// Emits a remark on `op` about `copy`.
void InsertMovesPass::explain(const LocalCopy &copy, Operation *op) {
  LDBG() << op->getLoc() << ": "
         << (copy.movedBefore  ? "move in"
             : copy.isSpilled  ? "spill"
             : copy.isMovedOut ? "move out"
                               : "keep")
         << " " << copy.layout.size.bytes << " bytes of each NPU for "
         << copy.uses.size() << " operands";
  numReuses += std::max<int64_t>(
      static_cast<int64_t>(copy.uses.size()) - (copy.movedBefore ? 1 : 0), 0);
  if (!explainMoves)
    return;
  InFlightDiagnostic remark = op->emitRemark();
  if (!copy.movedBefore)
    remark << (copy.isSpilled    ? "moved out to free local memory: "
               : copy.isMovedOut ? "moved out: "
                                 : "stays in local memory: ");
  else
    remark << (copy.isHoisted ? "moved in before the loop: " : "moved in: ");
  remark << *getDenseBytes(cast<ShapedType>(copy.value.getType())) << " bytes, "
         << copy.layout.size.bytes << " of each NPU, for " << copy.uses.size()
         << " operands";
}

void InsertMovesPass::moveIn(const LocalCopy &copy,
                             const layout::Target &target) {
  OpBuilder builder(copy.movedBefore);
  Location loc = copy.movedBefore->getLoc();
  Value found = inSystem.lookup(copy.value);
  Value source = found ? found : copy.value;
  Value init = createEmpty(builder, loc, source.getType(), Space::local);
  Value local = createMoves(builder, loc, source, init, copy.layout.choice,
                            target, numMovesIn);
  for (OpOperand *use : copy.uses)
    use->set(local);
  explain(copy, copy.movedBefore);
}

void InsertMovesPass::moveOut(const LocalCopy &copy,
                              const layout::Target &target) {
  auto result = cast<OpResult>(copy.value);
  auto kernel = cast<DestinationStyleOpInterface>(result.getOwner());
  OpOperand *init = kernel.getTiedOpOperand(result);
  OpBuilder builder(kernel);
  Location loc = kernel.getLoc();
  // The move out writes to the destination of the kernel.
  Value destination = init->get();
  if (mli::detail::readsInit(*init))
    destination = createEmpty(builder, loc, result.getType(), Space::system);
  else
    init->set(createEmpty(builder, loc, result.getType(), Space::local));
  explain(copy, kernel);
  result.setType(inSpace(result.getType(), Space::local));
  if (!copy.isMovedOut)
    return eraseUnusedEmpty(destination);
  builder.setInsertionPointAfter(kernel);

  SmallVector<OpOperand *> others;
  llvm::SmallPtrSet<OpOperand *, 8> local(copy.uses.begin(), copy.uses.end());
  for (OpOperand &use : result.getUses())
    if (!local.contains(&use))
      others.push_back(&use);
  Value moved = createMoves(builder, loc, result, destination,
                            copy.layout.choice, target, numMovesOut);
  numSpills += copy.isSpilled ? 1 : 0;
  for (OpOperand *use : others)
    use->set(moved);
  inSystem[result] = moved;
}
