// SPDX-License-Identifier: Apache-2.0
//
// mlir-lsp-server with the `mli` dialect: editors show its types, and what its
// verifiers say, where the text stands.

#include "mli/Pipelines/Pipelines.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/ProgramStack.h"

/// Texts come and are parsed inside of the server, which knows no limit of
/// nesting: this is enough for 50,000 levels. What is not used takes no memory.
static constexpr unsigned stackBytes = 1U << 30;

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mli::registerDialects(registry);
  bool isOk = false;
  llvm::runOnNewStack(stackBytes, [&] {
    isOk = mlir::succeeded(mlir::MlirLspServerMain(argc, argv, registry));
  });
  return isOk ? EXIT_SUCCESS : EXIT_FAILURE;
}
