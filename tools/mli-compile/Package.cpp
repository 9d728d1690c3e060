// SPDX-License-Identifier: Apache-2.0

#include "Package.h"

#include "mli/Support/OutputFiles.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mli;

/// Whether the file `path` can be replaced: it is not there, or it is from
/// mli-compile, which its first bytes say.
static llvm::Error checkOld(llvm::StringRef path) {
  auto old = llvm::MemoryBuffer::getFileSlice(path, /*MapSize=*/512,
                                              /*Offset=*/0);
  if (!old) {
    if (old.getError() == std::errc::no_such_file_or_directory)
      return llvm::Error::success();
    return llvm::createFileError(path, old.getError());
  }
  llvm::StringRef bytes = (*old)->getBuffer();
  // A long name breaks the line.
  std::string head = bytes.take_front(160).str();
  llvm::StringRef line(llvm::StringRef(head).split("*/").first);
  bool isSource = line.starts_with("/* ") && line.contains("mli-compile ") &&
                  line.contains("made");
  for (llvm::StringRef start :
       {"# Made by mli-compile.", "{\n  \"made_by\": \"mli-compile ", "MLIW"})
    isSource |= bytes.starts_with(start);
  if (isSource)
    return llvm::Error::success();
  return llvm::createStringError("expected '" + path +
                                 "' to be a file of mli-compile, or '--force', "
                                 "but got another one");
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
  if (!error || !isNew)
    return error;
  if (std::error_code code = llvm::sys::fs::remove(path))
    return llvm::joinErrors(std::move(error),
                            llvm::createFileError(path, code));
  return error;
}
