// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/FunctionSteps.h"

#include "mli/Analysis/RunCounts.h"
#include "mli/IR/LocationNames.h"
#include "mli/IR/MLI.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mli;

std::string mli::findLayer(Operation *op) {
  if (StringAttr name = findName(op->getLoc()))
    return name.str();
  std::string place = describePlace(op->getLoc());
  return place.empty() ? op->getName().stripDialect().str() : place;
}

std::vector<FunctionStep> mli::findSteps(func::FuncOp function,
                                         const BufferLifetimes &lifetimes) {
  RunCounts counts(function);
  std::vector<FunctionStep> steps;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isMove = isa<MovOp, AdvanceOp, memref::CopyOp>(op);
    if (!isMove && !isa<KernelOpInterface, func::CallOp>(op))
      return;
    steps.push_back({op, lifetimes.positions.lookup(op), findLayer(op), isMove,
                     counts.of(op)});
  });
  return steps;
}
