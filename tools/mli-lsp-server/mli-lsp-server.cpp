// SPDX-License-Identifier: Apache-2.0
//
// mlir-lsp-server with the `mli` dialect: editors show its types, and what its
// verifiers say, where the text stands.

#include "Input.h"

#include "mli/Pipelines/Pipelines.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mli::registerDialects(registry);
  // Texts come and are parsed inside of the server, which checks nothing.
  return mli::runOnLargeStack([&] {
    bool isOk = mlir::succeeded(mlir::MlirLspServerMain(argc, argv, registry));
    return isOk ? EXIT_SUCCESS : EXIT_FAILURE;
  });
}
