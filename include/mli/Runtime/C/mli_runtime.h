// SPDX-License-Identifier: Apache-2.0
//
// What this library adds to the MLI 2.0 C API: how parameters are checked, and
// where failures are told.

#ifndef MLI_RUNTIME_H
#define MLI_RUNTIME_H

#include "mli_types.h"

// NOLINTBEGIN: a C header, in the style of the API beside it.

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  /// No parameter is looked at. Invalid ones are undefined behaviour.
  MLI_CHECK_OFF = 0,
  /// Invalid parameters are told by the returned status. The default.
  MLI_CHECK_RETURN_CODES = 1,
  /// Also by a message that names the parameter, what it must be and what it
  /// is.
  MLI_CHECK_MESSAGES = 2
} mli_check_mode;

/// Sets how all threads check from now on. Unknown values are ignored.
MLI_API void mli_set_check_mode(mli_check_mode mode);
MLI_API mli_check_mode mli_get_check_mode(void);

/// Sends messages to `callback`, which may be called from any thread; a null
/// one restores the default, a line on stderr. `message` lives as long as the
/// call. Set it before other threads run kernels.
MLI_API void mli_set_message_callback(void (*callback)(const char *message,
                                                       void *cookie),
                                      void *cookie);

/// The enumerator of a status, as `MLI_STATUS_OK`, or `unknown status`.
MLI_API const char *mli_status_name(mli_status status);

/// Sends failures to `handler`; a null one restores the default, a line on
/// stderr. Set it before other threads run compiled programs.
MLI_API void mli_set_failure_handler(void (*handler)(mli_status status,
                                                     const char *where,
                                                     void *cookie),
                                     void *cookie);

/// A compiled program calls it when one of its calls returned `status`, which
/// is not `MLI_STATUS_OK`; `where` names the call.
MLI_API void mli_report_failure(mli_status status, const char *where);

#ifdef __cplusplus
}
#endif

// NOLINTEND

#endif // MLI_RUNTIME_H
