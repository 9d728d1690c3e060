// SPDX-License-Identifier: Apache-2.0
//
// Adds to a report what is known of a program that was compiled to be run, and
// of its runs.

#ifndef MLI_EXECUTION_RUNREPORT_H
#define MLI_EXECUTION_RUNREPORT_H

#include "mli/Execution/Benchmark.h"
#include "mli/Execution/RunComparison.h"
#include "mli/Report/Report.h"

namespace mli {

/// What there is to say of a function, and of its runs if there were any.
struct RunFacts {
  /// Compiled with `findsLayers`; its estimate is reported if it has one.
  const CompiledFunction &function;
  /// The times of `runs` runs, of each layer too; null if nothing was measured.
  const BenchmarkResult *measured = nullptr;
  unsigned runs = 0;
  /// Its layers beside those of another run.
  llvm::ArrayRef<LayerDifference> differences = {};
  /// Its first results beside references.
  llvm::ArrayRef<ResultDifference> results = {};
};

/// Adds `facts` to `report`, which `makeReport` made of the function on
/// buffers; leaves the function, which becomes the first, and those that it
/// calls. Layers that it does not have are added.
void completeReport(report::Report &report, const RunFacts &facts);

} // namespace mli

#endif // MLI_EXECUTION_RUNREPORT_H
