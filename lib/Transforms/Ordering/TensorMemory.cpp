// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-order: the memory that tensors are in once they are buffers.

#include "Order.h"

#include "Transforms/Bufferization/BufferCopies.h"

#include "mli/IR/MLI.h"
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

/// Whether the result of `op` is its first operand, or a slice of it.
static bool isView(Operation *op) {
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

//===----------------------------------------------------------------------===//
// Memory of a block
//===----------------------------------------------------------------------===//

int32_t TensorMemory::add(RankedTensorType type) {
  memories.push_back({getDenseBytes(type).value_or(0), false, type});
  return static_cast<int32_t>(memories.size() - 1);
}

int32_t TensorMemory::lookup(Value value) const {
  auto memory = memoryNumbers.find(value);
  return memory == memoryNumbers.end() ? -1 : memory->second;
}

/// The memory of `value`; -1 for what is read-only. What is from outside of the
/// block has one without bytes.
int32_t TensorMemory::find(Value value) {
  bool isOutside =
      isa<BlockArgument>(value) || value.getParentBlock() != &block;
  if (!isOutside || mli::isReadOnly(value))
    return lookup(value);
  auto [memory, isNew] =
      memoryNumbers.try_emplace(value, static_cast<int32_t>(memories.size()));
  if (isNew)
    memories.emplace_back();
  return memory->second;
}

void TensorMemory::addResult(OpResult result, bool isConcatenated) {
  Operation *op = result.getOwner();
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type || op->hasTrait<OpTrait::ConstantLike>())
    return;
  if (isView(op)) {
    if (int32_t memory = find(op->getOperand(0)); memory >= 0)
      memoryNumbers[result] = memory;
    return;
  }
  OpOperand *destination = getDestination(result);
  // An insertion keeps the rest of its destination.
  bool isEmpty = destination && !isa<tensor::InsertSliceOp>(op) &&
                 isEmptyDestination(*destination);
  int32_t memory =
      destination && !isEmpty ? find(destination->get()) : int32_t(-1);
  // A destination that is read-only is copied.
  if (memory < 0)
    memory = add(type);
  else
    memories[memory].isOverwritten |= !isConcatenated;
  memoryNumbers[result] = memory;
}

/// What a function returns is in memory of its caller, but for what a function
/// that it calls has returned: that is copied there.
void TensorMemory::freeReturned() {
  auto end = block.empty() ? nullptr : dyn_cast<func::ReturnOp>(block.back());
  if (!end)
    return;
  for (Value value : end.getOperands())
    if (int32_t memory = lookup(value);
        memory >= 0 && !value.getDefiningOp<func::CallOp>()) {
      memories[memory].bytes = 0;
      memories[memory].type = {};
    }
}

TensorMemory::TensorMemory(
    Block &block, const llvm::SmallPtrSetImpl<Operation *> &concatenated)
    : block(block) {
  for (Operation &op : block)
    for (OpResult result : op.getResults())
      addResult(result, concatenated.contains(&op));
  freeReturned();
}

SmallVector<int32_t> TensorMemory::getUsed(Operation *op) const {
  SmallVector<int32_t> used;
  auto add = [&](Value value) {
    int32_t memory = isTensor(value) ? lookup(value) : -1;
    if (memory >= 0 && !llvm::is_contained(used, memory))
      used.push_back(memory);
  };
  op->walk([&](Operation *inner) {
    for (OpOperand &use : inner->getOpOperands())
      if (!isEmptyDestination(use))
        add(use.get());
  });
  for (OpResult result : op->getResults())
    add(result);
  return used;
}
