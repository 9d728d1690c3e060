// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/Files.h"

#include "mli/Execution/Npy.h"

using namespace mli;

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
mli::readFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(
      path, /*IsText=*/false, /*RequiresNullTerminator=*/true);
  if (std::error_code error = buffer.getError())
    return llvm::createStringError(
        "expected '" + path + "' to be readable, but got: " + error.message());
  return std::move(*buffer);
}

llvm::Expected<HostTensor> mli::readNpy(llvm::StringRef path) {
  auto buffer = readFile(path);
  if (!buffer)
    return buffer.takeError();
  std::string error;
  std::optional<HostTensor> tensor = parseNpy((*buffer)->getBuffer(), error);
  if (!tensor)
    return llvm::createStringError(error + " in '" + path + "'");
  return std::move(*tensor);
}
