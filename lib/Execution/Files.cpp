// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/Files.h"

#include "mli/Execution/Npy.h"

#include "llvm/Support/Process.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

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

void mli::releasePages(const llvm::MemoryBuffer &file) {
  // LLVM's `dontNeedIfMmap` asks by posix_madvise, which glibc ignores.
#ifdef __linux__
  if (file.getBufferKind() != llvm::MemoryBuffer::MemoryBuffer_MMap)
    return;
  uint64_t page = llvm::sys::Process::getPageSizeEstimate();
  const char *begin = file.getBufferStart();
  begin -= reinterpret_cast<uintptr_t>(begin) % page;
  (void)::madvise(const_cast<char *>(begin), file.getBufferEnd() - begin,
                  MADV_DONTNEED);
#else
  (void)file;
#endif
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
