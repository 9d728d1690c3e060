// SPDX-License-Identifier: Apache-2.0
//
// Where bufferization puts the tensors of a block.

#include "TensorMemory.h"

#include "Transforms/Bufferization/BufferCopies.h"

#include "mli/IR/KernelOperands.h"
#include "mli/IR/TensorSize.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static bool isTensor(Value value) { return isa<TensorType>(value.getType()); }

bool mli::isView(Operation *op) {
  return isa<ReshapeOp, SubtensorOp, tensor::CastOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp, tensor::ExtractSliceOp, tensor::ReshapeOp>(
      op);
}

bool mli::isFreelyMovable(Operation *op) {
  if (isView(op) || isa<tensor::EmptyOp, tensor::DimOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>() || op->hasTrait<TypeQuery>())
    return true;
  return isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
         llvm::none_of(op->getOperands(), isTensor) &&
         llvm::none_of(op->getResults(), isTensor);
}

/// The operand of `result` that its operation writes over: the destination of a
/// kernel or an insertion, or what a loop starts with. Null if there is none.
static OpOperand *getDestination(OpResult result) {
  if (auto kernel = dyn_cast<DestinationStyleOpInterface>(result.getOwner()))
    return kernel.getTiedOpOperand(result);
  if (auto loop = dyn_cast<LoopLikeOpInterface>(result.getOwner()))
    return loop.getTiedLoopInit(result);
  return nullptr;
}

/// Whether `use` is a destination without contents: its result is in a memory
/// of its own.
static bool isEmptyDestination(OpOperand &use) {
  return use.get().getDefiningOp<tensor::EmptyOp>() &&
         llvm::any_of(use.getOwner()->getResults(), [&](OpResult result) {
           return getDestination(result) == &use;
         });
}

/// Whether something besides `destination`, and not in front of its operation,
/// uses `value` or a view of it.
static bool isUsedLater(Value value, OpOperand &destination) {
  Operation *op = destination.getOwner();
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    if (isView(use.getOwner()))
      return isUsedLater(use.getOwner()->getResult(0), destination);
    Operation *user = op->getBlock()->findAncestorOpInBlock(*use.getOwner());
    return &use != &destination && user && !user->isBeforeInBlock(op);
  });
}

//===----------------------------------------------------------------------===//
// Memory of a block
//===----------------------------------------------------------------------===//

std::optional<int64_t> TensorMemory::Memory::getBytes() const {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  return type ? getDenseBytes(type) : std::optional<int64_t>();
}

int32_t TensorMemory::add(const Memory &memory) {
  auto number = static_cast<int32_t>(memories.size());
  memoryNumbers[memory.tensor] = number;
  memories.push_back(memory);
  return number;
}

int32_t TensorMemory::lookup(Value value) const {
  auto memory = memoryNumbers.find(value);
  return memory == memoryNumbers.end() ? -1 : memory->second;
}

/// Adds `value`, which the block uses, if it is a constant or from outside.
void TensorMemory::addOutside(Value value) {
  Operation *op = value.getDefiningOp();
  bool isConstant = op && op->hasTrait<OpTrait::ConstantLike>();
  bool isOutside = value.getParentRegion()->isAncestor(block.getParent()) &&
                   (!op || op->getBlock() != &block);
  if (isTensor(value) && (isConstant || isOutside) && lookup(value) < 0)
    add({value, /*isOutside=*/true, mli::isReadOnly(value)});
}

void TensorMemory::addResult(OpResult result, bool isConcatenated) {
  Operation *op = result.getOwner();
  if (!isa<RankedTensorType>(result.getType()) ||
      op->hasTrait<OpTrait::ConstantLike>())
    return;
  if (isView(op)) {
    if (int32_t memory = lookup(op->getOperand(0)); memory >= 0)
      memoryNumbers[result] = memory;
    return;
  }
  OpOperand *destination = getDestination(result);
  // An insertion keeps the rest of its destination.
  bool isEmpty = destination && !isa<tensor::InsertSliceOp>(op) &&
                 isEmptyDestination(*destination);
  int32_t memory =
      destination && !isEmpty ? lookup(destination->get()) : int32_t(-1);
  // A destination that is read-only is copied, and what a loop starts with if
  // its contents are used later.
  bool isKept = destination && isa<LoopLikeOpInterface>(op) &&
                isUsedLater(destination->get(), *destination);
  if (memory < 0 || memories[memory].isReadOnly || isKept) {
    add({result});
    return;
  }
  memories[memory].isOverwritten |= !isConcatenated;
  memoryNumbers[result] = memory;
}

/// What a function returns is in memory of its caller, but for what a function
/// that it calls has returned: that is copied there.
void TensorMemory::markReturned() {
  auto end = block.empty() ? nullptr : dyn_cast<func::ReturnOp>(block.back());
  if (!end)
    return;
  for (Value value : end.getOperands())
    if (int32_t memory = lookup(value); memory >= 0)
      memories[memory].isReturned |=
          !memories[memory].tensor.getDefiningOp<func::CallOp>();
}

TensorMemory::TensorMemory(
    Block &block, const llvm::SmallPtrSetImpl<Operation *> &concatenated)
    : block(block) {
  for (Operation &op : block) {
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        addOutside(operand);
    });
    for (OpResult result : op.getResults())
      addResult(result, concatenated.contains(&op));
  }
  markReturned();
}

/// Adds `memory` to `numbers`, if it is one that is not there.
static void addOnce(TensorMemory::Numbers &numbers, int32_t memory) {
  if (memory >= 0 && !llvm::is_contained(numbers, memory))
    numbers.push_back(memory);
}

TensorMemory::Numbers TensorMemory::getRead(Operation *op) const {
  Numbers read;
  op->walk([&](Operation *inner) {
    for (OpOperand &use : inner->getOpOperands())
      if (!isEmptyDestination(use))
        addOnce(read, lookup(use.get()));
  });
  return read;
}

TensorMemory::Numbers TensorMemory::getWritten(Operation *op) const {
  Numbers written;
  for (Value result : op->getResults())
    addOnce(written, lookup(result));
  return written;
}

TensorMemory::Numbers TensorMemory::getReplaceable(Operation *op) const {
  Numbers found;
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  if (!kernel || op->getNumResults() != 1)
    return found;
  int32_t result = lookup(op->getResult(0));
  std::optional<int64_t> bytes =
      result < 0 ? std::nullopt : memories[result].getBytes();
  for (OpOperand *operand : kernel.getDpsInputOperands()) {
    int32_t input = lookup(operand->get());
    auto type = dyn_cast<RankedTensorType>(operand->get().getType());
    if (bytes && input >= 0 && type && getDenseBytes(type) == bytes &&
        memories[input].getBytes() == bytes &&
        mayWriteOver(*operand,
                     [&](Value value) { return lookup(value) == input; }))
      addOnce(found, input);
  }
  return found;
}
