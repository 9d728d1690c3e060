// SPDX-License-Identifier: Apache-2.0

#include "DestinationChain.h"

#include "Bufferize.h"
#include "InsertionChain.h"

#include "mli/Analysis/StrideRequirement.h"
#include "mli/IR/KernelOperands.h"
#include "mli/IR/MLI.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

/// The type of `slice` of the buffer of its source.
static MemRefType getBufferType(Operation *slice) {
  auto source = cast<RankedTensorType>(slice->getOperand(0).getType());
  return getSliceType(slice, makeBufferType(source));
}

bool DestinationChain::isRead(OpOperand &use) {
  Operation *slice = use.getOwner();
  if (!isReadSlice(slice, use.get()))
    return isKernelInput(use);
  MemRefType type = getBufferType(slice);
  return llvm::all_of(slice->getUses(), [&](OpOperand &read) {
    return isKernelInput(read) &&
           meetsRequirement(type, getStrideRequirement(read));
  });
}

/// Whether all kernels that `read` leads to, itself or through a slice, run
/// before `op` of the same block.
static bool isReadBefore(OpOperand &read, Operation *op) {
  auto isBefore = [&](OpOperand &operand) {
    Operation *reader =
        op->getBlock()->findAncestorOpInBlock(*operand.getOwner());
    return reader && reader->isBeforeInBlock(op);
  };
  return isKernelInput(read)
             ? isBefore(read)
             : llvm::all_of(read.getOwner()->getUses(), isBefore);
}

/// Whether `op` reads `read` where it writes.
static bool isReadInPlace(OpOperand &read, Operation *op) {
  return read.getOwner() == op && mayComputeInPlace(read);
}

/// Whether `read` is in a branch of a condition `op`, in which it is compared
/// with what hands the tensor on there. A slice from before the condition is
/// not seen in the branch.
static bool isReadInBranch(OpOperand &read, Operation *op) {
  return isa<scf::IfOp>(op) && op->isProperAncestor(read.getOwner());
}

/// The insertion of what one kernel computes into `slice`; null if there is
/// none, or anything else uses the slice or the result of the kernel.
static tensor::InsertSliceOp findInsertion(Operation *slice) {
  if (slice->getNumResults() != 1 || !slice->hasOneUse())
    return {};
  Operation *kernel = *slice->user_begin();
  if (kernel->getNumResults() != 1 || !kernel->hasOneUse())
    return {};
  auto insert = dyn_cast<tensor::InsertSliceOp>(*kernel->user_begin());
  return insert && findDestination(insert) == slice ? insert
                                                    : tensor::InsertSliceOp();
}

/// The number of the only operand of the end of `block` that is `tensor`, where
/// all other uses in the block are reads; else nothing.
static std::optional<unsigned> findYield(Value tensor, Block *block) {
  std::optional<unsigned> number;
  for (OpOperand &use : tensor.getUses()) {
    if (!block->findAncestorOpInBlock(*use.getOwner()) ||
        DestinationChain::isRead(use))
      continue;
    if (number || use.getOwner() != block->getTerminator())
      return std::nullopt;
    number = use.getOperandNumber();
  }
  return number;
}

//===----------------------------------------------------------------------===//
// Finding a chain
//===----------------------------------------------------------------------===//

DestinationChain::DestinationChain(Value first) : tensors({first}) {
  last = follow(first, first.getParentBlock());
}

/// Adds the tensors that `tensor`, known in `block`, is handed on to there.
/// Returns the last one.
Value DestinationChain::follow(Value tensor, Block *block) {
  while (true) {
    size_t numTensors = tensors.size(), numWrites = writes.size();
    Value next = findNext(tensor, block);
    if (!next) {
      tensors.truncate(numTensors);
      writes.truncate(numWrites);
      return tensor;
    }
    tensors.push_back(next);
    tensor = next;
  }
}

/// The tensor that `tensor` is handed on to in `block`; null if it is the last
/// one there.
Value DestinationChain::findNext(Value tensor, Block *block) {
  SmallVector<OpOperand *> reads, others;
  Operation *op = nullptr;
  tensor::InsertSliceOp insert;
  for (OpOperand &use : tensor.getUses()) {
    Operation *user = block->findAncestorOpInBlock(*use.getOwner());
    if (!user) {
      // It is in another branch, or in another block of the same region.
      if (tensor.getParentBlock() == block)
        return {};
      continue;
    }
    if (isRead(use)) {
      reads.push_back(&use);
      continue;
    }
    if (user == use.getOwner())
      if (auto found = findInsertion(user)) {
        insert = found;
        user = found;
      }
    if (op && op != user)
      return {};
    op = user;
    others.push_back(&use);
  }
  Operation *begin = insert ? findDestination(insert) : op;
  if (!op || !llvm::all_of(reads, [&](OpOperand *read) {
        return isReadBefore(*read, begin) || isReadInPlace(*read, op) ||
               isReadInBranch(*read, op);
      }))
    return {};
  if (insert)
    return followInsertion(insert);
  if (auto condition = dyn_cast<scf::IfOp>(op))
    return followCondition(tensor, condition);
  OpOperand &use = *others.front();
  if (others.size() != 1 || use.getOwner() != op)
    return {};
  return isa<scf::ForOp>(op) ? followLoop(use) : followKernel(use);
}

Value DestinationChain::followKernel(OpOperand &use) {
  Operation *kernel = use.getOwner();
  if (!isKernelDestination(use) || kernel->getNumResults() != 1)
    return {};
  writes.push_back({kernel});
  return kernel->getResult(0);
}

Value DestinationChain::followInsertion(tensor::InsertSliceOp insert) {
  Operation *slice = findDestination(insert);
  OpOperand &init = *slice->use_begin();
  Operation *kernel = init.getOwner();
  if (!isReadSlice(slice, insert.getDest()) ||
      kernel != insert.getSource().getDefiningOp() ||
      !isa_and_nonnull<MLIDialect>(kernel->getDialect()) ||
      !meetsRequirement(getBufferType(slice), getStrideRequirement(init)))
    return {};
  writes.push_back({kernel, slice, insert});
  return insert.getResult();
}

Value DestinationChain::followCondition(Value tensor, scf::IfOp condition) {
  if (!condition.elseBlock())
    return {};
  auto findResult = [&](Block *block) {
    return findYield(follow(tensor, block), block);
  };
  std::optional<unsigned> number = findResult(condition.thenBlock());
  if (!number || findResult(condition.elseBlock()) != number)
    return {};
  return condition.getResult(*number);
}

Value DestinationChain::followLoop(OpOperand &use) {
  auto loop = cast<scf::ForOp>(use.getOwner());
  BlockArgument argument = loop.getTiedLoopRegionIterArg(&use);
  OpResult result = loop.getTiedLoopResult(&use);
  tensors.push_back(argument);
  Value end = follow(argument, loop.getBody());
  if (findYield(end, loop.getBody()) != result.getResultNumber())
    return {};
  return result;
}

//===----------------------------------------------------------------------===//
// Bufferization
//===----------------------------------------------------------------------===//

static void bufferizeSlice(Operation *slice, Value buffer) {
  OpBuilder builder(slice);
  slice->getResult(0).replaceAllUsesWith(createSlice(builder, slice, buffer));
  slice->erase();
}

/// Lets `read` read `buffer`.
static void bufferizeRead(OpOperand &read, Value buffer) {
  if (isKernelInput(read))
    read.set(buffer);
  else
    bufferizeSlice(read.getOwner(), buffer);
}

/// The first operation of the block of `tensor` that uses it in another way
/// than to read it, in a region or itself, or that defines it if another block
/// does; null if there is none.
static Operation *findOtherUse(Value tensor) {
  Operation *first = nullptr;
  for (OpOperand &use : tensor.getUses()) {
    if (DestinationChain::isRead(use))
      continue;
    Operation *op =
        tensor.getParentBlock()->findAncestorOpInBlock(*use.getOwner());
    if (!op)
      return tensor.getDefiningOp();
    if (!first || op->isBeforeInBlock(first))
      first = op;
  }
  return first;
}

/// Keeps the last tensor, in `buffer`, for the first other use and what is read
/// after it: others may write to the buffer, which analysis must compare with
/// these reads.
void DestinationChain::keepLast(Value buffer) {
  Operation *other = findOtherUse(last);
  if (!other)
    return;
  for (OpOperand &use : llvm::make_early_inc_range(last.getUses()))
    if (isRead(use) && isReadBefore(use, other))
      bufferizeRead(use, buffer);
  OpBuilder builder(buffer.getContext());
  builder.setInsertionPointAfterValue(last);
  last.replaceAllUsesWith(
      createTensor(builder, last.getLoc(), last.getType(), buffer));
}

void DestinationChain::bufferize(tensor::EmptyOp empty) {
  OpBuilder builder(empty);
  Value buffer = memref::AllocOp::create(builder, empty.getLoc(),
                                         makeBufferType(empty.getType()),
                                         empty.getDynamicSizes());
  keepLast(buffer);
  for (const Write &write : writes)
    if (write.slice)
      bufferizeSlice(write.slice, buffer);
  for (Value tensor : tensors) {
    for (OpOperand &use : llvm::make_early_inc_range(tensor.getUses()))
      if (isReadSlice(use.getOwner(), tensor))
        bufferizeSlice(use.getOwner(), buffer);
    tensor.replaceAllUsesWith(buffer);
    // Loops and conditions yield the buffer.
    if (isa<BlockArgument>(tensor) ||
        isa<scf::IfOp, scf::ForOp>(tensor.getDefiningOp()))
      tensor.setType(buffer.getType());
  }
  for (const Write &write : writes) {
    builder.setInsertionPoint(write.kernel);
    createOnBuffers(builder, write.kernel, write.kernel->getOperands());
    if (write.insertion)
      write.insertion->erase();
    write.kernel->erase();
  }
  empty.erase();
}

void mli::bufferizeDestinations(ModuleOp module) {
  // All chains are found before any is replaced: in a block where operations
  // are created, their order has to be found again.
  std::vector<std::pair<tensor::EmptyOp, DestinationChain>> chains;
  module.walk([&](tensor::EmptyOp empty) {
    DestinationChain chain(empty.getResult());
    if (!chain.isOnlyFirst())
      chains.emplace_back(empty, std::move(chain));
  });
  for (auto &[empty, chain] : chains)
    chain.bufferize(empty);
}
