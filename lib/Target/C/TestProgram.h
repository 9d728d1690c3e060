// SPDX-License-Identifier: Apache-2.0
//
// The programs that run a network: on files, or on vectors that they hold.

#ifndef MLI_LIB_TARGET_C_TESTPROGRAM_H
#define MLI_LIB_TARGET_C_TESTPROGRAM_H

#include "Sources.h"

namespace mli::c {

/// Prints the program on files that runs `function`, but for its head.
std::string printFileProgram(const Network &network, const Function &function);

/// Prints the program on the vectors of the options, but for its head.
std::string printVectorProgram(const Network &network,
                               const Function &function);

/// Prints the arena and the state, `run(parameters)`, which calls `function`,
/// and `check()`, which checks the library and begins the state. `passPort`
/// gives the argument for an input or output; a blob is in `weights_data`.
void printCalls(const Network &network, const Function &function,
                llvm::StringRef parameters,
                llvm::function_ref<std::string(const Port &)> passPort,
                Writer &os);

} // namespace mli::c

#endif // MLI_LIB_TARGET_C_TESTPROGRAM_H
