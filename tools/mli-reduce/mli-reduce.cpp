// SPDX-License-Identifier: Apache-2.0
//
// mlir-reduce with the `mli` dialect and its passes.

#include "Help.h"
#include "Optimizer.h"

#include "mli/Pipelines/Pipelines.h"
#include "mli/Reducer/Passes.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Reducer/Passes.h"

static const char purpose[] =
    R"(Make a small program of a large one that still has a finding, which a script
tells: mlir-reduce with the dialect of MLI 2.0 and its passes.
)";

static const char sections[] = R"(
EXAMPLES:
  mli-reduce net.mlir --mli-reduce-by-patterns=test=./is-interesting -o small.mlir
  mli-reduce net.mlir --opt-reduction-pass='opt-pass=canonicalize test=./is-interesting'
  mli-reduce net.mlir --reduction-tree='traversal-mode=0 test=./is-interesting'

EXIT CODES:
  0  what is left is written
  1  there were errors; nothing is written

FILES:
  the script gets a file, and exits with 0 for what is not interesting and with
  anything else for what is: docs/guides/reduce.md
  passes and their options: docs/reference/ReducerPasses.md
)";

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mli::registerDialects(registry);
  mlir::registerAllPasses();
  mlir::registerReducerPasses();
  mli::registerPasses();
  mli::registerMLIReducerPasses();
  // The pass that it runs is given by name, so nothing loads what that makes.
  return mli::runOptimizer(
      argc, argv, {purpose, "mli-reduce [options] FILE.mlir", sections},
      registry, mli::Loading::All);
}
