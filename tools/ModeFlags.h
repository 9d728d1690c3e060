// SPDX-License-Identifier: Apache-2.0
//
// The flags of tools that compile: how kernels round and accumulate.

#ifndef MLI_TOOLS_MODEFLAGS_H
#define MLI_TOOLS_MODEFLAGS_H

#include "mli/Execution/Program.h"

#include "llvm/Support/CommandLine.h"

namespace mli {

/// `--rounding` and `--accumulation`, which set `modes`.
struct ModeFlags {
  ModeFlags(ComputingModes &modes, llvm::cl::OptionCategory &category)
      : rounding(
            "rounding", llvm::cl::location(modes.rounding),
            llvm::cl::desc("How kernels round halves"),
            llvm::cl::values(
                clEnumValN(MLI_ROUND_UP, "up", "To the greater number"),
                clEnumValN(MLI_ROUND_CONVERGENT, "convergent",
                           "To the even one: libraries for EM and HS cores")),
            llvm::cl::init(MLI_ROUND_UP), llvm::cl::cat(category)),
        accumulation(
            "accumulation", llvm::cl::location(modes.accumulation),
            llvm::cl::desc("How kernels of sa8 accumulate"),
            llvm::cl::values(
                clEnumValN(MLI_ACCUMULATE_NARROW, "narrow",
                           "Products through 16 bits, averages with "
                           "multipliers of 8 bits"),
                clEnumValN(MLI_ACCUMULATE_FULL_PRODUCTS, "full-products",
                           "Products with all bits"),
                clEnumValN(MLI_ACCUMULATE_FULL_AVERAGES, "full-averages",
                           "Averages with multipliers of 16 bits"),
                clEnumValN(MLI_ACCUMULATE_FULL, "full", "Both")),
            llvm::cl::init(MLI_ACCUMULATE_NARROW), llvm::cl::cat(category)) {}

  template <typename T>
  using Flag = llvm::cl::opt<T, /*ExternalStorage=*/true>;
  Flag<mli_rounding_mode> rounding;
  Flag<mli_accumulation_mode> accumulation;
};

} // namespace mli

#endif // MLI_TOOLS_MODEFLAGS_H
