// SPDX-License-Identifier: Apache-2.0

#include "Report.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace mli::rt {

/// Sends the two, with a colon in between.
static void send(const char *first, const char *second) {
  char message[128] = {};
  char *end = message + sizeof(message) - 1;
  char *to = message;
  for (const char *part : {first, ": ", second}) {
    auto count = static_cast<std::ptrdiff_t>(std::strlen(part));
    count = std::min(count, end - to);
    to = std::copy(part, part + count, to);
  }
  sendMessage(message);
}

// K61
mli_status failPlainly(mli_status status) {
  if (wantsMessages())
    send(getCurrentFunction(), mli_status_name(status));
  return status;
}

} // namespace mli::rt

using namespace mli::rt;

// NOLINTNEXTLINE(readability-identifier-naming): the C name.
mli_status mli_report_mismatch(mli_status status, const char *what,
                               int64_t /*expected*/, int64_t /*found*/) {
  if (status != MLI_STATUS_OK && wantsMessages())
    send(what ? what : "a value", mli_status_name(status));
  return status;
}
