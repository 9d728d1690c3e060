// SPDX-License-Identifier: Apache-2.0

#include "RunHelp.h"

#include "Help.h"

#include "llvm/Support/CommandLine.h"

static const char purpose[] =
    R"(Compile a network, in TFLite, TOSA or mli on tensors, and run it on this machine;
or say whether it runs, and what it takes.
)";

static const char sections[] = R"(
EXAMPLES:
  mli-run net.tflite --inspect
  mli-run net.tosa.mlir --input picture.npy --top 3 --labels labels.txt
  mli-run net.mlir --input a=a.npy --input b=b.npy --output-dir out
  mli-run net.mlir --input a.npy --input b.npy --compare expected.npy --stats
  mli-run net.tosa.mlir --input picture.npy --placement local --target vpx --explain
  mli-run net.tosa.mlir --input picture.npy --benchmark 1000 --threads 2 --per-layer
  mli-run net.tosa.mlir --input picture.npy --record run
  mli-run net.tosa.mlir --input picture.npy --placement local --target bm1684 --compare-with run
  mli-run net.tosa.mlir --placement local --target vpx --memory-map map.svg
  mli-run net.tosa.mlir --placement local --target vpx --report report.html
  mli-run net.tosa.mlir --target vpx --sweep 1K:1M --sweep-output curve.svg

EXIT CODES:
  0  it ran, and all comparisons hold
  1  with any error nothing is written; where only a comparison does not hold, results
     are written

FILES:
  tensors (.npy)            C order; int8, uint8, int16, int32 or float32: codes where the
                            network is quantised
  labels                    a line for each element
  tiles and costs (JSON)    docs/guides/tiling.md
  streams (JSON)            docs/guides/streams.md
  networks                  docs/guides/tflite.md, docs/guides/tosa.md
)";

void mli::setRunHelp(llvm::cl::OptionCategory &category) {
  setHelp({purpose, "mli-run [options] MODEL.mlir|MODEL.tflite", sections,
           &category});
}
