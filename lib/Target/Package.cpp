// SPDX-License-Identifier: Apache-2.0

#include "mli/Target/Package.h"

#include "mli/Support/OutputFiles.h"
#include "mli/Target/Object.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorOr.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mli;

char ForeignFileError::ID = 0;

void ForeignFileError::log(llvm::raw_ostream &os) const {
  os << "expected '" << path
     << "' to be a file of mli-compile, but got another one";
}

std::error_code ForeignFileError::convertToErrorCode() const {
  return std::make_error_code(std::errc::file_exists);
}

/// Whether the file `path` is from mli-compile, which its first bytes say, or
/// the comments in an object.
static llvm::ErrorOr<bool> isFromTool(llvm::StringRef path) {
  auto old = llvm::MemoryBuffer::getFileSlice(path, /*MapSize=*/512,
                                              /*Offset=*/0);
  if (!old)
    return old.getError();
  llvm::StringRef bytes = (*old)->getBuffer();
  if (bytes.starts_with("\x7f"
                        "ELF")) {
    auto whole = llvm::MemoryBuffer::getFile(path);
    if (!whole)
      return whole.getError();
    return isEmittedObject(**whole);
  }
  // A long name breaks the line.
  std::string head = bytes.take_front(160).str();
  llvm::StringRef line(llvm::StringRef(head).split("*/").first);
  bool isSource = line.starts_with("/* ") && line.contains("mli-compile ") &&
                  line.contains("made");
  for (llvm::StringRef start :
       {"# Made by mli-compile.", "{\n  \"made_by\": \"mli-compile ", "MLIW"})
    isSource |= bytes.starts_with(start);
  return isSource;
}

/// Whether the file `path` can be replaced: it is not there, or it is from
/// mli-compile.
static llvm::Error checkOld(llvm::StringRef path) {
  llvm::ErrorOr<bool> isOurs = isFromTool(path);
  if (isOurs.getError() == std::errc::no_such_file_or_directory)
    return llvm::Error::success();
  if (!isOurs)
    return llvm::createFileError(path, isOurs.getError());
  if (*isOurs)
    return llvm::Error::success();
  return llvm::make_error<ForeignFileError>(path);
}

/// Whether `file` is called like one with the code or the constants of the
/// network `name`.
static bool isPart(llvm::StringRef file, llvm::StringRef name) {
  if (file == ("lib" + name + ".so").str())
    return true;
  if (!file.consume_front(name))
    return false;
  if (file == ".c" || file == ".o" || file == ".bin" || file == "_weights.h" ||
      file == "_weights.c")
    return true;
  unsigned number;
  return file.consume_front("_weights_") && !file.consumeInteger(10, number) &&
         file == ".c";
}

/// Removes what is no longer part of the package in the folder `path`: a
/// compiler that takes all sources there would find symbols twice.
static llvm::Error removeOld(llvm::StringRef path,
                             const std::vector<CFile> &files) {
  auto isReport = [](const CFile &file) {
    return llvm::StringRef(file.name).ends_with(".json");
  };
  llvm::StringRef name =
      llvm::sys::path::stem(llvm::find_if(files, isReport)->name);
  std::vector<std::string> removed;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator at(path, code), end;
       !code && at != end; at.increment(code)) {
    llvm::StringRef old = llvm::sys::path::filename(at->path());
    auto isOld = [&](const CFile &file) { return file.name == old; };
    if (!isPart(old, name) || llvm::any_of(files, isOld))
      continue;
    llvm::ErrorOr<bool> isOurs = isFromTool(at->path());
    if (isOurs && *isOurs)
      removed.push_back(at->path());
  }
  if (code)
    return llvm::createFileError(path, code);
  for (const std::string &file : removed)
    if (std::error_code failed = llvm::sys::fs::remove(file))
      return llvm::createFileError(file, failed);
  return llvm::Error::success();
}

llvm::Error mli::writePackage(llvm::StringRef path,
                              const std::vector<CFile> &files, bool isForced) {
  std::vector<OutputFile> outputs;
  for (const CFile &file : files) {
    llvm::SmallString<128> name(path);
    llvm::sys::path::append(name, file.name);
    if (!isForced)
      if (llvm::Error error = checkOld(name))
        return error;
    outputs.push_back({"-o", name.str().str(),
                       [&file](llvm::raw_ostream &os) {
                         os << file.contents;
                         return llvm::Error::success();
                       },
                       nullptr});
  }
  bool isNew = !llvm::sys::fs::exists(path);
  if (std::error_code code = llvm::sys::fs::create_directories(path))
    return llvm::createFileError(path, code);
  llvm::Error error = writeTogether(outputs);
  if (!error)
    return isNew ? llvm::Error::success() : removeOld(path, files);
  if (!isNew)
    return error;
  if (std::error_code code = llvm::sys::fs::remove(path))
    return llvm::joinErrors(std::move(error),
                            llvm::createFileError(path, code));
  return error;
}
