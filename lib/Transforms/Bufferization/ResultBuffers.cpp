// SPDX-License-Identifier: Apache-2.0

#include "ResultBuffers.h"

#include "mli/Analysis/BufferLifetimes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mli;

LogicalResult mli::foldCarriedBuffers(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  scf::ForOp::getCanonicalizationPatterns(patterns, module.getContext());
  SmallVector<Operation *> loops;
  module.walk([&](scf::ForOp op) { loops.push_back(op); });
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  return loops.empty()
             ? success()
             : applyOpPatternsGreedily(loops, std::move(patterns), config);
}

/// The allocation of known size that `result` is another shape of; null if
/// there is none.
static memref::AllocOp findAllocation(Value result) {
  auto alloc = findWhole(result).getDefiningOp<memref::AllocOp>();
  bool isKnown = alloc && alloc.getType().hasStaticShape() &&
                 alloc.getType().getLayout().isIdentity();
  return isKnown ? alloc : memref::AllocOp();
}

/// Parameters along an axis of the result may have no axis in the other shape.
static bool mayBeReshaped(Value result) {
  auto type = cast<MemRefType>(result.getType());
  auto quantized = dyn_cast<QuantizedType>(type.getElementType());
  return type.getLayout().isIdentity() && !(quantized && quantized.isPerAxis());
}

static void eraseDeadReshapes(Value result) {
  while (auto reshape = result.getDefiningOp<ReshapeOp>()) {
    if (!reshape->use_empty())
      return;
    result = reshape.getSource();
    reshape.erase();
  }
}

/// alloc, reshape, return -> alloc in the shape that is returned, reshape
static void returnAllocations(func::ReturnOp op) {
  llvm::SmallPtrSet<Operation *, 4> returned;
  for (Value result : op.getOperands())
    if (auto alloc = result.getDefiningOp<memref::AllocOp>())
      returned.insert(alloc);
  for (OpOperand &operand : op->getOpOperands()) {
    Value result = operand.get();
    if (!result.getDefiningOp<ReshapeOp>() || !mayBeReshaped(result))
      continue;
    memref::AllocOp alloc = findAllocation(result);
    if (!alloc || !returned.insert(alloc).second)
      continue;
    OpBuilder builder(alloc);
    auto whole = memref::AllocOp::create(builder, alloc.getLoc(),
                                         cast<MemRefType>(result.getType()),
                                         alloc.getAlignmentAttr());
    returned.insert(whole);
    Value former = ReshapeOp::create(builder, alloc.getLoc(), alloc.getType(),
                                     whole.getResult());
    alloc.getResult().replaceAllUsesWith(former);
    alloc.erase();
    operand.set(whole);
    eraseDeadReshapes(result);
  }
}

void mli::prepareResults(ModuleOp module, BufferCopies &copies) {
  module.walk([&](func::ReturnOp op) {
    returnAllocations(op);
    copies.separateResults(op);
  });
}
