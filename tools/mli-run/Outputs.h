// SPDX-License-Identifier: Apache-2.0
//
// mli-run prints results, writes them to files and compares layers with these
// functions.

#ifndef MLI_TOOLS_MLI_RUN_OUTPUTS_H
#define MLI_TOOLS_MLI_RUN_OUTPUTS_H

#include "mli/Execution/Layers.h"
#include "mli/Support/OutputFiles.h"

namespace mli {

/// Prints a tensor's elements as quantised values and as the real numbers that
/// they have by `type`; the middle of a long tensor is left out.
void printTensor(llvm::raw_ostream &os, mlir::RankedTensorType type,
                 const HostTensor &tensor);

/// The `count` greatest elements, one a line: rank, label, real number and, if
/// `type` is quantised, quantised value. Equal ones come in order of index.
/// `labels` has one entry for each element, or none at all.
void printTop(llvm::raw_ostream &os, mlir::RankedTensorType type,
              const HostTensor &tensor, unsigned count,
              llvm::ArrayRef<std::string> labels);

/// A line for each layer, how many are within the rules and which records are
/// left; whether all layers are within.
bool printLayers(llvm::raw_ostream &os, const LayerComparison &comparison);

/// The folder for results, which is removed again if nothing gets into it.
class OutputFolder {
public:
  ~OutputFolder();

  /// Makes `path` and the folders above it, if they are not there.
  llvm::Error make(llvm::StringRef path);

private:
  /// The innermost first.
  std::vector<std::string> made;
};

/// `directory/output_K.npy` for each of `results`, which they refer to.
std::vector<OutputFile> getOutputFiles(llvm::StringRef directory,
                                       llvm::ArrayRef<HostTensor> results);

} // namespace mli

#endif // MLI_TOOLS_MLI_RUN_OUTPUTS_H
