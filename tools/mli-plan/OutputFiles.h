// SPDX-License-Identifier: Apache-2.0
//
// Several files that are written together or not at all.

#ifndef MLI_TOOLS_MLI_PLAN_OUTPUTFILES_H
#define MLI_TOOLS_MLI_PLAN_OUTPUTFILES_H

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <vector>

namespace mli::plan_tool {

/// One file, `-` being the standard output, and what is in it.
struct OutputFile {
  /// The option that asks for it.
  llvm::StringRef option;
  llvm::StringRef path;
  std::function<llvm::Error(llvm::raw_ostream &os)> write;
};

/// Writes all files whole, or none at all if one of them can not be. No two may
/// have one path.
llvm::Error writeTogether(std::vector<OutputFile> files);

} // namespace mli::plan_tool

#endif // MLI_TOOLS_MLI_PLAN_OUTPUTFILES_H
