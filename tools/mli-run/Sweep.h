// SPDX-License-Identifier: Apache-2.0
//
// `mli-run --sweep`: how small local memory can be, and what that costs.

#ifndef MLI_TOOLS_MLI_RUN_SWEEP_H
#define MLI_TOOLS_MLI_RUN_SWEEP_H

#include "Progress.h"

#include "mli/Execution/Program.h"

#include "llvm/Support/CommandLine.h"

namespace mli {

/// The flags of a sweep.
struct SweepFlags {
  explicit SweepFlags(llvm::cl::OptionCategory &category);

  bool isRequested() const { return sizes.getNumOccurrences() > 0; }

  /// Checks the flags, and that none of `others` stands with them; a sweep is
  /// of local placement, which `options` get.
  llvm::Error check(CompileOptions &options,
                    llvm::ArrayRef<const llvm::cl::Option *> others) const;

  /// Compiles the network of `entry`, read from `model`, for each size and
  /// writes what that gives. Returns whether it fits some size; if not, or if
  /// it is none, errors are emitted.
  llvm::Expected<bool> run(mlir::func::FuncOp entry, llvm::StringRef model,
                           const CompileOptions &options,
                           Progress &progress) const;

  llvm::cl::opt<std::string> sizes;
  llvm::cl::list<std::string> outputs;
};

} // namespace mli

#endif // MLI_TOOLS_MLI_RUN_SWEEP_H
