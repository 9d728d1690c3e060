// SPDX-License-Identifier: Apache-2.0
//
// Tools read the inputs and references of a network with these functions.

#ifndef MLI_TOOLS_INPUTS_H
#define MLI_TOOLS_INPUTS_H

#include "mli/Execution/Steps.h"

#include "llvm/Support/SourceMgr.h"

namespace mli {

/// The tensor in the .npy file `path`, which has to be one for `port`; `what`
/// is its name in errors. Its elements have the type of the port.
llvm::Expected<HostTensor> readPort(llvm::StringRef path, llvm::StringRef what,
                                    const Port &port);

/// The names of `function`'s arguments as `source`, the text it was parsed
/// from, spells them without `%`; empty where there is none.
std::vector<std::string> getArgumentNames(mlir::func::FuncOp function,
                                          llvm::MemoryBufferRef source);

/// The tensors for `function`, whose arguments are called `names`, from the
/// values of the option `flag`: `FILE`, `NAME=FILE` or `INDEX=FILE`. Files
/// without a name go to the inputs that are left, in order. There is none for
/// its state.
llvm::Expected<std::vector<HostTensor>>
readInputs(const CompiledFunction &function, llvm::ArrayRef<std::string> names,
           llvm::StringRef flag, llvm::ArrayRef<std::string> options);

} // namespace mli

#endif // MLI_TOOLS_INPUTS_H
