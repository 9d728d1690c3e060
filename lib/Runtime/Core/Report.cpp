// SPDX-License-Identifier: Apache-2.0

#include "Report.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>

namespace mli::rt {

void report::print(const char *message, void * /*cookie*/) {
  std::fprintf(stderr, "%s\n", message);
}

void report::printFailure(mli_status status, const char *where,
                          void * /*cookie*/) {
  std::fprintf(stderr, "%s failed: %s\n", where, mli_status_name(status));
}

// K61
mli_status fail(mli_status status, const char *format, ...) {
  if (!wantsMessages())
    return status;
  char message[512];
  int length =
      std::snprintf(message, sizeof(message), "%s: ", getCurrentFunction());
  va_list arguments;
  va_start(arguments, format);
  if (length >= 0 && length < static_cast<int>(sizeof(message)))
    std::vsnprintf(message + length, sizeof(message) - length, format,
                   arguments);
  va_end(arguments);
  sendMessage(message);
  return status;
}

} // namespace mli::rt

using namespace mli::rt;

// NOLINTNEXTLINE(readability-identifier-naming): the C name.
mli_status mli_report_mismatch(mli_status status, const char *what,
                               int64_t expected, int64_t found) {
  if (status == MLI_STATUS_OK || !wantsMessages())
    return status;
  char message[512];
  std::snprintf(message, sizeof(message),
                "expected %s %" PRId64 ", but got %" PRId64,
                what ? what : "a value of", expected, found);
  sendMessage(message);
  return status;
}
