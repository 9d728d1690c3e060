// SPDX-License-Identifier: Apache-2.0

#include "GraphImporter.h"

#include "ScaleLabels.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

GraphImporter::GraphImporter(const Model &model, const Graph &graph,
                             const ImportOptions &options, OpBuilder builder,
                             std::shared_ptr<void> owner)
    : TensorBuilder(builder), model(model), graph(graph), options(options),
      owner(std::move(owner)), values(graph.tensors.size()),
      labels(findScaleLabels(graph)) {}

//===----------------------------------------------------------------------===//
// The operator
//===----------------------------------------------------------------------===//

Location GraphImporter::getLocOf(int32_t index) const {
  return NameLoc::get(
      StringAttr::get(builder.getContext(), getTensor(index).name));
}

Location GraphImporter::getLocOf(size_t index, const Operator &op) const {
  SmallVector<Location> names;
  for (int32_t output : op.outputs)
    names.push_back(getLocOf(output));
  std::string text = "operator " + std::to_string(index) + " (" + op.name + ")";
  return FusedLoc::get(builder.getContext(), names,
                       StringAttr::get(builder.getContext(), text));
}

Value GraphImporter::createPoison(Type type) {
  return UnrealizedConversionCastOp::create(builder, loc, type, ValueRange())
      .getResult(0);
}

/// Why an operation between `first`, exclusive, and the end of `block` is not
/// valid; empty if all are.
static std::string findInvalid(Block *block, Operation *first) {
  std::string text;
  ScopedDiagnosticHandler handler(block->getParentOp()->getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    if (text.empty())
                                      text = diagnostic.str();
                                    return success();
                                  });
  Block::iterator it = first ? std::next(first->getIterator()) : block->begin();
  for (; it != block->end(); ++it)
    if (failed(verify(&*it)))
      return text.empty() ? "no reason" : text;
  return {};
}

OperatorReport GraphImporter::importOperator(size_t index) {
  op = &graph.operators[index];
  loc = getLocOf(index, *op);
  reason.clear();
  isUntried = false;
  Block *block = builder.getInsertionBlock();
  Operation *last = block->empty() ? nullptr : &block->back();
  ImportFunction import = findImport(op->code);
  LogicalResult result = import(*this);
  if (succeeded(result))
    if (std::string invalid = findInvalid(block, last); !invalid.empty())
      result = refuse(invalid);
  OperatorReport report;
  report.state = OperatorReport::State::Imported;
  if (succeeded(result))
    return report;
  report.state = isUntried ? OperatorReport::State::Untried
                           : OperatorReport::State::Refused;
  report.reason = reason;
  for (int32_t output : op->outputs) {
    FailureOr<Type> element = findElement(output);
    isPoisoned[output] = true;
    values[output] =
        succeeded(element) && getTensor(output).getNumElements() > 0
            ? createPoison(
                  RankedTensorType::get(getTensor(output).shape, *element))
            : Value();
  }
  return report;
}

FailureOr<int32_t> GraphImporter::getInput(size_t index) {
  int32_t input = op->getInput(index);
  if (input < 0)
    return refuse("expected input ", index, " to be given, but got none");
  return input;
}

FailureOr<int32_t> GraphImporter::getOutput(size_t index) {
  if (index >= op->outputs.size())
    return refuse("expected at least ", index + 1, " outputs, but got ",
                  op->outputs.size());
  return op->outputs[index];
}

std::string GraphImporter::describe(int32_t index) const {
  return describeTensor(graph, index);
}

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

Value GraphImporter::readState(int32_t index, RankedTensorType type) {
  for (State &state : states)
    if (state.tensor == index)
      return state.next;
  // Arguments of the inputs come first.
  Block *entry = builder.getInsertionBlock();
  BlockArgument argument = entry->addArgument(type, getLocOf(index));
  states.push_back({index, argument, argument});
  return argument;
}

void GraphImporter::writeState(int32_t index, Value value) {
  for (State &state : states)
    if (state.tensor == index)
      state.next = value;
}

void GraphImporter::defineHandle(int32_t index, StringRef name) {
  handles[index] = variables.try_emplace(name, index).first->second;
}

FailureOr<int32_t> GraphImporter::findHandle(int32_t index) {
  auto it = handles.find(index);
  if (it == handles.end())
    return refuse("expected ", describe(index),
                  " to stand for a variable, but got another tensor");
  return it->second;
}
