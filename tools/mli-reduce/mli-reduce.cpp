// SPDX-License-Identifier: Apache-2.0
//
// mlir-reduce with the `mli` dialect and its passes.

#include "Driver.h"

#include "mli/Pipelines/Pipelines.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mli::registerDialects(registry);
  mlir::registerAllPasses();
  mli::registerPasses();
  mlir::MLIRContext context(registry);
  // The pass that it runs is given by name, so nothing loads what that makes.
  context.loadAllAvailableDialects();
  return mli::runDriver(argc, argv, [&](int argc, char **argv) {
    return mlir::mlirReduceMain(argc, argv, context);
  });
}
