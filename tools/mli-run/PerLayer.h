// SPDX-License-Identifier: Apache-2.0
//
// `mli-run --per-layer`: what each layer takes, as a table, JSON or CSV.

#ifndef MLI_TOOLS_MLI_RUN_PERLAYER_H
#define MLI_TOOLS_MLI_RUN_PERLAYER_H

#include "mli/Execution/Benchmark.h"

#include "llvm/Support/CommandLine.h"

namespace mli {

/// The flag, without a value for a table on the standard output.
struct PerLayerFlag : llvm::cl::opt<std::string> {
  explicit PerLayerFlag(llvm::cl::OptionCategory &category);

  /// Checks that there are `runs` to measure and that the name of the file says
  /// what it is to hold.
  llvm::Error check(unsigned runs) const;
  /// The path; empty for the table. Nothing if layers are not asked for.
  std::optional<std::string> getFile() const;
};

/// A run of a function that was measured.
struct MeasuredRun {
  const CompiledFunction &function;
  const BenchmarkResult &result;
  unsigned runs;
};

/// Prints a line for each layer, for what else a run takes, and for all.
void printLayerTable(llvm::raw_ostream &os, const MeasuredRun &run);

/// Writes the same to the file `path`, as JSON or CSV by its name.
void writeLayerFile(llvm::raw_ostream &os, llvm::StringRef path,
                    const MeasuredRun &run);

} // namespace mli

#endif // MLI_TOOLS_MLI_RUN_PERLAYER_H
