// SPDX-License-Identifier: Apache-2.0
//
// mli-run compiles a network with these functions, runs it and prints results.

#ifndef MLI_TOOLS_MLI_RUN_RUN_H
#define MLI_TOOLS_MLI_RUN_RUN_H

#include "Records.h"

#include "mli/Execution/Program.h"
#include "mli/Execution/RunReport.h"
#include "mli/Support/OutputFiles.h"

namespace mli {

/// The command line, in the words of `mli-run --help`.
struct RunOptions {
  std::vector<std::string> inputs;
  std::string outputDir;
  std::vector<std::string> references;
  std::string labelsFile;
  unsigned topCount = 0;
  /// At least 1.
  unsigned repeat = 1;
  bool printStatistics = false;
  bool printParts = false;
  /// Runs to measure; 0 for none.
  unsigned benchmarkRuns = 0;
  /// Where what each layer takes goes: a file, or the standard output if
  /// empty; nothing if nowhere.
  std::optional<std::string> perLayer;
  std::string profileFile;
  std::string layersDir;
  RecordOptions records;
  /// What is written of the compiled program, and whether that is all.
  std::vector<OutputFile> reports;
  /// Called before these are written, with all that is known.
  std::function<void(const RunFacts &)> whenKnown = [](const RunFacts &) {};
  /// Whether the report has what a run takes, layer by layer.
  bool isReported = false;
  bool isCompiledOnly = false;
  CompileOptions compile;

  bool needsLayers() const { return perLayer || isReported; }
  /// Called once the network is compiled.
  std::function<void()> whenCompiled = [] {};
};

/// Compiles `entry`, whose arguments are called `names`, and runs it, unless
/// only reports are requested. The result is false if a comparison does not
/// hold or if the compiler has emitted an error.
llvm::Expected<bool> runNetwork(mlir::func::FuncOp entry,
                                llvm::ArrayRef<std::string> names,
                                RunOptions options);

/// The same for `entry`'s kernels one by one on recorded values.
llvm::Expected<bool> runLayers(mlir::func::FuncOp entry,
                               llvm::ArrayRef<std::string> names,
                               const RunOptions &options);

} // namespace mli

#endif // MLI_TOOLS_MLI_RUN_RUN_H
