// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/Files.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace mli;

namespace {

/// A file of `bytes` that are all `x`.
class TemporaryFile {
public:
  explicit TemporaryFile(size_t bytes) : content(bytes, 'x') {
    int descriptor = -1;
    EXPECT_FALSE(
        llvm::sys::fs::createTemporaryFile("files", "bin", descriptor, path));
    llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << content;
  }
  ~TemporaryFile() { EXPECT_FALSE(llvm::sys::fs::remove(path)); }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;

  std::string content;
  llvm::SmallString<64> path;
};

TEST(Files, ReleasedPagesAreReadAgain) {
  TemporaryFile file((1 << 20) + 5);
  auto buffer = readFile(file.path);
  ASSERT_TRUE(static_cast<bool>(buffer));
  EXPECT_EQ((*buffer)->getBufferKind(), llvm::MemoryBuffer::MemoryBuffer_MMap);
  EXPECT_EQ((*buffer)->getBuffer(), file.content);
  releasePages(**buffer);
  EXPECT_EQ((*buffer)->getBuffer(), file.content);
}

TEST(Files, MemoryThatIsNoFileKeepsItsBytes) {
  std::string content(1 << 20, 'x');
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(content);
  releasePages(*buffer);
  EXPECT_EQ(buffer->getBuffer(), content);
}

} // namespace
