// SPDX-License-Identifier: Apache-2.0
//
// Files that are written whole or not at all.

#ifndef MLI_SUPPORT_OUTPUTFILES_H
#define MLI_SUPPORT_OUTPUTFILES_H

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <string>
#include <vector>

namespace mli {

/// One file, `-` being the standard output, and what is in it. One of both
/// functions is there.
struct OutputFile {
  /// The option that requests it.
  llvm::StringRef option;
  std::string path;
  std::function<llvm::Error(llvm::raw_ostream &os)> write;
  /// For code that opens files itself: writes the file of this name, or `-`.
  std::function<llvm::Error(llvm::StringRef path)> writeNamed;
};

/// Writes all files whole, or leaves all as they were if one of them can not be
/// written. No two may have one path.
llvm::Error writeTogether(const std::vector<OutputFile> &files);

/// Flushes the standard output. Fails if anything written to it was not.
llvm::Error flushStandardOutput();

/// Keeps files that a tool opens from becoming standard streams that are
/// closed: what is written to a closed standard output is an error, a message
/// on a closed standard error is lost.
void prepareStandardStreams();

/// An error that diagnostics have reported in full.
class ReportedError : public llvm::ErrorInfo<ReportedError> {
public:
  // NOLINTNEXTLINE(readability-identifier-naming): LLVM's name.
  static char ID;
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;
};

/// Reports `error` and returns the exit status of a tool that ends with it.
int exitStatus(llvm::Error error);

} // namespace mli

#endif // MLI_SUPPORT_OUTPUTFILES_H
