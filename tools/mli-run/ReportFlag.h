// SPDX-License-Identifier: Apache-2.0
//
// `--report` of mli-run: all that is known of a network, as a page or as JSON.

#ifndef MLI_TOOLS_MLI_RUN_REPORTFLAG_H
#define MLI_TOOLS_MLI_RUN_REPORTFLAG_H

#include "Run.h"

#include "llvm/Support/CommandLine.h"

namespace mli {

struct ReportFlag {
  explicit ReportFlag(llvm::cl::OptionCategory &category);

  /// Checks that the name of the file ends as one of the forms.
  llvm::Error check() const;
  /// Has `options` make the report and write it, if it is requested.
  void addTo(RunOptions &options) const;

  llvm::cl::opt<std::string> path;
};

} // namespace mli

#endif // MLI_TOOLS_MLI_RUN_REPORTFLAG_H
