// SPDX-License-Identifier: Apache-2.0
//
// Verifies which operations may run at the same time.

#include "mli/IR/MLIParallel.h"

#include "mlir/Interfaces/CastInterfaces.h"

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

LogicalResult ParallelOp::verifyRegions() {
  // The engine that writes a buffer, and those that use it.
  llvm::DenseMap<Value, bool> writers;
  auto kernels = getBody().front().without_terminator();
  for (Operation &op : kernels) {
    // Neither engine runs it.
    if (op.hasTrait<OpTrait::ConstantLike>())
      continue;
    auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
    // V14
    if (!kernel || !isa<MLIDialect>(op.getDialect()) ||
        !kernel.hasPureBufferSemantics())
      return emitOpError("expected moves and kernels on buffers inside, but "
                         "got ")
             << op.getName();
    for (Value init : kernel.getDpsInits())
      writers.insert({getViewedBuffer(init), isMove(&op)});
  }
  for (Operation &op : kernels)
    for (OpOperand &operand : op.getOpOperands()) {
      auto writer = writers.find(getViewedBuffer(operand.get()));
      // V15
      if (writer != writers.end() && writer->second != isMove(&op))
        return op.emitOpError("expected operand ")
               << operand.getOperandNumber() << " to be a buffer that "
               << (isMove(&op) ? "no kernel" : "no move")
               << " of 'mli.parallel' writes, but got one that is written";
    }
  return success();
}

#define GET_OP_CLASSES
#include "mli/IR/MLIParallelOps.cpp.inc"
