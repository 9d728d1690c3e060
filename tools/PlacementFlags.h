// SPDX-License-Identifier: Apache-2.0
//
// The flags of tools that compile: the memory in which kernels compute.

#ifndef MLI_TOOLS_PLACEMENTFLAGS_H
#define MLI_TOOLS_PLACEMENTFLAGS_H

#include "mli/Execution/Program.h"

#include "llvm/Support/CommandLine.h"

namespace mli {

/// How much `--explain` prints.
enum class Explanation { None, Table, Full };

/// A flag that sets one option of a pipeline, and has its description.
template <typename T>
struct PipelineFlag : llvm::cl::opt<T, /*ExternalStorage=*/true> {
  template <typename PipelineOption, typename... Modifiers>
  PipelineFlag(llvm::StringRef name, PipelineOption &option,
               llvm::cl::OptionCategory &category,
               const Modifiers &...modifiers)
      : llvm::cl::opt<T, /*ExternalStorage=*/true>(
            name, llvm::cl::location(option.getValue()),
            llvm::cl::desc(option.HelpStr), llvm::cl::cat(category),
            modifiers...) {}
};

/// The flags of system placement.
struct StreamFlags {
  /// They set options of `system`.
  template <typename Options>
  StreamFlags(Options &system, llvm::cl::OptionCategory &category)
      : arena("arena", system.arena, category, llvm::cl::value_desc("N|min")),
        recompute("recompute", system.recompute, category,
                  llvm::cl::value_desc("PERCENT")),
        streams("streams", system.streams, category,
                llvm::cl::value_desc("FILE.json")),
        explain("explain-streams", system.explainStreams, category) {}

  /// Checks that none stands with local placement, nor without what it is for.
  llvm::Error check(Placement placement) const;

  PipelineFlag<ArenaLimit> arena;
  PipelineFlag<Bounded<0, 100>> recompute;
  PipelineFlag<std::string> streams;
  PipelineFlag<bool> explain;
};

/// `--placement`, and the flags of local placement.
struct PlacementFlags {
  /// They set `placement` and `local`.
  PlacementFlags(Placement &placement, LocalOptions &local,
                 llvm::cl::OptionCategory &category);

  /// Checks that no flag of local placement stands with system placement.
  llvm::Error check() const;
  /// Checks that local placement has a target, of the flags or of `module`.
  llvm::Error checkTarget(mlir::ModuleOp module) const;

  llvm::cl::opt<Placement, /*ExternalStorage=*/true> placement;
  PipelineFlag<std::string> target;
  PipelineFlag<layout::Mode> mode;
  PipelineFlag<bool> matrices;
  PipelineFlag<DoubleBuffering> doubleBuffer;
  PipelineFlag<std::string> overrides;
  PipelineFlag<Bounded<0>> budget;
  llvm::cl::opt<Explanation> explain;
};

} // namespace mli

#endif // MLI_TOOLS_PLACEMENTFLAGS_H
