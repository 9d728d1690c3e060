// SPDX-License-Identifier: Apache-2.0
//
// One call of the OKK API while it runs: its name, and how it rejects.

#ifndef MLI_LIB_RUNTIME_LOCAL_OKKCALL_H
#define MLI_LIB_RUNTIME_LOCAL_OKKCALL_H

#include "mli/Layout/Violation.h"
#include "mli/Runtime/C/okk.h"

namespace mli::rt {

class OkkCall {
public:
  explicit OkkCall(const char *function) : function(function) {}

  /// True if there is no problem; else reports it.
  bool check(mli_status status,
             const std::optional<layout::Violation> &problem);
  bool checkRange(const char *parameter, int64_t value, int64_t low,
                  int64_t high);
  bool checkNotNull(const char *parameter, const void *pointer);

  /// That `okk_initialize` made local memory.
  bool checkMemory();

  /// Reports `function: expected <text>`.
  bool reject(mli_status status, const char *text);

private:
  const char *function;
};

/// The first failure since the last call.
mli_status takeOkkStatus();

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_LOCAL_OKKCALL_H
