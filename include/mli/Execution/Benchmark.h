// SPDX-License-Identifier: Apache-2.0
//
// The time that a compiled function takes, and its parts.

#ifndef MLI_EXECUTION_BENCHMARK_H
#define MLI_EXECUTION_BENCHMARK_H

#include "mli/Execution/Clocks.h"
#include "mli/Execution/Program.h"

#include <algorithm>

namespace mli {

/// The calls of one function of the runtime in a run.
struct CallTimes {
  std::string function;
  unsigned calls = 0;
  /// Time of all these calls, without checks: the median of the runs.
  double microseconds = 0;
};

/// All calls of one layer in a run.
struct LayerTimes {
  /// The function of the runtime that was called.
  std::string function;
  /// Time of these calls, without checks: the median of the runs.
  double microseconds = 0;
};

/// Times in microseconds. Those of the processor are of the thread that runs
/// the function, and do not depend on what else the machine does. Those of
/// calls are of runs that the machine did not interrupt, if there are such.
struct BenchmarkResult {
  /// Whole runs as callers see them, by the clock on the wall: parameters are
  /// checked.
  double median = 0, least = 0;
  /// The same by the processor: the median of batches of runs, so that looking
  /// at its clock does not count.
  double processor = 0;
  /// The time in which kernels compute, without checks.
  double kernels = 0;
  /// The time for checks of parameters: by how much runs without them are
  /// faster.
  double checks = 0;
  /// The kernels that were called, by time.
  std::vector<CallTimes> calls;
  /// The layers of the function in their order, if they are measured.
  std::vector<LayerTimes> layers;

  /// The fraction of a run that checks take, and the fraction outside of
  /// kernels: moves, tables, and everything between calls. 0 where that is less
  /// than what times differ from run to run.
  double checking() const { return part(checks); }
  double outside() const { return part(processor - kernels - checks); }

private:
  double part(double time) const {
    return processor > 0 ? std::max(time / processor, 0.0) : 0;
  }
};

/// Runs `function` of `program` on `inputs` `runs` times, 1 at least, as often
/// again without checks, and once more to see how long each call takes, in
/// turn; reading `clocks` is not counted. `measuresLayers` needs a program that
/// was compiled with `findsLayers`. An error reports which input does not fit,
/// which kernel failed, or that layers depend on data.
llvm::Expected<BenchmarkResult>
benchmark(const Program &program, const CompiledFunction &function,
          llvm::ArrayRef<HostTensor> inputs, unsigned runs,
          Clocks clocks = getSystemClocks(), bool measuresLayers = false);

} // namespace mli

#endif // MLI_EXECUTION_BENCHMARK_H
