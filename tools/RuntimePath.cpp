// SPDX-License-Identifier: Apache-2.0

#include "RuntimePath.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

std::string mli::findRuntime(const char *argv0) {
  void *address = reinterpret_cast<void *>(&findRuntime);
  std::string program = llvm::sys::fs::getMainExecutable(argv0, address);
  llvm::SmallString<128> path(llvm::sys::path::parent_path(program));
  llvm::sys::path::append(path, "..", "lib", MLI_RUNTIME_FILE);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}
