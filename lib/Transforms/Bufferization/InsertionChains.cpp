// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-bufferize: replaces all chains of insertions of a module by
// writes to buffers.

#include "Bufferize.h"
#include "InsertionChain.h"

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/Utils/Utils.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Slices of what is only read
//===----------------------------------------------------------------------===//

/// The slices of `tensor`, where they are so many that one-shot bufferization
/// is slow to compare all of them with each other; else none.
static SmallVector<Operation *> findManySlices(Value tensor) {
  constexpr size_t few = 8;
  SmallVector<Operation *> slices;
  for (Operation *user : tensor.getUsers())
    if (isReadSlice(user, tensor))
      slices.push_back(user);
  if (slices.size() <= few)
    slices.clear();
  return slices;
}

/// Replaces the slices of `tensor`, which is read-only, by slices of its
/// buffer.
static void bufferizeSlices(Value tensor) {
  if (!isa<RankedTensorType>(tensor.getType()))
    return;
  SmallVector<Operation *> slices = findManySlices(tensor);
  if (!slices.empty())
    readSlices(slices, createReadOnlyBuffer(tensor));
}

/// Replaces the slices of arguments and constants by slices of buffers.
static void bufferizeReadOnlySlices(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      llvm::for_each(function.getArguments(), bufferizeSlices);
  module.walk([](ConstantOp constant) { bufferizeSlices(constant); });
}

//===----------------------------------------------------------------------===//
// One chain
//===----------------------------------------------------------------------===//

/// Creates the buffer of the chain, which holds the initial tensor.
Value InsertionChain::createBuffer(BufferCopies &copies) const {
  // A chain in a loop gets a buffer in each iteration, as the next iteration
  // may still use that of the last one.
  Value init = getInit();
  Operation *writer = steps.front().op;
  Operation *begin = steps.front().getBegin();
  auto empty = init.getDefiningOp<tensor::EmptyOp>();
  OpBuilder builder(empty && begin->getBlock() == empty->getBlock() ? empty
                                                                    : begin);
  Location loc = empty ? empty.getLoc() : writer->getLoc();
  auto type = cast<RankedTensorType>(init.getType());
  Value buffer = memref::AllocOp::create(
      builder, loc, makeBufferType(type),
      empty ? SmallVector<Value>(empty.getDynamicSizes())
            : tensor::createDynamicDimValues(builder, loc, init));
  if (!empty)
    copies.noteInit(createWrite(builder, loc, init, buffer), writer);
  return buffer;
}

/// Lets the users of `slice` after the chain read a slice of `complete`, the
/// result of the chain.
static void redirectLaterUses(Operation *slice, Value complete) {
  Operation *late = nullptr;
  for (OpOperand &use : llvm::make_early_inc_range(slice->getUses())) {
    Operation *user = slice->getBlock()->findAncestorOpInBlock(*use.getOwner());
    if (user->isBeforeInBlock(complete.getDefiningOp()))
      continue;
    if (!late) {
      OpBuilder builder(slice->getContext());
      builder.setInsertionPointAfterValue(complete);
      late = builder.clone(*slice);
      late->setOperand(0, complete);
    }
    use.set(late->getResult(0));
  }
}

void InsertionChain::bufferize(SmallVectorImpl<Operation *> &written,
                               BufferCopies &copies) {
  Value init = getInit();
  Value buffer = createBuffer(copies);
  Operation *last = steps.back().op;
  OpBuilder builder(last->getContext());
  builder.setInsertionPointAfter(last);
  Value result = createTensor(builder, last->getLoc(), init.getType(), buffer);
  final.replaceAllUsesWith(result);
  for (const InsertionStep &step : steps)
    for (Operation *slice : step.slices)
      redirectLaterUses(slice, result);
  for (const InsertionStep &step : steps)
    readSlices(step.slices, buffer);
  ChainWriter(written, result).write(steps, init, buffer);
}

//===----------------------------------------------------------------------===//
// All chains
//===----------------------------------------------------------------------===//

/// The tensors that chains may begin with, so that an outer chain comes before
/// those nested in it.
static SetVector<Value> findInitialTensors(ModuleOp module) {
  SetVector<Value> tensors;
  auto add = [&](Value value) {
    if (isa<RankedTensorType>(value.getType()))
      tensors.insert(value);
  };
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto empty = dyn_cast<tensor::EmptyOp>(op))
      add(empty);
    else if (isa<tensor::ExtractSliceOp, SubtensorOp>(op))
      add(op->getOperand(0)); // Another chain may be nested in the slice.
    else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      add(insert.getDest());
    else if (auto mov = dyn_cast<MovOp>(op);
             mov && isPartialMove(mov.getInitMutable()))
      add(mov.getInit());
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      llvm::for_each(loop.getInitArgs(), add);
  });
  return tensors;
}

namespace {

/// The chains of a module, no two of which share a step.
class InsertionChains {
public:
  explicit InsertionChains(ModuleOp module) {
    for (Value tensor : findInitialTensors(module))
      for (OpOperand &use : tensor.getUses())
        add(use);
  }

  auto begin() { return chains.begin(); }
  auto end() { return chains.end(); }

private:
  void add(OpOperand &use) {
    if (taken.count(&use))
      return;
    InsertionChain chain(use, /*mayHaveSlices=*/true);
    if (!chain.isProfitable())
      chain = InsertionChain(use, /*mayHaveSlices=*/false);
    if (!chain.isProfitable())
      return;
    take(chain.getSteps());
    chains.push_back(std::move(chain));
  }

  /// Marks the uses of `steps`, which can not begin other chains.
  void take(ArrayRef<InsertionStep> steps) {
    for (const InsertionStep &step : steps) {
      if (auto insert = dyn_cast<tensor::InsertSliceOp>(step.op))
        taken.insert(&insert.getDestMutable());
      else if (auto mov = dyn_cast<MovOp>(step.op))
        taken.insert(&mov.getInitMutable());
      else if (auto loop = dyn_cast<scf::ForOp>(step.op))
        taken.insert(&loop.getInitArgsMutable()[step.result]);
      take(step.body);
    }
  }

  std::vector<InsertionChain> chains;
  llvm::DenseSet<OpOperand *> taken;
};

} // namespace

LogicalResult mli::bufferizeInsertionChains(ModuleOp module,
                                            BufferCopies &copies) {
  InsertionChains chains(module);
  SmallVector<Operation *> written;
  bool hasLoops = false;
  for (InsertionChain &chain : chains) {
    chain.bufferize(written, copies);
    hasLoops |= chain.hasLoops();
  }
  bufferizeReadOnlySlices(module);
  // Causes are noted before loops of no iterations are erased with writes.
  llvm::for_each(written, [&](Operation *op) { copies.noteInsertion(op); });
  return success(!hasLoops || succeeded(foldCarriedBuffers(module)));
}
