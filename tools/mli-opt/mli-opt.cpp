// SPDX-License-Identifier: Apache-2.0
//
// mlir-opt with the `mli` dialect, its passes and its pipelines.

#include "mli/Pipelines/Pipelines.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mli::registerDialects(registry);
  mlir::registerAllPasses();
  mli::registerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "MLI optimizer driver\n", registry));
}
