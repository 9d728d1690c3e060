// SPDX-License-Identifier: Apache-2.0

#include "Replacements.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <filesystem>

#include <sys/file.h>
#include <unistd.h>

using namespace llvm;

namespace mli {

// J6
Error cannotWrite(StringRef path, std::error_code code) {
  return createStringError("expected '" + path +
                           "' to be writable, but got: " + code.message());
}

// J3
std::string followInsertions(StringRef path) {
  // As many as Linux follows.
  constexpr int maxLinks = 40;
  std::filesystem::path place(path.str());
  std::error_code code;
  for (int i = 0; i < maxLinks && is_symlink(place, code); ++i)
    place = place.parent_path() / read_symlink(place, code);
  return place.string();
}

//===----------------------------------------------------------------------===//
// Temporaries
//===----------------------------------------------------------------------===//

static constexpr StringLiteral mark = ".mli-", extension = ".tmp";
static constexpr StringLiteral digits = "%%%%%%%%";

/// The first part of the names of temporaries for `place`: a long name is cut,
/// so that there is room.
static std::string getStem(StringRef place) {
  constexpr size_t longest = 200;
  return (sys::path::filename(place).take_front(longest) + mark).str();
}

static bool isTemporary(StringRef name, StringRef stem) {
  return name.consume_front(stem) && name.consume_back(extension) &&
         name.size() == digits.size() && all_of(name, isHexDigit);
}

/// Whether no other process has the lock, which ends with its process.
static bool tryLock(int file) { return flock(file, LOCK_EX | LOCK_NB) == 0; }

/// Removes the temporaries for `place` of runs that were killed.
// J5
static void removeStale(StringRef place) {
  std::string stem = getStem(place);
  StringRef folder = sys::path::parent_path(place);
  std::error_code code;
  sys::fs::directory_iterator it(folder.empty() ? "." : folder, code,
                                 /*follow_symlinks=*/false);
  for (sys::fs::directory_iterator end; it != end && !code;
       it.increment(code)) {
    int file = -1;
    if (!isTemporary(sys::path::filename(it->path()), stem) ||
        it->type() != sys::fs::file_type::regular_file ||
        sys::fs::openFileForRead(it->path(), file))
      continue;
    if (tryLock(file))
      consumeError(errorCodeToError(sys::fs::remove(it->path())));
    close(file);
  }
}

/// Whether `file` is this process's alone: another may have taken it for stale
/// before it was locked.
static bool keep(int file) {
  sys::fs::file_status status;
  bool isTaken = !tryLock(file) && errno == EWOULDBLOCK;
  return !isTaken && !sys::fs::status(file, status) &&
         status.getLinkCount() > 0;
}

/// The new file looks as the old one; the owner only where that is allowed.
// J1
static std::error_code copyAttributes(StringRef from, int to) {
  sys::fs::file_status status;
  if (sys::fs::status(from, status))
    return {};
  consumeError(errorCodeToError(
      sys::fs::changeFileOwnership(to, status.getUser(), status.getGroup())));
  return sys::fs::setPermissions(to, status.permissions());
}

Replacements::~Replacements() {
  for (Replacement &one : all)
    consumeError(one.temporary.discard());
}

Expected<sys::fs::TempFile *> Replacements::add(StringRef place) {
  removeStale(place);
  SmallString<128> model(sys::path::parent_path(place));
  sys::path::append(model, getStem(place) + digits + extension);
  while (true) {
    auto temporary = sys::fs::TempFile::create(model);
    if (!temporary)
      return cannotWrite(place, errorToErrorCode(temporary.takeError()));
    all.push_back({std::move(*temporary), place.str()});
    sys::fs::TempFile &added = all.back().temporary;
    if (keep(added.FD)) {
      if (std::error_code code = copyAttributes(place, added.FD))
        return cannotWrite(place, code);
      return &added;
    }
    consumeError(added.discard());
    all.pop_back();
  }
}

// J1, J2
Error Replacements::commit() {
  for (const Replacement &one : all)
    if (fsync(one.temporary.FD) != 0)
      return cannotWrite(one.place, errnoAsErrorCode());
  for (Replacement &one : all) {
    if (std::error_code code =
            sys::fs::rename(one.temporary.TmpName, one.place))
      return cannotWrite(one.place, code);
    if (Error failed = one.temporary.keep())
      return failed;
  }
  return Error::success();
}

} // namespace mli
