// SPDX-License-Identifier: Apache-2.0

#include "mli/Target/Object.h"

#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace mli;

/// An empty file, whose name ends with `suffix`, at `path`.
static llvm::Error createFile(llvm::StringRef suffix,
                              llvm::SmallString<128> &path) {
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("mli-compile", suffix, path))
    return llvm::createFileError("a temporary file", code);
  return llvm::Error::success();
}

static llvm::Expected<std::string> read(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createFileError(path, buffer.getError());
  return (*buffer)->getBuffer().str();
}

llvm::Expected<std::string> mli::linkObject(llvm::StringRef code,
                                            llvm::StringRef name,
                                            llvm::StringRef linker) {
  llvm::SmallString<128> input, output, messages;
  llvm::SmallVector<std::unique_ptr<llvm::FileRemover>, 3> removers;
  for (auto [suffix, path] : {std::pair("o", &input), std::pair("so", &output),
                              std::pair("txt", &messages)}) {
    if (llvm::Error error = createFile(suffix, *path))
      return error;
    removers.push_back(std::make_unique<llvm::FileRemover>(*path));
  }
  std::error_code failed;
  llvm::raw_fd_ostream os(input, failed);
  os << code;
  os.close();
  if (os.has_error())
    return llvm::createFileError(input, os.error());
  // The same object gives the same library.
  llvm::StringRef arguments[] = {linker,    "-shared", "--build-id=none",
                                 "-soname", name,      "-o",
                                 output,    input};
  std::optional<llvm::StringRef> redirects[] = {std::nullopt, messages.str(),
                                                messages.str()};
  std::string problem;
  int status = llvm::sys::ExecuteAndWait(
      linker, arguments, /*Env=*/std::nullopt, redirects, /*SecondsToWait=*/0,
      /*MemoryLimit=*/0, &problem);
  if (status == 0) {
    auto library = read(output);
    if (!library ||
        llvm::identify_magic(*library) == llvm::file_magic::elf_shared_object)
      return library;
    problem = "no shared library of ELF";
  }
  if (problem.empty())
    problem = "exit code " + std::to_string(status);
  if (auto text = read(messages))
    problem += ": " + *text;
  else
    llvm::consumeError(text.takeError());
  return llvm::createStringError("expected '" + linker +
                                 "' to link, but got: " + problem);
}
