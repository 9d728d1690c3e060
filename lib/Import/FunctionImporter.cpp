// SPDX-License-Identifier: Apache-2.0
//
// Imports a graph as a function: its arguments, results and signature around
// the operators that GraphImporter imports.

#include "GraphImporter.h"
#include "TFLite_generated.h"
#include "mli/IR/AttributeNames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

namespace {

/// Imports one graph as a function.
class FunctionImporter {
public:
  FunctionImporter(const Model &model, const Extent &extent,
                   const ImportOptions &options, std::shared_ptr<void> owner,
                   MLIRContext *context, ArrayRef<char> isSkipped)
      : graph(model.graphs.front()), extent(extent), options(options),
        isSkipped(isSkipped), isNeeded(findNeeded(graph, extent)),
        module(ModuleOp::create(UnknownLoc::get(context))), builder(context) {
    builder.setInsertionPointToEnd(module->getBody());
    function = func::FuncOp::create(builder, builder.getUnknownLoc(), "main",
                                    builder.getFunctionType({}, {}));
    builder.setInsertionPointToStart(function.addEntryBlock());
    importer.emplace(model, graph, isNeeded, options, builder,
                     std::move(owner));
  }

  ImportResult run();

private:
  void addArguments();
  OperatorReport importOperator(size_t index);
  LogicalResult addResults();
  void eraseDead();
  void nameKernels(std::vector<OperatorReport> &reports);
  bool isUnsigned(int32_t index) const {
    return graph.tensors[index].type == schema::TensorType::UINT8;
  }

  const Graph &graph;
  const Extent &extent;
  const ImportOptions &options;
  ArrayRef<char> isSkipped;
  /// Of each operator.
  std::vector<char> isNeeded;
  OwningOpRef<ModuleOp> module;
  OpBuilder builder;
  func::FuncOp function;
  std::optional<GraphImporter> importer;
  /// The reason why an input has no argument.
  std::string inputReason;
};

} // namespace

/// Adds an argument for each input. Inputs without an element type have none,
/// so the operators that read them are rejected.
void FunctionImporter::addArguments() {
  for (int32_t input : extent.inputs) {
    const Tensor &tensor = graph.tensors[input];
    FailureOr<Type> element = importer->getElement(input);
    if (failed(element) || failed(importer->checkElements(input))) {
      inputReason = importer->takeFailureReason();
      continue;
    }
    auto type = RankedTensorType::get(tensor.shape, *element);
    function.getBody().addArgument(type, importer->getTensorLoc(input));
    importer->define(input, function.getArguments().back());
  }
}

LogicalResult FunctionImporter::addResults() {
  SmallVector<Value> results;
  for (int32_t output : extent.outputs) {
    FailureOr<Value> value = importer->read(output);
    if (failed(value))
      return failure();
    results.push_back(*value);
  }
  for (const GraphImporter::State &state : importer->getStates())
    results.push_back(state.next);
  func::ReturnOp::create(builder, builder.getUnknownLoc(), results);
  function.setType(builder.getFunctionType(
      function.getBody().getArgumentTypes(), ValueRange(results).getTypes()));
  for (auto [i, input] : llvm::enumerate(extent.inputs))
    if (isUnsigned(input))
      function.setArgAttr(i, unsignedAttrName, builder.getUnitAttr());
  for (auto [i, output] : llvm::enumerate(extent.outputs))
    if (isUnsigned(output))
      function.setResultAttr(i, unsignedAttrName, builder.getUnitAttr());
  auto getScale = [&](int32_t index) {
    return builder.getF64FloatAttr(importer->getScale(index));
  };
  for (auto [i, input] : llvm::enumerate(extent.inputs))
    if (importer->getLabel(input) != 1)
      function.setArgAttr(i, scaleAttrName, getScale(input));
  for (auto [i, output] : llvm::enumerate(extent.outputs))
    if (importer->getLabel(output) != 1)
      function.setResultAttr(i, scaleAttrName, getScale(output));
  for (const GraphImporter::State &state : importer->getStates())
    function.setArgAttr(state.argument.getArgNumber(), stateAttrName,
                        builder.getUnitAttr());
  return success();
}

/// Erases operations of operators that others have absorbed.
void FunctionImporter::eraseDead() {
  Block &body = function.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// Lists the kernels of each operator, which share its location.
void FunctionImporter::nameKernels(std::vector<OperatorReport> &reports) {
  llvm::DenseMap<Location, size_t> indices;
  for (size_t i = 0; i < graph.operators.size(); ++i)
    indices.try_emplace(importer->getOperatorLoc(i, graph.operators[i]), i);
  function.walk([&](Operation *op) {
    auto it = indices.find(op->getLoc());
    if (it != indices.end() && isa<DestinationStyleOpInterface>(op) &&
        isa_and_nonnull<MLIDialect>(op->getDialect()))
      reports[it->second].kernels.push_back(op->getName().getStringRef().str());
  });
}

OperatorReport FunctionImporter::importOperator(size_t index) {
  OperatorReport report;
  if (!isSkipped.empty() && isSkipped[index]) {
    importer->skipOperator(index);
    report.state = OperatorReport::State::Untried;
    return report;
  }
  report = importer->importOperator(index);
  if (options.floats == FloatForm::Refuse && isFloatOperator(graph, index)) {
    report.state = OperatorReport::State::Rejected;
    report.reason = "expected no float32, but got it as an operand";
  }
  return report;
}

ImportResult FunctionImporter::run() {
  ImportResult result;
  result.operators.resize(graph.operators.size());
  addArguments();
  bool isComplete = true;
  for (size_t i = 0; i < graph.operators.size(); ++i) {
    if (!isNeeded[i])
      continue;
    result.operators[i] = importOperator(i);
    isComplete &= result.operators[i].state == OperatorReport::State::Imported;
  }
  if (isComplete) {
    result.reason = inputReason;
    if (inputReason.empty() && failed(addResults()))
      result.reason = importer->takeFailureReason();
    if (result.reason.empty())
      result.reason =
          findError(builder.getContext(), [&] { return verify(*module); });
    isComplete = result.reason.empty();
  }
  if (isComplete)
    eraseDead();
  nameKernels(result.operators);
  if (isComplete)
    result.module = std::move(module);
  return result;
}

ImportResult tflite::importExtent(const Model &model, const Extent &extent,
                                  const ImportOptions &options,
                                  std::shared_ptr<void> owner,
                                  MLIRContext *context,
                                  ArrayRef<char> isSkipped) {
  return FunctionImporter(model, extent, options, std::move(owner), context,
                          isSkipped)
      .run();
}
