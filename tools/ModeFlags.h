// SPDX-License-Identifier: Apache-2.0
//
// The flags of tools that compile: how kernels round and accumulate.

#ifndef MLI_TOOLS_MODEFLAGS_H
#define MLI_TOOLS_MODEFLAGS_H

#include "mli/Transforms/Options.h"

#include "llvm/Support/CommandLine.h"

namespace mli {

/// `--rounding` and `--accumulation`, which set `modes`.
struct ModeFlags {
  ModeFlags(ComputingModes &modes, llvm::cl::OptionCategory &category)
      : rounding("rounding", llvm::cl::location(modes.rounding),
                 llvm::cl::desc("How kernels round halves"),
                 roundingModeValues(), llvm::cl::init(RoundingMode::Unset),
                 llvm::cl::cat(category)),
        accumulation("accumulation", llvm::cl::location(modes.accumulation),
                     llvm::cl::desc("How kernels of sa8 accumulate"),
                     accumulationModeValues(),
                     llvm::cl::init(AccumulationMode::Unset),
                     llvm::cl::cat(category)) {}

  template <typename T>
  using Flag = llvm::cl::opt<T, /*ExternalStorage=*/true>;
  Flag<RoundingMode> rounding;
  Flag<AccumulationMode> accumulation;
};

} // namespace mli

#endif // MLI_TOOLS_MODEFLAGS_H
