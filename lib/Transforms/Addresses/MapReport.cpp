// SPDX-License-Identifier: Apache-2.0
//
// Puts memory maps into a report, with the layers of their functions.

#include "Addresses.h"
#include "MemoryMap.h"

#include "mli/Analysis/LayerGraph.h"
#include "mli/Transforms/MemoryMap.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mli;

static report::Layer describeLayer(const NetworkLayer &found) {
  report::Layer layer;
  layer.key = found.key.text;
  layer.name = found.name;
  layer.label = found.label;
  layer.place = found.place;
  layer.texts = found.texts;
  layer.steps = found.steps;
  layer.inputs = found.inputs;
  layer.movedIn = found.moved.in;
  layer.movedOut = found.moved.out;
  for (const std::string &kind : found.kernels)
    layer.kernels.emplace_back().kernel = kind;
  for (const LayerCopies &copies : found.copies)
    layer.copies.push_back({copies.reason, copies.bytes});
  return layer;
}

static report::Function describeFunction(func::FuncOp function,
                                         const MemoryAnalysis &analysis) {
  report::Function described;
  described.name = function.getSymName().str();
  if (TargetAttr target = findTarget(function))
    llvm::raw_string_ostream(described.target) << target;
  function.walk([&](func::CallOp call) {
    if (!llvm::is_contained(described.callees, call.getCallee()))
      described.callees.push_back(call.getCallee().str());
  });
  for (const NetworkLayer &layer :
       findNetworkLayers(function, analysis.getLifetimes()))
    described.layers.push_back(describeLayer(layer));
  return described;
}

FailureOr<report::Report> mli::makeReport(ArrayRef<MemoryMap> maps,
                                          ModuleOp module, StringRef name,
                                          AnalyseMemory analyse) {
  FailureOr<SmallVector<func::FuncOp>> functions = sortByCalls(module);
  if (failed(functions))
    return failure();
  report::Report report;
  // Maps are in this order too, and a function need not have any.
  for (func::FuncOp function : *functions) {
    if (!name.empty() && function.getSymName() != name)
      continue;
    report::Function &described = report.functions.emplace_back(
        describeFunction(function, analyse(function)));
    while (!maps.empty() && maps.front().function == described.name) {
      std::string text;
      llvm::raw_string_ostream os(text);
      printMaps(maps.consume_front(), MapFormat::Json, os);
      described.memories.push_back(StringRef(text).rtrim().str());
    }
  }
  std::reverse(report.functions.begin(), report.functions.end());
  return report;
}
