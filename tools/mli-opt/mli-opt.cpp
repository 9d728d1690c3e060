// SPDX-License-Identifier: Apache-2.0
//
// mlir-opt with the `mli` dialect, its passes and its pipelines.

#include "Help.h"
#include "Optimizer.h"

#include "mli/Pipelines/Pipelines.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllPasses.h"

static const char purpose[] =
    R"(Run passes on a network or a program of MLIR, and print what they leave:
mlir-opt with the dialect of MLI 2.0, its passes and its pipelines.
)";

static const char sections[] = R"(
EXAMPLES:
  mli-opt net.tosa.mlir --convert-tosa-to-mli=full
  mli-opt net.tosa.mlir --mli-local-buffer-pipeline=target=bm1684 -o buffers.mlir
  mli-opt net.tosa.mlir --mli-buffer-pipeline --mli-print-memory-map=format=json

EXIT CODES:
  0  all passes succeeded, and what they left is written
  1  there were errors; nothing is written

FILES:
  operations and types of mli   docs/reference/Dialect.md
  passes and their options      docs/reference/ConversionPasses.md, TransformsPasses.md
  tiles and costs (JSON)        docs/guides/tiling.md
  streams (JSON)                docs/guides/streams.md
)";

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mli::registerDialects(registry);
  mlir::registerAllPasses();
  mli::registerPasses();
  return mli::runOptimizer(
      argc, argv, {purpose, "mli-opt [options] FILE.mlir", sections}, registry);
}
