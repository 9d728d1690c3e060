// SPDX-License-Identifier: Apache-2.0
//
// mlir-lsp-server with the `mli` dialect: editors show its types, and the
// errors of its verifiers, where the text stands.

#include "Input.h"

#include "mli/Pipelines/Pipelines.h"
#include "mli/Support/OutputFiles.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mli::prepareStandardStreams();
  mlir::DialectRegistry registry;
  mli::registerDialects(registry);
  // Texts come and are parsed inside of the server, which checks nothing.
  return mli::runOnLargeStack([&] {
    bool isOk = mlir::succeeded(mlir::MlirLspServerMain(argc, argv, registry));
    int status = mli::exitStatus(mli::flushStandardOutput());
    return isOk ? status : EXIT_FAILURE;
  });
}
