// SPDX-License-Identifier: Apache-2.0
//
// The ways in which a program is compiled and run.

#ifndef MLI_TEST_FUZZ_RUNNER_CONFIGURATIONS_H
#define MLI_TEST_FUZZ_RUNNER_CONFIGURATIONS_H

#include "../Random.h"
#include "Case.h"

namespace mli::fuzz {

/// What a configuration makes of a program.
struct Outcome {
  enum class Kind {
    Same,     ///< the bytes that the reference computes
    Refused,  ///< a diagnostic that says what the configuration cannot do
    Differs,  ///< other bytes
    Rejected, ///< an error where there should be none
    Unusable, ///< the program is none to try
    Crashed,  ///< the process ended
    Endless,  ///< the process was ended
    Costly,   ///< the right bytes, but too much work of the compiler
    Unbounded ///< the right bytes, but fewer moved than the bound allows
  };

  Kind kind = Kind::Same;
  std::string text;
  /// The target, where it is a random one.
  std::string where;
  /// The first layer that differs, or fails, if it was looked for.
  std::string layer;
  /// Allocations of the compiler, and operations of what it made.
  uint64_t allocations = 0, operations = 0;

  bool isFinding() const { return kind > Kind::Refused; }
};

const char *getName(Outcome::Kind kind);

/// The programs that a configuration takes.
enum class Takes {
  Tensors,
  All,     ///< also those on buffers of a target of their own
  Networks ///< only those that a front end made
};

struct Configuration {
  const char *name;
  const char *what;
  Outcome (*run)(const Case &program, Random &random);
  Takes takes = Takes::Tensors;

  bool canRun(const Case &program) const;
};

llvm::ArrayRef<Configuration> getConfigurations();
const Configuration *findConfiguration(llvm::StringRef name);

/// Prepares all that programs share, before processes are made.
llvm::Error prepareConfigurations(const std::string &runtimeLibrary);

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_RUNNER_CONFIGURATIONS_H
