// SPDX-License-Identifier: Apache-2.0

#include "EngineCost.h"

#include "Transforms/TileSelection/StaticKernel.h"

#include "mli/Analysis/MovedBytes.h"
#include "mli/Analysis/RunCounts.h"
#include "mli/IR/LocalMemory.h"
#include "mli/IR/MLIParallel.h"
#include "mli/Transforms/ScheduleCost.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mli;

bool mli::isLocalCompute(Operation *op) {
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  return kernel && isa<MLIDialect>(op->getDialect()) && !isa<MovOp>(op) &&
         kernel.hasPureBufferSemantics() &&
         llvm::all_of(op->getOperandTypes(), [](Type type) {
           return !isa<MemRefType>(type) || isLocal(type);
         });
}

bool mli::isTransfer(Operation *op) {
  auto mov = dyn_cast<MovOp>(op);
  return mov && isa<MemRefType>(mov.getInput().getType()) &&
         isLocal(mov.getInput().getType()) != isLocal(mov.getInit().getType());
}

bool mli::isMovedIn(Operation *transfer) {
  return isLocal(cast<MovOp>(transfer).getInit().getType());
}

static Value getSide(Operation *transfer, bool wantsLocal) {
  auto mov = cast<MovOp>(transfer);
  bool isInput = isMovedIn(transfer) != wantsLocal;
  return getViewedBuffer(isInput ? mov.getInput() : mov.getInit());
}

Value mli::getLocalSide(Operation *transfer) { return getSide(transfer, true); }

Value mli::getSystemSide(Operation *transfer) {
  return getSide(transfer, false);
}

double EngineCost::getKernelCost(Operation *kernel) const {
  if (auto advance = dyn_cast<AdvanceOp>(kernel))
    return model.shift * static_cast<double>(getShiftedBytes(advance));
  std::optional<tiling::StaticKernel> numbers =
      tiling::StaticKernel::get(kernel);
  if (!numbers)
    return 0;
  auto macs = static_cast<double>(numbers->work);
  if (!numbers->sizes.empty()) {
    for (int64_t size : ArrayRef(numbers->sizes).drop_back())
      macs *= static_cast<double>(size);
    // Channels are scattered over the NPUs.
    macs *= static_cast<double>(llvm::divideCeil(numbers->sizes.back(), npus));
  }
  return model.mac * macs;
}

double EngineCost::getTransferCost(Operation *transfer) const {
  return model.byte * static_cast<double>(getMovedBytes(cast<MovOp>(transfer)));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

ScheduleCost mli::getScheduleCost(func::FuncOp function) {
  return getScheduleCost(function, tiling::CostModel());
}

ScheduleCost mli::getScheduleCost(func::FuncOp function,
                                  const tiling::CostModel &cost) {
  ScheduleCost all;
  TargetAttr target = findTarget(function);
  if (!target)
    return all;
  EngineCost engines{cost, target.getValue().npus};
  RunCounts counts(function);
  auto add = [&](Operation *op, double &moves, double &kernels) {
    auto iterations = static_cast<double>(counts.of(op));
    if (isTransfer(op))
      moves += iterations * engines.getTransferCost(op);
    else if (isLocalCompute(op))
      kernels += iterations * engines.getKernelCost(op);
  };
  function.walk([&](Operation *op) {
    add(op, all.moves, all.kernels);
    if (isTransfer(op))
      all.movedBytes += counts.of(op) * getMovedBytes(cast<MovOp>(op));
    auto parallel = dyn_cast<ParallelOp>(op);
    if (!parallel)
      return;
    double moves = 0, kernels = 0;
    for (Operation &inner : parallel.getBody().front())
      add(&inner, moves, kernels);
    all.overlapped += cost.overlap.value_or(1) * std::min(moves, kernels);
  });
  return all;
}
