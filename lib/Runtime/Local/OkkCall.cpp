// SPDX-License-Identifier: Apache-2.0

#include "Runtime/Local/OkkCall.h"

#include "Runtime/Local/LocalMemory.h"
#include "mli/Runtime/C/mli_runtime.h"

#include <cstdio>

namespace mli::rt {

static mli_status firstFailure = MLI_STATUS_OK;

mli_status takeOkkStatus() {
  mli_status status = firstFailure;
  firstFailure = MLI_STATUS_OK;
  return status;
}

// L32
bool OkkCall::reject(mli_status status, const char *text) {
  char message[512];
  std::snprintf(message, sizeof(message), "%s: %s", function, text);
  if (firstFailure == MLI_STATUS_OK)
    firstFailure = status;
  mli_report_failure(status, message);
  return false;
}

bool OkkCall::check(mli_status status,
                    const std::optional<layout::Violation> &problem) {
  if (!problem)
    return true;
  char text[384];
  layout::print(*problem, text, sizeof(text));
  return reject(status, text);
}

bool OkkCall::checkRange(const char *parameter, int64_t value, int64_t low,
                         int64_t high) {
  return check(MLI_STATUS_ARGUMENT_ERROR,
               layout::checkRange(parameter, value, low, high));
}

bool OkkCall::checkNotNull(const char *parameter, const void *pointer) {
  if (pointer)
    return true;
  char text[128];
  std::snprintf(text, sizeof(text),
                "expected '%s' to be an address, but got null", parameter);
  return reject(MLI_STATUS_ARGUMENT_ERROR, text);
}

bool OkkCall::checkMemory() {
  if (localMemory())
    return true;
  return reject(MLI_STATUS_NOT_ENGH_MEM,
                "expected 'okk_initialize' to be called before, but got no "
                "local memory");
}

} // namespace mli::rt
