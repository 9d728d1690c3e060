// SPDX-License-Identifier: Apache-2.0
//
// What mli-fuzz prints of the programs that it has tried.

#ifndef MLI_TEST_FUZZ_REPORT_H
#define MLI_TEST_FUZZ_REPORT_H

#include "Runner/Trial.h"

#include "llvm/Support/raw_ostream.h"

#include <map>
#include <tuple>
#include <vector>

namespace mli::fuzz {

class Report {
public:
  /// Findings go to `os`, and their programs to files in the folder
  /// `outputDir`, if there is one.
  Report(std::string outputDir, llvm::raw_ostream &os)
      : outputDir(std::move(outputDir)), os(os) {}

  void add(const Trial &trial);
  /// Prints all counts; returns whether nothing was found.
  bool finish(llvm::ArrayRef<const Configuration *> configurations) const;

private:
  /// The ranges of one kind of kernels.
  struct RangeCounts {
    uint64_t kernels = 0, clipped = 0, wrong = 0;
  };

  void addFinding(const Trial &trial, const TrialRun &run);
  void writeFile(const Trial &trial, const TrialRun &run,
                 llvm::StringRef ending, const llvm::Twine &text) const;
  void writeProgram(const Trial &trial, const TrialRun &run) const;
  void printMissing(llvm::ArrayRef<const Configuration *> configurations) const;
  void printCosts() const;

  std::string outputDir;
  llvm::raw_ostream &os;
  uint64_t trials = 0, findings = 0;
  /// By configuration and kind.
  std::map<std::pair<std::string, std::string>, uint64_t> outcomes;
  /// By operation and configuration.
  std::map<std::pair<std::string, std::string>, uint64_t> pairs;
  std::map<std::string, uint64_t> refusals, groups;
  std::map<std::string, RangeCounts> ranges;
  /// Of each run: allocations for an operation, seed and configuration.
  std::vector<std::tuple<uint64_t, uint64_t, std::string>> costs;
};

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_REPORT_H
