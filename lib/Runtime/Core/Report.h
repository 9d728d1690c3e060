// SPDX-License-Identifier: Apache-2.0
//
// How failures are told: with texts and numbers, or, in the plain profile,
// which has no text in the program, by the names of the function and the
// status.

#ifndef MLI_LIB_RUNTIME_CORE_REPORT_H
#define MLI_LIB_RUNTIME_CORE_REPORT_H

#include "Mode.h"

namespace mli::rt {

bool wantsMessages();
/// The C function that this thread is in.
const char *getCurrentFunction();
/// Calls what the client has set for messages.
void sendMessage(const char *message);

namespace report {

/// What messages and failures do where the client has set nothing.
#ifdef MLI_RUNTIME_PLAIN
inline constexpr void (*print)(const char *, void *) = nullptr;
inline constexpr void (*printFailure)(mli_status, const char *,
                                      void *) = nullptr;
#else
void print(const char *message, void *cookie);
void printFailure(mli_status status, const char *where, void *cookie);
#endif

} // namespace report
} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_CORE_REPORT_H
