// SPDX-License-Identifier: Apache-2.0
//
// mli-run writes the results of layers to a folder with this, and compares them
// with those of another run.

#ifndef MLI_TOOLS_MLI_RUN_RECORDS_H
#define MLI_TOOLS_MLI_RUN_RECORDS_H

#include "Outputs.h"

#include "mli/Execution/RunComparison.h"
#include "mli/Execution/Steps.h"

#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/CommandLine.h"

namespace mli {

struct RecordOptions {
  /// The folder to write, and that of the other run; empty if there is none.
  std::string recordDir, compareDir;
  Tolerance tolerance;

  bool recordsLayers() const {
    return !recordDir.empty() || !compareDir.empty();
  }
};

/// `--record`, `--compare-with`, `--max-abs` and `--min-sqnr`, which set
/// `options`.
struct RecordFlags {
  RecordFlags(RecordOptions &options, llvm::cl::OptionCategory &category);

  /// Checks their values, and that none stands with one of `others`. Tolerances
  /// need `--compare-with`, or references (`hasReferences`). Records have a
  /// folder of their own, which results in `outputDir` do not share.
  llvm::Error check(llvm::ArrayRef<const llvm::cl::Option *> others,
                    bool hasReferences, llvm::StringRef outputDir) const;

  template <typename T>
  using Flag = llvm::cl::opt<T, /*ExternalStorage=*/true>;
  RecordOptions &options;
  Flag<std::string> record, compareWith;
  llvm::cl::opt<double> maxDistance, minSqnr;
};

/// The layers of one run.
class LayerRun {
public:
  explicit LayerRun(const RecordOptions &options) : options(options) {}

  /// Reads what is compared with, before `entry` is compiled for `compile`.
  llvm::Error prepare(mlir::func::FuncOp entry, const CompileOptions &compile);

  /// Runs `function` of `program`; the result is that of the network.
  llvm::Expected<std::vector<HostTensor>>
  run(const Program &program, const CompiledFunction &function,
      llvm::ArrayRef<HostTensor> inputs);

  /// Appends the files of the records and their list, which are in `folder`.
  llvm::Error addFiles(std::vector<OutputFile> &files, OutputFolder &folder);

  /// Its layers beside those of the other run.
  llvm::ArrayRef<LayerDifference> getDifferences() const { return differences; }

  /// Prints which layers have no record, and how they differ from the other
  /// run; whether all are within the tolerance.
  bool print(llvm::raw_ostream &os) const;

private:
  const RecordOptions &options;
  /// The other run, and the network on tensors that its records pair with.
  RecordedRun other;
  mlir::OwningOpRef<mlir::ModuleOp> network;
  std::string entryName;
  Recording recording;
  LayerList list;
  std::vector<LayerDifference> differences;
};

/// Prints where and how `result` of `port` differs from `reference`, if it
/// does; whether it is within `tolerance`.
bool printReference(llvm::raw_ostream &os, const Port &port,
                    const HostTensor &result, const HostTensor &reference,
                    const ResultDifference &compared,
                    const Tolerance &tolerance);

/// Prints a line for each layer, and where the first difference outside of
/// `tolerance` is; whether there is none.
bool printRunComparison(llvm::raw_ostream &os,
                        llvm::ArrayRef<LayerDifference> layers,
                        const Tolerance &tolerance);

} // namespace mli

#endif // MLI_TOOLS_MLI_RUN_RECORDS_H
