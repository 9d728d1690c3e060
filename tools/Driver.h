// SPDX-License-Identifier: Apache-2.0
//
// Tools run drivers of MLIR here, which open the file of `-o` themselves.

#ifndef MLI_TOOLS_DRIVER_H
#define MLI_TOOLS_DRIVER_H

#include "mlir/Support/LLVM.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/LogicalResult.h"

namespace mli {

/// Runs `driver` with these arguments; the file that it writes is whole, or as
/// it was. Returns the exit status.
int runDriver(int argc, char **argv,
              llvm::function_ref<mlir::LogicalResult(int, char **)> driver);

/// Makes `value` that of the flag `name` of MLIR, unless the command line gives
/// another.
void setDefault(llvm::StringRef name, bool value);

} // namespace mli

#endif // MLI_TOOLS_DRIVER_H
