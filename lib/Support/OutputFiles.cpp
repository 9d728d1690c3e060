// SPDX-License-Identifier: Apache-2.0

#include "mli/Support/OutputFiles.h"

#include "Replacements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/WithColor.h"

#include <cstdlib>

#include <fcntl.h>

using namespace llvm;

namespace mli {

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

// NOLINTNEXTLINE(readability-identifier-naming): LLVM's name.
char ReportedError::ID = 0;

void ReportedError::log(raw_ostream &os) const { os << "reported already"; }

std::error_code ReportedError::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

int exitStatus(Error error) {
  int status = error ? EXIT_FAILURE : EXIT_SUCCESS;
  handleAllErrors(
      std::move(error), [](const ReportedError &) {},
      [](const ErrorInfoBase &other) {
        WithColor::error() << other.message() << "\n";
      });
  return status;
}

//===----------------------------------------------------------------------===//
// Standard streams
//===----------------------------------------------------------------------===//

// J6
Error flushStandardOutput() {
  outs().flush();
  std::error_code code = outs().error();
  outs().clear_error();
  return code ? createStringError("expected standard output to be writable, "
                                  "but got: " +
                                  code.message())
              : Error::success();
}

// J7
void prepareStandardStreams() {
  // `open` returns the lowest number that is free, so that of the stream.
  for (auto [stream, access] :
       {std::pair(0, O_WRONLY), std::pair(1, O_RDONLY), std::pair(2, O_WRONLY)})
    if (fcntl(stream, F_GETFD) == -1)
      (void)open("/dev/null", access);
  sys::SetOneShotPipeSignalFunction(sys::DefaultOneShotPipeSignalHandler);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

namespace {

/// Where the content of a file goes.
enum class Kind { Regular, Special, Standard };

struct Target {
  const OutputFile *file;
  Kind kind;
  /// Where a symbolic link leads.
  std::string place;
};

} // namespace

/// The same for all ways to write one path.
static std::string plainPath(StringRef path) {
  SmallString<128> plain(path);
  if (path == "-" || sys::fs::make_absolute(plain))
    return path.str();
  sys::path::remove_dots(plain, /*remove_dot_dot=*/true);
  return plain.str().str();
}

// J3
static Expected<Target> findTarget(const OutputFile &file) {
  if (file.path == "-")
    return Target{&file, Kind::Standard, file.path};
  std::string place = followInsertions(file.path);
  sys::fs::file_status status;
  std::error_code code = sys::fs::status(place, status);
  if (code == std::errc::no_such_file_or_directory)
    return Target{&file, Kind::Regular, place};
  if (!code && is_directory(status))
    code = make_error_code(std::errc::is_a_directory);
  if (!code)
    code = sys::fs::access(place, sys::fs::AccessMode::Write);
  if (code)
    return cannotWrite(file.path, code);
  return Target{&file, is_regular_file(status) ? Kind::Regular : Kind::Special,
                place};
}

static Expected<std::vector<Target>>
findTargets(const std::vector<OutputFile> &files) {
  std::vector<Target> targets;
  StringMap<StringRef> optionOf;
  for (const OutputFile &file : files) {
    Expected<Target> target = findTarget(file);
    if (!target)
      return target.takeError();
    auto [found, isNew] =
        optionOf.try_emplace(plainPath(target->place), file.option);
    if (!isNew)
      return createStringError("expected '" + Twine(file.option) +
                               "' to differ from '" + found->second +
                               "', but got '" + file.path + "'");
    targets.push_back(std::move(*target));
  }
  return targets;
}

static Error writeTo(raw_fd_ostream &os, const OutputFile &file) {
  Error failed = file.write(os);
  os.flush();
  std::error_code code = os.error();
  os.clear_error();
  if (failed || !code)
    return failed;
  return cannotWrite(file.path, code);
}

/// Writes what can not be taken back.
static Error writeThrough(const Target &target) {
  const OutputFile &file = *target.file;
  if (target.kind == Kind::Standard) {
    if (Error failed = file.write ? file.write(outs()) : file.writeNamed("-"))
      return joinErrors(std::move(failed), flushStandardOutput());
    return flushStandardOutput();
  }
  if (file.writeNamed)
    return file.writeNamed(target.place);
  std::error_code code;
  raw_fd_ostream os(target.place, code, sys::fs::CD_OpenExisting,
                    sys::fs::FA_Write, sys::fs::OF_None);
  return code ? cannotWrite(file.path, code) : writeTo(os, file);
}

/// Writes the content of a regular file beside its place.
static Error writeBeside(const Target &target, Replacements &replacements) {
  const OutputFile &file = *target.file;
  Expected<sys::fs::TempFile *> temporary = replacements.add(target.place);
  if (!temporary)
    return temporary.takeError();
  if (file.writeNamed)
    return file.writeNamed((*temporary)->TmpName);
  raw_fd_ostream os((*temporary)->FD, /*shouldClose=*/false);
  return writeTo(os, file);
}

// A24, J2, J4
Error writeTogether(const std::vector<OutputFile> &files) {
  // Code that is called may end the program.
  [[maybe_unused]] static const int removes =
      std::atexit(sys::RunInterruptHandlers);
  Expected<std::vector<Target>> targets = findTargets(files);
  if (!targets)
    return targets.takeError();
  Replacements replacements;
  // Files whose contents can not be restored come last.
  for (Kind kind : {Kind::Regular, Kind::Special, Kind::Standard})
    for (const Target &target : *targets)
      if (target.kind == kind)
        if (Error failed = kind == Kind::Regular
                               ? writeBeside(target, replacements)
                               : writeThrough(target))
          return failed;
  return replacements.commit();
}

} // namespace mli
