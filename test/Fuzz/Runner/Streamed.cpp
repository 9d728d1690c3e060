// SPDX-License-Identifier: Apache-2.0

#include "Runs.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

Outcome fuzz::runStreams(const Case &program, Random &random) {
  static constexpr int64_t percents[] = {0, 0, 10, 100};
  CompileOptions options;
  options.packing.order =
      random.chance(50) ? PackOrder::None : PackOrder::Pairs;
  options.packing.arena = "min";
  options.packing.recompute = random.pick(llvm::ArrayRef(percents));
  return runWith(program, options, /*mayRefuse=*/true);
}
