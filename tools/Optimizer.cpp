// SPDX-License-Identifier: Apache-2.0

#include "Optimizer.h"

#include "Diagnostics.h"
#include "Driver.h"
#include "Help.h"
#include "Input.h"
#include "PassHelp.h"
#include "TosaHints.h"

#include "mli/Support/OutputFiles.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

/// Whether what is printed in the end has been verified in any case. Of several
/// parts of the input, one may be printed where a pass fails. What reproduces a
/// crash says itself whether passes are verified.
static bool isVerified(const MlirOptMainConfig &config) {
  return config.shouldVerifyOnParsing() && config.shouldVerifyPasses() &&
         config.inputSplitMarker().empty() && !config.shouldRunReproducer();
}

static MlirOptMainConfig configure(mli::Loading loading) {
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  config.setPassPipelineSetupFn([plain = config, loading](PassManager &passes) {
    if (loading == mli::Loading::All)
      passes.getContext()->loadAllAvailableDialects();
    // Printing verifies a whole module again. What passes print where they fail
    // is not verified: its printers are configured by now.
    if (isVerified(plain))
      mli::setDefault("mlir-print-assume-verified", true);
    return plain.setupPassPipeline(passes);
  });
  return config;
}

/// Registers `--debug-only` if LLVM does not: it has debug output only where it
/// is built with assertions, our passes always.
static void registerDebugOnly() {
  namespace cl = llvm::cl;
  if (cl::getRegisteredOptions().contains("debug-only"))
    return;
  static cl::list<std::string> types(
      "debug-only", cl::CommaSeparated, cl::value_desc("PASS,..."),
      cl::desc("Print the decisions of these passes of this project"));
  types.setCallback([](const std::string &) {
    SmallVector<const char *> names;
    for (const std::string &type : types)
      names.push_back(type.c_str());
    llvm::DebugFlag = true;
    llvm::setCurrentDebugTypes(names.data(),
                               static_cast<unsigned>(names.size()));
  });
}

/// Whether `config` leaves diagnostics of `severity` out.
static bool isHidden(DiagnosticSeverity severity,
                     const MlirOptMainConfig &config) {
  VerbosityLevel level = config.getDiagnosticVerbosityLevel();
  switch (severity) {
  case DiagnosticSeverity::Warning:
    return level == VerbosityLevel::ErrorsOnly;
  case DiagnosticSeverity::Remark:
    return level != VerbosityLevel::ErrorsWarningsAndRemarks;
  case DiagnosticSeverity::Error:
  case DiagnosticSeverity::Note:
    return false;
  }
  llvm_unreachable("no other severity");
}

/// Prints diagnostics of `context` by the names of layers. The driver makes one
/// for each part of its input, and only tells extensions of it.
static void nameLayers(MLIRContext *context, func::FuncDialect *) {
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldVerifyDiagnostics())
    return;
  context->getDiagEngine().registerHandler([config](Diagnostic &diagnostic) {
    return isHidden(diagnostic.getSeverity(), config)
               ? failure()
               : mli::printNamed(diagnostic);
  });
}

/// Runs the passes that the command line names on the file `input`.
static llvm::Error optimize(StringRef input, DialectRegistry &registry,
                            mli::Loading loading, llvm::raw_ostream &os) {
  MlirOptMainConfig config = configure(loading);
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  if (!config.shouldListPasses() && !config.shouldShowDialects()) {
    buffer = openInputFile(input, &message);
    if (!buffer)
      return llvm::createStringError(message);
    if (llvm::Error error =
            mli::checkInput(*buffer, registry, config.inputSplitMarker()))
      return error;
  }
  registry.addExtension(nameLayers);
  if (failed(MlirOptMain(os, std::move(buffer), registry, config)))
    return llvm::make_error<mli::ReportedError>();
  return llvm::Error::success();
}

int mli::runOptimizer(int argc, char **argv, Help help,
                      DialectRegistry &registry, Loading loading) {
  prepareStandardStreams();
  llvm::InitLLVM init(argc, argv);
  registerDebugOnly();
  StringRef purpose = help.purpose;
  help.others = getPassToolOptions();
  help.printMore = printPassHelp;
  setHelp(std::move(help));
  addTosaHints(registry);
  return runOnLargeStack([&] {
    std::string header = registerCLIOptions(purpose, registry);
    // An operation may hold a whole network, and all of its weights.
    setDefault("mlir-print-op-on-diagnostic", false);
    auto [input, output] = parseCLIOptions(argc, argv, header);
    auto write = [&, input = input](llvm::raw_ostream &os) {
      return optimize(input, registry, loading, os);
    };
    return exitStatus(writeTogether({{"-o", output, write, nullptr}}));
  });
}
