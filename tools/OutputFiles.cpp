// SPDX-License-Identifier: Apache-2.0

#include "OutputFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace llvm;

namespace mli {

static Error refuse(const OutputFile &file, const Twine &condition) {
  return createStringError("expected '" + Twine(file.option) + "' to " +
                           condition + ", but got '" + file.path + "'");
}

/// The same for all ways to write one path.
static SmallString<128> plainPath(StringRef path) {
  SmallString<128> plain(path);
  if (path == "-" || sys::fs::make_absolute(plain))
    return plain;
  sys::path::remove_dots(plain, /*remove_dot_dot=*/true);
  return plain;
}

static Error check(ArrayRef<OutputFile> files) {
  StringMap<StringRef> optionOf;
  for (const OutputFile &file : files) {
    if (file.path != "-" && sys::fs::is_directory(file.path))
      return refuse(file, "be a file");
    auto [found, isNew] =
        optionOf.try_emplace(plainPath(file.path), file.option);
    if (!isNew)
      return refuse(file, "differ from '" + found->second + "'");
  }
  return Error::success();
}

/// Each file is put into its place when those behind it are written.
static Error writeNested(ArrayRef<OutputFile> files,
                         function_ref<Error()> last) {
  if (files.empty())
    return last ? last() : Error::success();
  const OutputFile &file = files.front();
  return writeToOutput(file.path, [&](raw_ostream &os) -> Error {
    if (Error failed = file.write(os))
      return failed;
    os.flush();
    if (os.get_kind() == raw_ostream::OStreamKind::OK_FDStream) {
      auto &stream = static_cast<raw_fd_ostream &>(os);
      if (std::error_code failed = stream.error()) {
        stream.clear_error();
        return createFileError(file.path, failed);
      }
    }
    return writeNested(files.drop_front(), last);
  });
}

// A24
Error writeTogether(std::vector<OutputFile> files, function_ref<Error()> last) {
  if (Error failed = check(files))
    return failed;
  // What is shown can not be taken back.
  auto shown =
      find_if(files, [](const OutputFile &file) { return file.path == "-"; });
  if (shown != files.end())
    std::rotate(shown, shown + 1, files.end());
  return writeNested(files, last);
}

} // namespace mli
