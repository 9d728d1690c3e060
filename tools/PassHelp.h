// SPDX-License-Identifier: Apache-2.0
//
// The passes of this project in the help of tools that run passes.

#ifndef MLI_TOOLS_PASSHELP_H
#define MLI_TOOLS_PASSHELP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace mli {

/// Options of MLIR that whoever runs passes of this project needs.
llvm::ArrayRef<llvm::StringRef> getPassToolOptions();

/// Prints the registered passes and pipelines of this project, by the stage of
/// a network in which they run. All options are registered.
void printPassHelp(llvm::raw_ostream &os);

} // namespace mli

#endif // MLI_TOOLS_PASSHELP_H
