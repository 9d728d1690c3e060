// SPDX-License-Identifier: Apache-2.0
//
// How long a compiled function takes, and what for.

#ifndef MLI_EXECUTION_BENCHMARK_H
#define MLI_EXECUTION_BENCHMARK_H

#include "mli/Execution/Program.h"

#include <algorithm>

namespace mli {

/// The calls of one function of the runtime in a run.
struct CallTimes {
  std::string function;
  unsigned calls = 0;
  /// Of all of them, without checks: the median of the runs.
  double microseconds = 0;
};

/// Times in microseconds. Those of the processor are of the thread that runs
/// the function, and do not depend on what else the machine does. Those of
/// calls are of runs that the machine did not interrupt, if there are such.
struct BenchmarkResult {
  /// Whole runs as callers see them, by the clock on the wall: parameters are
  /// checked.
  double median = 0, least = 0;
  /// The same by the processor, the median.
  double processor = 0;
  /// What kernels compute of it, without checks. Moves, tables, checks and
  /// everything between calls are outside.
  double kernels = 0;
  /// What was called, by time.
  std::vector<CallTimes> calls;

  /// The part of a run that is outside of kernels; 0 where that is less than
  /// what times differ from run to run.
  double outside() const { return std::max(1 - kernels / processor, 0.0); }
};

/// Runs `function` of `program` on `inputs` `runs` times, at least once, and as
/// often again, in turn, to see how long each call takes; reading the clock is
/// not counted. An error says which input does not fit or which kernel failed.
llvm::Expected<BenchmarkResult> benchmark(const Program &program,
                                          const CompiledFunction &function,
                                          llvm::ArrayRef<HostTensor> inputs,
                                          unsigned runs);

} // namespace mli

#endif // MLI_EXECUTION_BENCHMARK_H
