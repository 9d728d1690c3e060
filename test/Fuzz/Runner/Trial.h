// SPDX-License-Identifier: Apache-2.0
//
// A program through all configurations, in a process of its own.

#ifndef MLI_TEST_FUZZ_RUNNER_TRIAL_H
#define MLI_TEST_FUZZ_RUNNER_TRIAL_H

#include "Configurations.h"

#include <functional>
#include <string>
#include <vector>

namespace mli::fuzz {

/// One configuration of a trial.
struct TrialRun {
  std::string configuration;
  Outcome outcome;
};

/// The range of one kernel.
struct TrialRange {
  std::string op;
  /// An intermediate was clipped, and the result is another one than rounding
  /// explains.
  bool isClipped = false, isWrong = false;
};

/// What happened to one program.
struct Trial {
  uint64_t seed = 0;
  /// The names of the operations that it has, each once.
  std::vector<std::string> operations;
  std::vector<TrialRun> runs;
  std::vector<TrialRange> ranges;
  /// What the process wrote to its standard error, the last of it.
  std::string output;
  /// Its text, where something was found, and the network that it was made of,
  /// with the ending of a file for that.
  std::string program, source, ending;
};

/// Makes the program of a seed.
using MakeCase = std::function<llvm::Expected<Case>(uint64_t seed)>;

struct TrialOptions {
  /// Those that are tried.
  std::vector<const Configuration *> configurations;
  /// Processes at the same time.
  unsigned jobs = 1;
  /// Seconds of a processor after which a process is ended.
  unsigned seconds = 60;
};

/// Tries the programs of `seeds` and calls `report` for each, in their order.
void runTrials(llvm::ArrayRef<uint64_t> seeds, const MakeCase &make,
               const TrialOptions &options,
               llvm::function_ref<void(const Trial &)> report);

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_RUNNER_TRIAL_H
