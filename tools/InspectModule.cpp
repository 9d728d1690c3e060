// SPDX-License-Identifier: Apache-2.0

#include "InspectModule.h"

#include "mli/Conversion/InspectTosa.h"
#include "mli/Conversion/TosaBatch.h"
#include "mli/Execution/Program.h"
#include "mli/IR/LocationNames.h"
#include "mli/Pipelines/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mli;

/// Compiles `module` up to its buffers, in system memory.
static LogicalResult compile(ModuleOp module, StringRef entry) {
  if (failed(checkModule(module)) || failed(selectEntry(module, entry)) ||
      failed(raise(module)))
    return failure();
  PassManager passes(module->getName());
  buildBufferPipeline(passes, PackingOptions());
  return passes.run(module);
}

std::string mli::describeOpenBatch(BlockArgument argument) {
  std::string text;
  llvm::raw_string_ostream(text)
      << "expected a fixed batch, but got " << argument.getType()
      << " as input " << argument.getArgNumber()
      << ": give it one by '--batch' of mli-run or mli-compile";
  return text;
}

Inspection mli::inspectModule(ModuleOp module, StringRef entry) {
  // It says why shapes are not static.
  std::string openBatch;
  if (BlockArgument open = findOpenBatch(module))
    openBatch = describeOpenBatch(open);
  Inspection inspection = inspectTosa(module);
  Verdict &verdict = inspection.verdict;
  if (!openBatch.empty()) {
    verdict.blockers = {{"", openBatch}};
    verdict.runs = verdict.hasCommand = false;
  }
  if (!entry.empty())
    verdict.options += (" --entry=" + entry).str();
  if (!verdict.runs)
    return inspection;
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
          verdict.blockers.push_back(
              {describePlace(diagnostic.getLocation()), diagnostic.str()});
        return success();
      });
  verdict.runs = verdict.hasCommand = succeeded(compile(module, entry));
  return inspection;
}
