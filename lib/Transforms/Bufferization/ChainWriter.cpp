// SPDX-License-Identifier: Apache-2.0

#include "InsertionChain.h"

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mli;

MemRefType mli::getSliceType(Operation *slice, MemRefType source) {
  if (auto block = dyn_cast<SubtensorOp>(slice))
    return cast<MemRefType>(Type(block.inferResultType(source)));
  auto bounds = cast<OffsetSizeAndStrideOpInterface>(slice);
  auto insert = dyn_cast<tensor::InsertSliceOp>(slice);
  auto type = insert ? insert.getSourceType()
                     : cast<RankedTensorType>(slice->getResult(0).getType());
  return cast<MemRefType>(Type(memref::SubViewOp::inferRankReducedResultType(
      type.getShape(), source, bounds.getMixedOffsets(), bounds.getMixedSizes(),
      bounds.getMixedStrides())));
}

Value mli::createSlice(OpBuilder &builder, Operation *slice, Value buffer) {
  MemRefType type = getSliceType(slice, cast<MemRefType>(buffer.getType()));
  if (auto block = dyn_cast<SubtensorOp>(slice))
    return SubtensorOp::create(
        builder, slice->getLoc(), type, buffer, block.getOffsets(),
        block.getSizes(), block.getStaticOffsets(), block.getStaticSizes());
  auto bounds = cast<OffsetSizeAndStrideOpInterface>(slice);
  return memref::SubViewOp::create(
      builder, slice->getLoc(), type, buffer, bounds.getMixedOffsets(),
      bounds.getMixedSizes(), bounds.getMixedStrides());
}

Value mli::createTensor(OpBuilder &builder, Location loc, Type type,
                        Value buffer, bool isWritable) {
  return bufferization::ToTensorOp::create(builder, loc, type, buffer,
                                           /*restrict=*/true, isWritable);
}

Operation *mli::createWrite(OpBuilder &builder, Location loc, Value source,
                            Value buffer) {
  return bufferization::MaterializeInDestinationOp::create(
      builder, loc, /*result=*/Type(), source, buffer, /*restrict=*/true,
      /*writable=*/true);
}

void mli::readSlices(ArrayRef<Operation *> slices, Value buffer) {
  for (Operation *slice : slices) {
    OpBuilder builder(slice);
    auto type = cast<RankedTensorType>(slice->getResult(0).getType());
    Value read = createSlice(builder, slice, buffer);
    slice->getResult(0).replaceAllUsesWith(createTensor(
        builder, slice->getLoc(), type, read, /*isWritable=*/false));
    slice->erase();
  }
}

void ChainWriter::redirectReads(const InsertionStep &step, Value buffer) {
  for (OpOperand *read : step.reads) {
    OpBuilder builder(read->getOwner());
    read->set(createTensor(builder, read->getOwner()->getLoc(),
                           read->get().getType(), buffer,
                           /*isWritable=*/false));
  }
}

/// Lets kernels before the end of the chain read `slice` of the buffer, which
/// no later step writes, and other users a slice of the complete tensor.
void ChainWriter::redirectOtherUses(const InsertionStep &step, Value slice) {
  if (step.otherUses.empty())
    return;
  // The uses are collected anew, as other chains have replaced insertions.
  Uses otherUses =
      getOtherUses(cast<tensor::InsertSliceOp>(step.op).getSource(), step.op);
  OpBuilder builder(step.op);
  Value early, late;
  for (OpOperand *use : otherUses) {
    Operation *user = use->getOwner();
    Operation *complete = result.getDefiningOp();
    bool isLate = complete->isBeforeInBlock(
        complete->getBlock()->findAncestorOpInBlock(*user));
    Value &seen = isLate ? late : early;
    if (!seen && isLate) {
      builder.setInsertionPointAfter(complete);
      seen = result;
      for (tensor::InsertSliceOp insert : path)
        seen = tensor::ExtractSliceOp::create(
            builder, insert.getLoc(), insert.getSourceType(), seen,
            insert.getMixedOffsets(), insert.getMixedSizes(),
            insert.getMixedStrides());
    } else if (!seen) {
      builder.setInsertionPointAfter(step.op);
      seen = createTensor(builder, step.op->getLoc(),
                          cast<tensor::InsertSliceOp>(step.op).getSourceType(),
                          slice, /*isWritable=*/false);
    }
    Value value = seen;
    if (Type type = use->get().getType(); type != seen.getType()) {
      builder.setInsertionPoint(user);
      value = ReshapeOp::create(builder, user->getLoc(), type, seen);
    }
    use->set(value);
  }
}

void ChainWriter::writeInsertion(const InsertionStep &step, Value buffer) {
  auto insert = cast<tensor::InsertSliceOp>(step.op);
  Operation *begin = step.getBegin();
  OpBuilder builder(begin);
  Value slice = createSlice(builder, begin, buffer);
  if (step.destination) {
    Value init =
        createTensor(builder, begin->getLoc(), insert.getSourceType(), slice);
    begin->getResult(0).replaceAllUsesWith(init);
    begin->erase();
    path.push_back(insert);
    redirectOtherUses(step, slice);
    write(step.body, init, slice);
    path.pop_back();
    if (!step.body.empty())
      return;
  }
  builder.setInsertionPoint(insert);
  written.push_back(
      createWrite(builder, insert.getLoc(), insert.getSource(), slice));
}

/// Lets a move, or the kernel that computes the initial tensor, write to the
/// buffer.
void ChainWriter::writeKernel(const InsertionStep &step, Value buffer) {
  auto init = cast<OpResult>(getResult(step));
  OpBuilder builder(step.op);
  cast<DestinationStyleOpInterface>(step.op).getTiedOpOperand(init)->set(
      createTensor(builder, step.op->getLoc(), init.getType(), buffer));
  builder.setInsertionPointAfter(step.op);
  written.push_back(createWrite(builder, step.op->getLoc(), init, buffer));
}

void ChainWriter::write(ArrayRef<InsertionStep> steps, Value init,
                        Value buffer) {
  for (const InsertionStep &step : steps) {
    redirectReads(step, buffer);
    auto loop = dyn_cast<scf::ForOp>(step.op);
    if (!loop) {
      if (isa<tensor::InsertSliceOp>(step.op))
        writeInsertion(step, buffer);
      else
        writeKernel(step, buffer);
      continue;
    }
    loop.getInitArgsMutable()[step.result].set(init);
    BlockArgument argument = loop.getRegionIterArg(step.result);
    loop.getBody()->getTerminator()->setOperand(step.result, argument);
    write(step.body, argument, buffer);
  }
  for (const InsertionStep &step : llvm::reverse(steps))
    if (isa<tensor::InsertSliceOp>(step.op)) {
      step.op->dropAllUses();
      step.op->erase();
    }
}
