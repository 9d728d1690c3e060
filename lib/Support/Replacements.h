// SPDX-License-Identifier: Apache-2.0
//
// Regular files that are written beside those that they replace.

#ifndef MLI_LIB_SUPPORT_REPLACEMENTS_H
#define MLI_LIB_SUPPORT_REPLACEMENTS_H

#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"

#include <list>
#include <string>

namespace mli {

/// The error of a file that can not be written.
llvm::Error cannotWrite(llvm::StringRef path, std::error_code code);

/// The path that a symbolic link leads to, whether it is there or not.
std::string followInsertions(llvm::StringRef path);

/// Temporaries that are put into their places together; those that are not are
/// removed.
class Replacements {
public:
  Replacements() = default;
  Replacements(const Replacements &) = delete;
  Replacements &operator=(const Replacements &) = delete;
  ~Replacements();

  /// A temporary with the owner and the permissions of the file at `place`.
  llvm::Expected<llvm::sys::fs::TempFile *> add(llvm::StringRef place);

  /// Gives all their names, once their contents are on the disk.
  llvm::Error commit();

private:
  struct Replacement {
    llvm::sys::fs::TempFile temporary;
    std::string place;
  };
  std::list<Replacement> all;
};

} // namespace mli

#endif // MLI_LIB_SUPPORT_REPLACEMENTS_H
