// SPDX-License-Identifier: Apache-2.0

#include "FrontEnds.h"

#include "Runs.h"

#include "../Interpreter/TFLiteCheck.h"
#include "../Interpreter/TosaCheck.h"

#include "mli/Conversion/Passes.h"
#include "mli/Import/TFLite.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

char Refusal::ID = 0;

/// The first reason why operators were rejected, with the operator.
static std::string findReason(const tflite::Graph &graph,
                              const tflite::ImportResult &result) {
  if (!result.reason.empty())
    return result.reason;
  for (auto [op, report] : llvm::zip_equal(graph.operators, result.operators))
    if (report.state == tflite::OperatorReport::State::Rejected)
      return op.name + ": " + report.reason;
  return "";
}

Outcome fuzz::runFrontEnd(const Case &program, Random & /*random*/) {
  Outcome outcome;
  auto difference = program.checkFrontEnd(program);
  outcome.text =
      difference ? *difference : llvm::toString(difference.takeError());
  if (!outcome.text.empty())
    outcome.kind = Outcome::Kind::Differs;
  return outcome;
}

//===----------------------------------------------------------------------===//
// TOSA
//===----------------------------------------------------------------------===//

/// What differs between results of the network and the same tensors among all
/// that it computes, `places` of which they are.
static std::string compareResults(const Case &program, const Case &whole,
                                  ArrayRef<size_t> places) {
  // A state that no output needs is none of the program.
  if (program.inputs.size() != whole.inputs.size() || !program.expected)
    return "";
  for (auto [i, place] : llvm::enumerate(places))
    if ((*program.expected)[i].data != (*whole.expected)[place].data)
      return "result " + std::to_string(i) +
             " differs from the same tensor where all of them are results";
  return "";
}

/// Converts `module` to mli; the first error where that fails.
static std::string convertFromTosa(ModuleOp module) {
  std::string error;
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
            error.empty())
          error = diagnostic.str();
        return success();
      });
  PassManager passes(module.getContext());
  ConvertTosaToMLIOptions options;
  options.full = true;
  passes.addPass(createConvertTosaToMLI(options));
  if (succeeded(passes.run(module)))
    return "";
  return error.empty() ? "the conversion fails without a reason" : error;
}

bool fuzz::hasTosa(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isa<tosa::TosaDialect>(op->getDialect())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Converts the network once more with all its tensors of i8 as results, and
/// compares each.
static llvm::Expected<std::string> checkConversion(const Case &program) {
  ParserConfig config(program.module.get()->getContext());
  auto source = parseSourceString<ModuleOp>(*program.source, config);
  returnAll(*source);
  OwningOpRef<ModuleOp> converted(cast<ModuleOp>((*source)->clone()));
  if (std::string error = convertFromTosa(*converted); !error.empty())
    return llvm::createStringError(error);
  auto whole = makeCase(std::move(converted), program.seed);
  if (!whole)
    return whole.takeError();
  std::string difference =
      checkTosa(cast<func::FuncOp>(source->lookupSymbol("main")), whole->inputs,
                *whole->expected);
  if (!difference.empty())
    return difference;
  // The results of the network come first.
  return compareResults(
      program, *whole,
      llvm::to_vector(llvm::seq<size_t>(program.expected->size())));
}

llvm::Expected<Case> fuzz::makeTosaCase(OwningOpRef<ModuleOp> module,
                                        uint64_t seed) {
  auto source = std::make_shared<std::string>();
  llvm::raw_string_ostream os(*source);
  module->print(os);
  if (std::string error = convertFromTosa(*module); !error.empty()) {
    if (StringRef(error).contains("cannot be raised to mli: "))
      return llvm::make_error<Refusal>(error);
    return llvm::createStringError(error);
  }
  auto program = makeCase(std::move(module), seed);
  if (program) {
    program->source = source;
    program->ending = ".tosa.mlir";
    program->checkFrontEnd = checkConversion;
  }
  return program;
}

//===----------------------------------------------------------------------===//
// TFLite
//===----------------------------------------------------------------------===//

/// Imports the network once more with all that its operators compute, and
/// compares each operator.
static llvm::Expected<std::string> checkImport(const Case &program) {
  std::string error;
  auto model = tflite::readModel(*program.source, error);
  if (!model)
    return llvm::createStringError(error);
  const tflite::Graph &graph = model->graphs.front();
  tflite::ImportOptions options;
  for (int32_t tensor : findComputed(graph))
    options.outputs.push_back(std::to_string(tensor));
  MLIRContext *context = program.module.get()->getContext();
  ScopedDiagnosticHandler handler(context,
                                  [](Diagnostic &) { return success(); });
  auto imported = tflite::importModel(*model, options, program.source, context);
  // An operator that no output needs may be one that is refused.
  if (failed(imported) || !imported->module)
    return "";
  auto whole = makeCase(std::move(imported->module), program.seed);
  if (!whole)
    return whole.takeError();
  std::string difference = checkTFLite(graph, whole->inputs, *whole->expected);
  if (!difference.empty())
    return difference;
  SmallVector<size_t> places;
  SmallVector<int32_t> computed = findComputed(graph);
  for (int32_t output : graph.outputs)
    places.push_back(llvm::find(computed, output) - computed.begin());
  return compareResults(program, *whole, places);
}

llvm::Expected<Case> fuzz::makeTFLiteCase(std::string bytes, uint64_t seed,
                                          MLIRContext *context) {
  auto owner = std::make_shared<std::string>(std::move(bytes));
  std::string error;
  auto model = tflite::readModel(*owner, error);
  if (!model)
    return llvm::createStringError(error);
  // Remarks tell how layers are computed.
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      error += diagnostic.str();
    return success();
  });
  // What is compared has the outputs of the network.
  tflite::ImportOptions options;
  options.floats = tflite::FloatForm::Keep;
  options.cut = tflite::CutForm::None;
  auto imported = tflite::importModel(*model, options, owner, context);
  if (failed(imported) || !error.empty())
    return llvm::createStringError("the import fails: " + error);
  std::string reason = findReason(model->graphs.front(), *imported);
  if (!imported->module && reason.empty())
    return llvm::createStringError("the import fails without a reason");
  if (!imported->module)
    return llvm::make_error<Refusal>(reason);
  auto program = makeCase(std::move(imported->module), seed);
  if (program) {
    program->source = owner;
    program->ending = ".tflite";
    program->checkFrontEnd = checkImport;
  }
  return program;
}
