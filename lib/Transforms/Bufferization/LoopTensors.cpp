// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-bufferize: separates the tensors that loops yield, and those
// that they write to from the ones outside.

#include "Bufferize.h"

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mli;

static bool isOutside(Value value, Operation *loop) {
  return !loop->isAncestor(value.getParentRegion()->getParentOp());
}

/// The operand whose buffer `view` is a part of; null if it is no view.
static Value getViewSource(Value view) {
  Operation *op = view.getDefiningOp();
  bool isView = isa_and_nonnull<tensor::ExtractSliceOp, SubtensorOp, ReshapeOp,
                                tensor::CastOp, tensor::CollapseShapeOp,
                                tensor::ExpandShapeOp>(op);
  return isView ? op->getOperand(0) : Value();
}

//===----------------------------------------------------------------------===//
// Written slices
//===----------------------------------------------------------------------===//

/// Whether `use` is the destination of a kernel in a loop that is a part of a
/// tensor from outside of it.
static bool isOuterSlice(OpOperand &use) {
  auto loop = use.getOwner()->getParentOfType<LoopLikeOpInterface>();
  if (!loop || !getViewSource(use.get()))
    return false;
  Value root = use.get();
  while (Value source = getViewSource(root))
    root = source;
  return isOutside(root, loop);
}

/// Gives `kernel` other destinations in place of the slices that the next
/// iteration finds as they were.
static void separateSlices(DestinationStyleOpInterface kernel) {
  OpBuilder builder(kernel);
  Location loc = kernel.getLoc();
  for (OpOperand &init : kernel.getDpsInitsMutable()) {
    auto type = dyn_cast<RankedTensorType>(init.get().getType());
    if (!type || !isOuterSlice(init))
      continue;
    bool isKernel = isa_and_nonnull<MLIDialect>(kernel->getDialect());
    if (!isKernel || mli::detail::readsInit(init))
      init.set(bufferization::AllocTensorOp::create(builder, loc, type,
                                                    ValueRange(), init.get()));
    else
      init.set(tensor::EmptyOp::create(
          builder, loc, tensor::getMixedSizes(builder, loc, init.get()),
          type.getElementType(), type.getEncoding()));
  }
}

//===----------------------------------------------------------------------===//
// Yielded tensors
//===----------------------------------------------------------------------===//

/// Adds to `roots` the tensors whose buffer `value` may have: those that `loop`
/// gets or finds, and those that it makes and computes from no others.
static void findRoots(Value value, LoopLikeOpInterface loop,
                      SetVector<Value> &roots) {
  SetVector<Value> seen;
  seen.insert(value);
  for (size_t i = 0; i < seen.size(); ++i) {
    Value next = seen[i];
    auto result = dyn_cast<OpResult>(next);
    if (!result || isOutside(next, loop)) {
      roots.insert(next);
      continue;
    }
    Operation *op = result.getOwner();
    unsigned number = result.getResultNumber();
    if (Value source = getViewSource(next)) {
      seen.insert(source);
    } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
      seen.insert(select.getTrueValue());
      seen.insert(select.getFalseValue());
    } else if (auto condition = dyn_cast<scf::IfOp>(op)) {
      seen.insert(condition.thenYield().getOperand(number));
      seen.insert(condition.elseYield().getOperand(number));
    } else if (auto kernel = dyn_cast<DestinationStyleOpInterface>(op)) {
      seen.insert(kernel.getTiedOpOperand(result)->get());
    } else {
      if (auto inner = dyn_cast<LoopLikeOpInterface>(op);
          inner && number < inner.getInits().size())
        seen.insert(inner.getInits()[number]);
      roots.insert(next);
    }
  }
}

/// Copies what `loop` yields if it may be in the buffer of another tensor that
/// it yields, or if it is a tensor from outside. One-shot bufferization leaves
/// such a tensor as it is in scf.while, and in scf.for if it becomes a copy
/// itself.
static void separateYields(LoopLikeOpInterface loop) {
  SetVector<Value> taken;
  MutableArrayRef<OpOperand> yields = *loop.getYieldedValuesMutable();
  for (OpOperand &operand : yields) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    SetVector<Value> roots;
    findRoots(operand.get(), loop, roots);
    bool isTaken =
        llvm::any_of(roots, [&](Value root) { return taken.contains(root); });
    taken.insert_range(roots);
    if (!isTaken && !isOutside(operand.get(), loop))
      continue;
    Operation *yield = operand.getOwner();
    OpBuilder builder(yield);
    operand.set(bufferization::AllocTensorOp::create(
        builder, yield->getLoc(), type, ValueRange(), operand.get()));
  }
}

void mli::separateLoopTensors(ModuleOp module) {
  SmallVector<DestinationStyleOpInterface> kernels;
  SmallVector<LoopLikeOpInterface> loops;
  module.walk([&](Operation *op) {
    if (isa<scf::ForOp, scf::WhileOp>(op))
      loops.push_back(cast<LoopLikeOpInterface>(op));
    else if (auto kernel = dyn_cast<DestinationStyleOpInterface>(op))
      kernels.push_back(kernel);
  });
  llvm::for_each(kernels, separateSlices);
  llvm::for_each(loops, separateYields);
}
