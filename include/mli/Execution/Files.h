// SPDX-License-Identifier: Apache-2.0
//
// Files with the path in every error.

#ifndef MLI_EXECUTION_FILES_H
#define MLI_EXECUTION_FILES_H

#include "mli/Execution/HostTensor.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace mli {

/// The content of the file `path`, of any kind; of standard input if it is `-`.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readFile(llvm::StringRef path);

/// Gives the memory of `file` back if it is mapped: it is read again from the
/// file where it is used again. Does nothing on systems other than Linux.
void releasePages(const llvm::MemoryBuffer &file);

/// The tensor in the .npy file `path`.
llvm::Expected<HostTensor> readNpy(llvm::StringRef path);

} // namespace mli

#endif // MLI_EXECUTION_FILES_H
