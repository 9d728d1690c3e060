// SPDX-License-Identifier: Apache-2.0
//
// Verifies which operations may run at the same time.

#include "mli/IR/MLIParallel.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mli;

Operation *mli::getParallelOrSelf(Operation *op) {
  Operation *parent = op->getParentOp();
  return isa_and_present<ParallelOp>(parent) ? parent : op;
}

/// A part of the arena, which `memref.view` sees, is a buffer of its own.
Value mli::getViewedBuffer(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>()) {
    if (!isa<OffsetSizeAndStrideOpInterface, CastOpInterface, ReshapeOp>(
            view.getOperation()))
      break;
    memref = view.getViewSource();
  }
  return memref;
}

bool ParallelOp::isMove(Operation *op) { return isa<MovOp>(op); }

void ParallelOp::getSuccessorRegions(
    RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &regions) {
  if (point.isParent())
    regions.push_back(RegionSuccessor(&getBody()));
  else
    regions.push_back(
        RegionSuccessor(getOperation(), getOperation()->getResults()));
}

/// Whether `op` is a kernel or a move on buffers.
static bool isOfEngine(Operation *op) {
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  return kernel && isa<MLIDialect>(op->getDialect()) &&
         kernel.hasPureBufferSemantics();
}

/// Whether neither engine runs `op`: a condition or a loop, whose body they
/// run, memory, a view, or what computes indices.
static bool isAround(Operation *op) {
  if (op->getNumRegions() > 0)
    return isa<RegionBranchOpInterface>(op) && op->getNumResults() == 0 &&
           !isa<ParallelOp>(op);
  auto has = [&](llvm::function_ref<bool(Type)> isOfKind) {
    return llvm::any_of(op->getOperandTypes(), isOfKind) ||
           llvm::any_of(op->getResultTypes(), isOfKind);
  };
  if (has(llvm::IsaPred<TensorType>) || isa<CallOpInterface>(op))
    return false;
  return isa<AllocOp>(op) || isMemoryEffectFree(op) ||
         !has(llvm::IsaPred<BaseMemRefType>);
}

LogicalResult ParallelOp::verifyRegions() {
  // The engine that writes a buffer, and those that use it.
  llvm::DenseMap<Value, bool> writers;
  SmallVector<Operation *> all;
  Operation *other = nullptr;
  getBody().walk([&](Operation *op) {
    if (isOfEngine(op))
      all.push_back(op);
    else if (!other && !isAround(op))
      other = op;
  });
  // V14
  if (other)
    return emitOpError("expected moves and kernels on buffers inside, but got ")
           << other->getName();
  for (Operation *op : all)
    for (Value init : cast<DestinationStyleOpInterface>(op).getDpsInits())
      writers.insert({getViewedBuffer(init), isMove(op)});
  for (Operation *op : all)
    for (OpOperand &operand : op->getOpOperands()) {
      Value buffer = getViewedBuffer(operand.get());
      auto writer = writers.find(buffer);
      // V15
      if (writer != writers.end() && writer->second != isMove(op))
        return op->emitOpError("expected operand ")
               << operand.getOperandNumber() << " to be a buffer that "
               << (isMove(op) ? "no kernel" : "no move")
               << " of 'mli.parallel' writes, but got one that is written";
      // V16
      if (isMove(op) && getBody().isAncestor(buffer.getParentRegion()))
        return op->emitOpError("expected operand ")
               << operand.getOperandNumber()
               << " to be a buffer from outside of 'mli.parallel', but got one "
                  "from inside";
    }
  return success();
}

#define GET_OP_CLASSES
#include "mli/IR/MLIParallelOps.cpp.inc"
