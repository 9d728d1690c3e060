// SPDX-License-Identifier: Apache-2.0
//
// Several files that are written together or not at all.

#ifndef MLI_TOOLS_OUTPUTFILES_H
#define MLI_TOOLS_OUTPUTFILES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <vector>

namespace mli {

/// One file, `-` being the standard output, and what is in it.
struct OutputFile {
  /// The option that asks for it.
  llvm::StringRef option;
  llvm::StringRef path;
  std::function<llvm::Error(llvm::raw_ostream &os)> write;
};

/// Writes all files whole, or none at all if one of them can not be. No two may
/// have one path. `last`, if there is one, is called when all are written and
/// before the first gets its name.
llvm::Error writeTogether(std::vector<OutputFile> files,
                          llvm::function_ref<llvm::Error()> last = nullptr);

} // namespace mli

#endif // MLI_TOOLS_OUTPUTFILES_H
