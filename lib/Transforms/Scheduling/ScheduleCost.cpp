// SPDX-License-Identifier: Apache-2.0

#include "mli/Transforms/ScheduleCost.h"

#include "EngineCost.h"

#include "mli/Analysis/MovedBytes.h"
#include "mli/IR/LocalMemory.h"
#include "mli/IR/MLIParallel.h"

using namespace mlir;
using namespace mli;

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
  auto add = [&](Operation *op, double &moves, double &kernels) {
    auto rounds = static_cast<double>(countRounds(op));
    if (isTransfer(op))
      moves += rounds * engines.ofTransfer(op);
    else if (isLocalCompute(op))
      kernels += rounds * engines.ofKernel(op);
  };
  function.walk([&](Operation *op) {
    add(op, all.moves, all.kernels);
    if (isTransfer(op))
      all.movedBytes += countRounds(op) * getMovedBytes(cast<MovOp>(op));
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
