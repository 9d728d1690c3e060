// SPDX-License-Identifier: Apache-2.0
//
// mlir-lsp-server with the `mli` dialect: editors show its types, and what its
// verifiers say, where the text stands.

#include "mli/Pipelines/Pipelines.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mli::registerDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
