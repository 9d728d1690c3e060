// SPDX-License-Identifier: Apache-2.0
//
// The functions of a network's header, in the LLVM dialect.

#ifndef MLI_LIB_TARGET_OBJECT_ENTRIES_H
#define MLI_LIB_TARGET_OBJECT_ENTRIES_H

#include "../C/Network.h"

namespace mli::object {

/// Adds the functions for callers in C to the module of `network`, which then
/// has nothing else that is public, and removes functions that none of them
/// calls.
void addEntries(const c::Network &network);

/// Adds the function that looks whether the library is as the network was
/// compiled for.
void addCheck(const c::Network &network);

} // namespace mli::object

#endif // MLI_LIB_TARGET_OBJECT_ENTRIES_H
