// SPDX-License-Identifier: Apache-2.0
//
// Chooses the part of a network that becomes a function: it is imported as a
// whole, then without the ends that no kernel computes.

#include "GraphImporter.h"

#include "mli/Import/Inspect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using State = OperatorReport::State;

/// Finds the tensors that the function takes and returns.
static FailureOr<Extent> findExtent(const Graph &graph,
                                    const ImportOptions &options,
                                    MLIRContext *context) {
  Extent extent{graph.inputs, graph.outputs, {}};
  if (options.outputs.empty())
    return extent;
  extent.outputs.clear();
  Location loc = UnknownLoc::get(context);
  for (const std::string &name : options.outputs) {
    const auto *found = llvm::find_if(graph.tensors, [&](const Tensor &tensor) {
                          return tensor.name == name;
                        }).base();
    auto index = static_cast<int32_t>(found - graph.tensors.data());
    bool isNumber = !StringRef(name).getAsInteger(10, index);
    if (!isNumber && found == graph.tensors.data() + graph.tensors.size())
      return emitError(loc, "expected an output to be a tensor, but got '")
             << name << "'";
    if (isNumber &&
        (index < 0 || index >= static_cast<int32_t>(graph.tensors.size())))
      return emitError(loc, "expected an output to be one of ")
             << graph.tensors.size() << " tensors, but got " << index;
    extent.outputs.push_back(index);
  }
  return extent;
}

static void loadDialects(MLIRContext *context) {
  context->loadDialect<MLIDialect, func::FuncDialect, scf::SCFDialect,
                       tensor::TensorDialect, arith::ArithDialect>();
}

namespace {

/// Finds what is cut off.
class CutSearch {
public:
  CutSearch(const Model &model, const Extent &whole,
            const ImportOptions &options)
      : model(model), graph(model.graphs.front()), whole(whole),
        options(options), hasProducts(graph.operators.size()),
        reasons(graph.operators.size()) {
    roles.cutsBehind = options.outputs.empty();
    roles.cutsConversions = options.floats == FloatForm::Cut;
    roles.isBlocked.resize(graph.operators.size());
    for (size_t i = 0; i < hasProducts.size(); ++i)
      hasProducts[i] = !isFloatOperator(graph, i) && countMacs(graph, i) > 0;
  }

  /// What is left of the network.
  Extent run();

  /// Reports what `extent` leaves out in `result`.
  void report(const Extent &extent, ImportResult &result) const;

private:
  std::vector<OperatorReport> tryOthers(const Extent &extent) const;
  void findLayers(ArrayRef<OperatorReport> reports);
  bool block(ArrayRef<OperatorReport> reports);

  const Model &model;
  const Graph &graph;
  const Extent &whole;
  const ImportOptions &options;
  std::vector<char> hasProducts;
  std::vector<std::string> reasons;
  Roles roles;
};

} // namespace

/// Tries all operators of `extent` but those with products, which are never cut
/// off. The context is another one, since contexts keep constants and their
/// names.
std::vector<OperatorReport> CutSearch::tryOthers(const Extent &extent) const {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  loadDialects(&context);
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  return importExtent(model, extent, options, /*owner=*/nullptr, &context,
                      hasProducts)
      .operators;
}

/// Marks the layers: all with products, or, where there are none, all that
/// kernels compute of quantised tensors.
void CutSearch::findLayers(ArrayRef<OperatorReport> reports) {
  roles.isLayer = hasProducts;
  if (llvm::is_contained(hasProducts, 1))
    return;
  for (auto [i, report] : llvm::enumerate(reports))
    roles.isLayer[i] = report.state == State::Imported &&
                       isQuantizedOperator(graph, i) && !report.kernels.empty();
}

/// Marks the operators that are rejected; false if all are known.
bool CutSearch::block(ArrayRef<OperatorReport> reports) {
  bool isNew = false;
  for (auto [i, report] : llvm::enumerate(reports)) {
    bool mayCut = isFloatOperator(graph, i) ? options.floats == FloatForm::Cut
                                            : options.cut == CutForm::Ends;
    if (report.state != State::Rejected || !mayCut || roles.isBlocked[i])
      continue;
    roles.isBlocked[i] = isNew = true;
    reasons[i] = report.reason;
  }
  return isNew;
}

Extent CutSearch::run() {
  Extent extent = whole;
  std::vector<OperatorReport> reports = tryOthers(extent);
  findLayers(reports);
  // Operators behind a blocked one may be tried only once that is cut off.
  while (block(reports)) {
    extent = cutEnds(graph, whole, roles);
    if (extent.cuts.empty())
      break;
    reports = tryOthers(extent);
  }
  return extent;
}

void CutSearch::report(const Extent &extent, ImportResult &result) const {
  result.cuts = extent.cuts;
  for (const CutPart &cut : result.cuts)
    for (size_t index : cut.operators) {
      result.operators[index].state = State::Cut;
      result.operators[index].reason =
          roles.isBlocked[index] ? reasons[index] : "at an end of others";
    }
}

FailureOr<ImportResult> tflite::importModel(const Model &model,
                                            const ImportOptions &options,
                                            const std::shared_ptr<void> &owner,
                                            MLIRContext *context) {
  loadDialects(context);
  const Graph &graph = model.graphs.front();
  FailureOr<Extent> whole = findExtent(graph, options, context);
  if (failed(whole))
    return failure();
  std::string reason = findCompiler(graph);
  CutSearch search(model, *whole, options);
  Extent extent = reason.empty() ? search.run() : *whole;
  ImportResult result = importExtent(model, extent, options, owner, context);
  search.report(extent, result);
  if (!result.module && reason.empty())
    reason = findMissingQuantization(graph);
  if (!reason.empty())
    result.reason = reason;
  return result;
}
