// SPDX-License-Identifier: Apache-2.0
//
// mlir-opt with the `mli` dialect, its passes and its pipelines.

#include "mli/Pipelines/Pipelines.h"
#include "mli/Support/Nesting.h"
#include "mli/Support/OutputFiles.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

/// Runs the passes that the command line names on the file `input`.
static llvm::Error optimize(StringRef input, DialectRegistry &registry,
                            llvm::raw_ostream &os) {
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  if (!config.shouldListPasses() && !config.shouldShowDialects()) {
    buffer = openInputFile(input, &message);
    if (!buffer)
      return llvm::createStringError(message);
    if (llvm::Error error =
            mli::checkNesting(*buffer, config.inputSplitMarker()))
      return error;
  }
  if (failed(MlirOptMain(os, std::move(buffer), registry, config)))
    return llvm::make_error<mli::ReportedError>();
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  mli::prepareStandardStreams();
  llvm::InitLLVM init(argc, argv);
  DialectRegistry registry;
  mli::registerDialects(registry);
  registerAllPasses();
  mli::registerPasses();
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "MLI optimizer driver\n", registry);
  auto write = [&, input = input](llvm::raw_ostream &os) {
    return optimize(input, registry, os);
  };
  return mli::exitStatus(mli::writeTogether({{"-o", output, write, nullptr}}));
}
