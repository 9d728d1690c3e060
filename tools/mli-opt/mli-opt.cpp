// SPDX-License-Identifier: Apache-2.0
//
// mlir-opt with the `mli` dialect, its passes and its pipelines.

#include "Optimizer.h"

#include "mli/Pipelines/Pipelines.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllPasses.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mli::registerDialects(registry);
  mlir::registerAllPasses();
  mli::registerPasses();
  return mli::runOptimizer(argc, argv, "MLI optimizer driver\n", registry);
}
