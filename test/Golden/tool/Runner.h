// SPDX-License-Identifier: Apache-2.0
//
// Runs the kinds of vector files, and counts.

#ifndef MLI_TEST_GOLDEN_TOOL_RUNNER_H
#define MLI_TEST_GOLDEN_TOOL_RUNNER_H

#include "GoldenTensor.h"

#include <set>

namespace mli::golden {

struct LocalSetting;

/// What came of the cases so far. Failures are printed as they happen.
struct Totals {
  int64_t passed = 0;
  int64_t failed = 0;
  int64_t skipped = 0;
  /// Functions that the runtime does not have.
  std::set<std::string> missing;
  /// Functions that were called.
  std::set<std::string> called;

  /// Counts a case, and prints it with its differences if it has any.
  void count(llvm::StringRef file, llvm::StringRef name,
             const Differences &differences);
};

/// Takes down the calls of a case, if there are programs to be written.
class CaseWriter {
public:
  explicit CaseWriter(CPrograms *programs) : programs(programs) {
    if (programs)
      writer.emplace(*programs);
  }
  operator CallWriter *() { return writer ? &*writer : nullptr; }

  /// Adds the case to the programs unless it has differences.
  void add(llvm::StringRef name, const Differences &differences);

private:
  CPrograms *programs;
  std::optional<CallWriter> writer;
};

/// Each returns an error if a vector cannot be used as it stands. Cases without
/// differences become part of `programs`, where that is not null.
llvm::Error runVectors(llvm::StringRef file, const CaseFile &cases,
                       Totals &totals, CPrograms *programs);
/// The same on tensors in local memory, once for each setting.
llvm::Error runLocalVectors(llvm::StringRef file, const CaseFile &cases,
                            llvm::ArrayRef<LocalSetting> settings,
                            Totals &totals);
llvm::Error runStatusChecks(llvm::StringRef file,
                            const std::vector<MutatedFunction> &functions,
                            Totals &totals, CPrograms *programs);
llvm::Error runLutTables(llvm::StringRef file, const std::vector<LutSpec> &luts,
                         Totals &totals, CPrograms *programs);
llvm::Error runLayouts(llvm::StringRef file, const llvm::json::Value &value,
                       Totals &totals);

} // namespace mli::golden

#endif // MLI_TEST_GOLDEN_TOOL_RUNNER_H
