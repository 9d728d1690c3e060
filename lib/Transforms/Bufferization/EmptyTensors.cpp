// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-bufferize: separates the kernels and loops that write to an
// empty tensor.

#include "Bufferize.h"
#include "InsertionChain.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mli;

/// Whether `lhs` comes before `rhs`, of the same block.
static bool isBefore(OpOperand &lhs, OpOperand &rhs) {
  Operation *left = lhs.getOwner();
  Operation *right = rhs.getOwner();
  return left == right ? lhs.getOperandNumber() < rhs.getOperandNumber()
                       : left->isBeforeInBlock(right);
}

/// Whether a kernel or a loop, which begins with it, writes to `use`.
static bool isDestination(OpOperand &use) {
  auto loop = dyn_cast<scf::ForOp>(use.getOwner());
  return loop ? loop.getTiedLoopResult(&use) != nullptr
              : isKernelDestination(use);
}

/// The destinations of kernels and loops that are `empty`, but the last one of
/// each block.
static SmallVector<OpOperand *> findEarlierDestinations(tensor::EmptyOp empty) {
  SmallVector<OpOperand *> uses;
  llvm::SmallDenseMap<Block *, OpOperand *> last;
  for (OpOperand &use : empty->getUses()) {
    if (!isDestination(use))
      continue;
    uses.push_back(&use);
    OpOperand *&known = last[use.getOwner()->getBlock()];
    if (!known || isBefore(*known, use))
      known = &use;
  }
  llvm::erase_if(uses, [&](OpOperand *use) {
    return last.lookup(use->getOwner()->getBlock()) == use;
  });
  return uses;
}

void mli::separateEmptyTensors(ModuleOp module) {
  SmallVector<tensor::EmptyOp> shared;
  module.walk([&](tensor::EmptyOp empty) {
    if (!empty->hasOneUse())
      shared.push_back(empty);
  });
  for (tensor::EmptyOp empty : shared)
    for (OpOperand *use : findEarlierDestinations(empty)) {
      OpBuilder builder(use->getOwner());
      use->set(builder.clone(*empty)->getResult(0));
    }
}
