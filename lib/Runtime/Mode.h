// SPDX-License-Identifier: Apache-2.0
//
// The run-time mode of parameter checks, and how a failed check is told.

#ifndef MLI_LIB_RUNTIME_MODE_H
#define MLI_LIB_RUNTIME_MODE_H

#include "mli/Runtime/C/mli_runtime.h"

#include <atomic>

namespace mli::rt {

extern std::atomic<mli_check_mode> checkMode;

inline bool checksEnabled() {
  return checkMode.load(std::memory_order_relaxed) != MLI_CHECK_OFF;
}

/// Names the C function that this thread is in, for messages.
class Entry {
public:
  explicit Entry(const char *function);
};

/// Returns `status`; with MLI_CHECK_MESSAGES also tells why, as
/// `expected '<argument>' to <condition>, but got <value>`.
[[gnu::format(printf, 2, 3)]] mli_status fail(mli_status status,
                                              const char *format, ...);

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_MODE_H
