// SPDX-License-Identifier: Apache-2.0

#include "CarriedBuffers.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

/// Whether `value`, of a round of a loop, may be seen through other values:
/// these are not followed.
static bool hasOtherNames(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return isa<ViewLikeOpInterface, RegionBranchOpInterface, memref::DeallocOp>(
        user);
  });
}

/// The allocation of a round that is handed to the next as result `i`, and no
/// further.
static memref::AllocOp findCarried(scf::ForOp loop, unsigned i) {
  OperandRange yielded = loop.getBody()->getTerminator()->getOperands();
  Value argument = loop.getRegionIterArg(i);
  auto alloc = yielded[i].getDefiningOp<memref::AllocOp>();
  if (!alloc || alloc->getBlock() != loop.getBody() ||
      !alloc.getType().hasStaticShape() ||
      llvm::count(yielded, alloc.getResult()) != 1 ||
      llvm::is_contained(yielded, argument) || hasOtherNames(alloc) ||
      hasOtherNames(argument))
    return {};
  return alloc;
}

/// Makes buffers in front of `loop` of the one that it carries as result `i`,
/// and returns the loop in its place.
static scf::ForOp alternate(IRRewriter &rewriter, scf::ForOp loop, unsigned i,
                            memref::AllocOp carried) {
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> buffers;
  for (int round = 0; round < 2; ++round)
    buffers.push_back(memref::AllocOp::create(rewriter, carried.getLoc(),
                                              carried.getType(),
                                              carried.getAlignmentAttr()));
  // One is written in this round, the other in the next.
  auto swap = [](OpBuilder &, Location,
                 ArrayRef<BlockArgument> now) -> SmallVector<Value> {
    return {now[1], now[0]};
  };
  FailureOr<LoopLikeOpInterface> replaced = loop.replaceWithAdditionalYields(
      rewriter, buffers, /*replaceInitOperandUsesInLoop=*/false, swap);
  auto alternating = cast<scf::ForOp>(**replaced);
  unsigned written = alternating.getNumRegionIterArgs() - 2;
  rewriter.replaceOp(carried, alternating.getRegionIterArg(written));
  return alternating;
}

void mli::alternateCarriedBuffers(func::FuncOp function) {
  SmallVector<scf::ForOp> loops;
  function.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  IRRewriter rewriter(function.getContext());
  for (scf::ForOp loop : loops)
    for (unsigned i = 0, e = loop.getNumRegionIterArgs(); i < e; ++i)
      if (memref::AllocOp carried = findCarried(loop, i))
        loop = alternate(rewriter, loop, i, carried);
}
