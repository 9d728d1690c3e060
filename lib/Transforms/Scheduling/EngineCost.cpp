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

ScheduleCost mli::getScheduleCost(func::FuncOp function,
                                  const tiling::CostModel &cost) {
  ScheduleCost all;
  TargetAttr target = findTarget(function);
  if (!target)
    return all;
  EngineCost engines{cost, target.getValue().npus};
  // The costs of one run of each operation, and of what ran in `mli.parallel`.
  llvm::DenseMap<Operation *, double> known;
  auto getCost = [&](Operation *op, auto find) {
    auto [entry, isNew] = known.try_emplace(op);
    if (isNew)
      entry->second = find(op);
    return entry->second;
  };
  double moves = 0, kernels = 0;
  RunCounts counts(function, [&](Operation *op, int64_t times) {
    auto runs = static_cast<double>(times);
    bool isBeside = op->getParentOfType<ParallelOp>() != nullptr;
    if (isTransfer(op)) {
      double moved = runs * getCost(op, [&](Operation *transfer) {
                       return engines.getTransferCost(transfer);
                     });
      all.moves += moved;
      all.movedBytes += times * getMovedBytes(cast<MovOp>(op));
      moves += isBeside ? moved : 0;
    } else if (isLocalCompute(op)) {
      double computed = runs * getCost(op, [&](Operation *kernel) {
                          return engines.getKernelCost(kernel);
                        });
      all.kernels += computed;
      kernels += isBeside ? computed : 0;
    } else if (isa<ParallelOp>(op)) {
      all.overlapped += cost.overlap.value_or(1) * std::min(moves, kernels);
      moves = kernels = 0;
    }
  });
  return all;
}
