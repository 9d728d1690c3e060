// SPDX-License-Identifier: Apache-2.0
//
// Writes the files of a network in C, or as an object, to a folder.

#ifndef MLI_TARGET_PACKAGE_H
#define MLI_TARGET_PACKAGE_H

#include "mli/Target/C.h"

#include "llvm/Support/Error.h"

namespace mli {

/// The error that a file which would be written over is not from mli-compile.
class ForeignFileError : public llvm::ErrorInfo<ForeignFileError> {
public:
  // NOLINTNEXTLINE(readability-identifier-naming): LLVM's name.
  static char ID;

  explicit ForeignFileError(llvm::StringRef path) : path(path) {}

  llvm::StringRef getPath() const { return path; }
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string path;
};

/// Writes `files` to the folder `path`, which is made if it is not there: all
/// of them or none. Unless `isForced`, files of these names have to be from
/// mli-compile, else this is a `ForeignFileError`. Then removes code and
/// constants that an earlier call wrote there for a network of this name, where
/// `files` has none of their names.
llvm::Error writePackage(llvm::StringRef path, const std::vector<CFile> &files,
                         bool isForced);

} // namespace mli

#endif // MLI_TARGET_PACKAGE_H
