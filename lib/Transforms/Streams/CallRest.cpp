// SPDX-License-Identifier: Apache-2.0

#include "FormStreams.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mli;
using namespace mli::streams;

/// Adds the least that calls in `block` leave of `bytes`.
static void addRest(Block &block, const GraphOptions &options, int64_t bytes,
                    llvm::StringMap<int64_t> &rest) {
  std::optional<StreamGraph> graph =
      StreamGraph::get(block, options, [](Operation *) {});
  if (!graph)
    return;
  GraphOptions inner = options;
  inner.countsPorts = false;
  std::vector<int64_t> live = graph->getLiveBytes();
  for (auto [i, vertex] : llvm::enumerate(graph->vertices)) {
    int64_t left =
        bytes - live[i] - graph->getWholeBytes(i) + vertex.scratchBytes;
    if (auto call = dyn_cast<func::CallOp>(vertex.op)) {
      if (!options.callees->contains(call.getCallee()))
        continue;
      int64_t &least = rest.try_emplace(call.getCallee(), left).first->second;
      least = std::min(least, left);
    }
    for (Region &region : vertex.op->getRegions())
      for (Block &nested : region)
        addRest(nested, inner, left, rest);
  }
}

llvm::StringMap<int64_t>
mli::streams::getRestAtCalls(Block &block, const GraphOptions &options,
                             int64_t bytes) {
  llvm::StringMap<int64_t> rest;
  addRest(block, options, bytes, rest);
  return rest;
}
