// SPDX-License-Identifier: Apache-2.0
//
// mlir-reduce with the `mli` dialect and its passes.

#include "Optimizer.h"

#include "mli/Pipelines/Pipelines.h"
#include "mli/Reducer/Passes.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Reducer/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mli::registerDialects(registry);
  mlir::registerAllPasses();
  mlir::registerReducerPasses();
  mli::registerPasses();
  mli::registerMLIReducerPasses();
  // The pass that it runs is given by name, so nothing loads what that makes.
  return mli::runOptimizer(argc, argv, "MLI test case reduction tool\n",
                           registry, mli::Loading::All);
}
