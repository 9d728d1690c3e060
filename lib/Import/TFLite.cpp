// SPDX-License-Identifier: Apache-2.0
//
// Imports .tflite files and reports all operators that no kernel computes.

#include "mli/Import/Inspect.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

bool mli::isTFLite(StringRef bytes) {
  return bytes.size() >= 8 && bytes.substr(4, 4) == "TFL3";
}

OwningOpRef<ModuleOp> mli::importTFLite(StringRef bytes, StringRef file,
                                        const std::shared_ptr<void> &owner,
                                        MLIRContext *context,
                                        const ImportOptions &options) {
  Location loc = FileLineColLoc::get(context, file, 0, 0);
  std::string error;
  std::optional<Model> model = readModel(bytes, error);
  if (!model) {
    emitError(loc, error);
    return {};
  }
  FailureOr<ImportResult> imported =
      importModel(*model, options, owner, context);
  if (failed(imported))
    return {};
  ImportResult &result = *imported;
  const Graph &graph = model->graphs.front();
  if (!result.reason.empty()) {
    emitError(loc, result.reason);
    return {};
  }
  size_t count = llvm::count_if(result.operators, [](const auto &report) {
    return report.state == OperatorReport::State::Rejected;
  });
  if (count == 0) {
    for (const CutPart &cut : result.cuts)
      emitWarning(loc, describeCut(graph, cut));
    return std::move(result.module);
  }
  InFlightDiagnostic diagnostic = emitError(loc, "expected kernels for all of ")
                                  << graph.operators.size()
                                  << " operators, but got none for " << count;
  for (auto [i, report] : llvm::enumerate(result.operators))
    if (report.state == OperatorReport::State::Rejected) {
      const Operator &op = graph.operators[i];
      std::string text = describeOperator(graph, i);
      if (!op.outputs.empty())
        text += ", which computes " + describeTensor(graph, op.outputs.front());
      diagnostic.attachNote() << text << ": " << report.reason;
    }
  std::vector<int32_t> outputs = findImportedOutputs(graph, result);
  if (!outputs.empty())
    diagnostic.attachNote()
        << "the part before it runs with" << formatOutputOptions(outputs);
  return {};
}
