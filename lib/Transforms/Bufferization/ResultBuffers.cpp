// SPDX-License-Identifier: Apache-2.0
//
// The last steps of mli-bufferize: results of loops and functions that are
// buffers.

#include "Bufferize.h"

#include "mli/Analysis/BufferLifetimes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mli;

LogicalResult mli::foldCarriedBuffers(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  scf::ForOp::getCanonicalizationPatterns(patterns, module.getContext());
  scf::IfOp::getCanonicalizationPatterns(patterns, module.getContext());
  // The last one is canonicalized first: what is nested comes before what is
  // around it, which then has nothing left to be canonicalized for again.
  SmallVector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::ForOp, scf::IfOp>(op))
      ops.push_back(op);
  });
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  FrozenRewritePatternSet wanted(std::move(patterns));
  return ops.empty() ? success() : applyOpPatternsGreedily(ops, wanted, config);
}

/// What `result` is with its first dimensions split, where it has more than
/// kernels; `result` itself if it is no such view.
static Value stripSplit(Value result) {
  auto split = result.getDefiningOp<memref::ExpandShapeOp>();
  return split ? split.getSrc() : result;
}

/// The allocation of static shape that `result` is a reshape of; null if there
/// is none.
static memref::AllocOp findAllocation(Value result) {
  auto alloc =
      stripReshapes(stripSplit(result)).getDefiningOp<memref::AllocOp>();
  bool isKnown = alloc && alloc.getType().hasStaticShape() &&
                 alloc.getType().getLayout().isIdentity();
  return isKnown ? alloc : memref::AllocOp();
}

/// Whether an allocation like `result` has a reshape: the axis of quantisation
/// may not exist in the other shape.
static bool isReshapable(Value result) {
  auto type = cast<MemRefType>(result.getType());
  auto quantized = dyn_cast<QuantizedType>(type.getElementType());
  return type.getLayout().isIdentity() && !(quantized && quantized.isPerAxis());
}

static void eraseDeadReshapes(Value result) {
  while (Operation *view = result.getDefiningOp()) {
    if (!isa<ReshapeOp, memref::ExpandShapeOp>(view) || !view->use_empty())
      return;
    result = view->getOperand(0);
    view->erase();
  }
}

/// `buffer`, of the type of `result`, in the type of the allocation that
/// `result` was a reshape of.
static Value reshapeBack(OpBuilder &builder, Value buffer, Value result,
                         memref::AllocOp alloc) {
  if (auto split = result.getDefiningOp<memref::ExpandShapeOp>())
    buffer = memref::CollapseShapeOp::create(builder, alloc.getLoc(),
                                             split.getSrcType(), buffer,
                                             split.getReassociationIndices());
  if (buffer.getType() == alloc.getType())
    return buffer;
  return ReshapeOp::create(builder, alloc.getLoc(), alloc.getType(), buffer);
}

/// return(reshape(alloc)) -> return(alloc), other uses read reshape(alloc)
static void returnAllocations(func::ReturnOp op) {
  llvm::SmallPtrSet<Operation *, 4> returned;
  for (Value result : op.getOperands())
    if (auto alloc = result.getDefiningOp<memref::AllocOp>())
      returned.insert(alloc);
  for (OpOperand &operand : op->getOpOperands()) {
    Value result = operand.get();
    if (!isa_and_nonnull<ReshapeOp, memref::ExpandShapeOp>(
            result.getDefiningOp()) ||
        !isReshapable(result))
      continue;
    memref::AllocOp alloc = findAllocation(result);
    if (!alloc || !returned.insert(alloc).second)
      continue;
    OpBuilder builder(alloc);
    auto returnedAlloc = memref::AllocOp::create(
        builder, alloc.getLoc(), cast<MemRefType>(result.getType()),
        alloc.getAlignmentAttr());
    returned.insert(returnedAlloc);
    Value former =
        reshapeBack(builder, returnedAlloc.getResult(), result, alloc);
    alloc.getResult().replaceAllUsesWith(former);
    alloc.erase();
    operand.set(returnedAlloc);
    eraseDeadReshapes(result);
  }
}

void mli::prepareResults(ModuleOp module, BufferCopies &copies) {
  module.walk([&](func::ReturnOp op) {
    returnAllocations(op);
    copies.separateResults(op);
  });
}
