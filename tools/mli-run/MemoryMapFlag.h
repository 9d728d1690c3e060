// SPDX-License-Identifier: Apache-2.0
//
// `--memory-map` of mli-run: where the buffers of the program are that runs.

#ifndef MLI_TOOLS_MLI_RUN_MEMORYMAPFLAG_H
#define MLI_TOOLS_MLI_RUN_MEMORYMAPFLAG_H

#include "Run.h"

#include "llvm/Support/CommandLine.h"

namespace mli {

struct MemoryMapFlag {
  explicit MemoryMapFlag(llvm::cl::OptionCategory &category);

  /// Checks that the name of the file ends as one of the forms.
  llvm::Error check() const;
  /// Has `options` make the map and write it, if it is requested.
  void addTo(RunOptions &options) const;

  llvm::cl::opt<std::string> path;
};

} // namespace mli

#endif // MLI_TOOLS_MLI_RUN_MEMORYMAPFLAG_H
