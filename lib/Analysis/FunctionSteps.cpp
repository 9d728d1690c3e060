// SPDX-License-Identifier: Apache-2.0

#include "mli/Analysis/FunctionSteps.h"

#include "mli/Analysis/BufferNames.h"
#include "mli/Analysis/RunCounts.h"
#include "mli/IR/LayerName.h"
#include "mli/IR/MLI.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mli;

std::vector<FunctionStep> mli::findSteps(func::FuncOp function,
                                         const BufferLifetimes &lifetimes) {
  RunCounts counts(function);
  auto describe = getLayerTexts(function);
  std::vector<FunctionStep> steps;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isMove = isa<MovOp, AdvanceOp, memref::CopyOp>(op);
    if (!isMove && !isa<KernelOpInterface, func::CallOp>(op))
      return;
    std::string layer = describe(op);
    StringRef name = getLayerName(op->getLoc()).name;
    steps.push_back({op, lifetimes.positions.lookup(op), layer,
                     name.empty() ? layer : name.str(), isMove, counts.of(op)});
  });
  return steps;
}
