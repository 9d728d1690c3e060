// SPDX-License-Identifier: Apache-2.0
//
// Splits buffers that one iteration of a loop hands to the next, for
// mli-assign-addresses and mli-double-buffer.

#include "Addresses.h"

#include "mli/Analysis/MemoryProblem.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mli;

/// Whether `value`, defined in a loop, may have aliases, which are not
/// followed.
static bool mayHaveAliases(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return isa<ViewLikeOpInterface, RegionBranchOpInterface, memref::DeallocOp>(
        user);
  });
}

/// The allocation in `loop` that is yielded as result `i` and lives until the
/// end of the next iteration only; null if there is none.
static Operation *findCarried(scf::ForOp loop, unsigned i) {
  OperandRange yielded = loop.getBody()->getTerminator()->getOperands();
  Value argument = loop.getRegionIterArg(i);
  Value buffer = yielded[i];
  Operation *alloc = buffer.getDefiningOp();
  bool isOpen =
      isa_and_nonnull<memref::AllocOp, AllocOp>(alloc) && !getAddress(buffer);
  if (!isOpen || alloc->getBlock() != loop.getBody() ||
      !cast<MemRefType>(buffer.getType()).hasStaticShape() ||
      llvm::count(yielded, buffer) != 1 ||
      llvm::is_contained(yielded, argument) || mayHaveAliases(buffer) ||
      mayHaveAliases(argument))
    return nullptr;
  return alloc;
}

/// Replaces `carried`, result `i` of `loop`, by two buffers before the loop.
/// Returns the new loop.
static scf::ForOp alternate(IRRewriter &rewriter, scf::ForOp loop, unsigned i,
                            Operation *carried) {
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> buffers;
  for (int copy = 0; copy < 2; ++copy)
    buffers.push_back(rewriter.clone(*carried)->getResult(0));
  // One is written in this iteration, the other in the next.
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
      if (Operation *carried = findCarried(loop, i))
        loop = alternate(rewriter, loop, i, carried);
}
