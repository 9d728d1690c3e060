// SPDX-License-Identifier: Apache-2.0
//
// What `mli-run --stats` and `mli-run --benchmark` print.

#ifndef MLI_TOOLS_MLI_RUN_STATISTICS_H
#define MLI_TOOLS_MLI_RUN_STATISTICS_H

#include "mli/Execution/Benchmark.h"

namespace mli {

/// Prints the memory and the kernels of `function`, and times in milliseconds;
/// no time of a run if there are none.
void printStatistics(llvm::raw_ostream &os, const CompiledFunction &function,
                     double compileTime, std::vector<double> runTimes);

/// Prints `result` of `runs` runs.
void printBenchmark(llvm::raw_ostream &os, const BenchmarkResult &result,
                    unsigned runs);

} // namespace mli

#endif // MLI_TOOLS_MLI_RUN_STATISTICS_H
