// SPDX-License-Identifier: Apache-2.0
//
// Extensions of the MLI 2.0 C API: they set how parameters are checked, how
// numbers are rounded, and where failures are reported.

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
  /// Invalid parameters are reported by the returned status. The default.
  MLI_CHECK_RETURN_CODES = 1,
  /// The same, and a message that names the parameter, what it must be and what
  /// it is.
  MLI_CHECK_MESSAGES = 2,
  MLI_CHECK_LARGE_ENUM = 0x02000000
} mli_check_mode;

/// Sets how all threads check from now on. Unknown values are ignored.
MLI_API void mli_set_check_mode(mli_check_mode mode);
MLI_API mli_check_mode mli_get_check_mode(void);

/// The modes that the reference fixes when it is built, and this library when a
/// call starts. Each default is that of a build of the reference.

/// The direction in which a rounding shift takes halves.
typedef enum {
  /// Up. The default.
  MLI_ROUND_UP = 0,
  /// To the even neighbour (ROUND_MODE=CONVERGENT).
  MLI_ROUND_CONVERGENT = 1,
  MLI_ROUND_LARGE_ENUM = 0x02000000
} mli_rounding_mode;

/// How kernels convert sa8 accumulators. The values can be combined.
typedef enum {
  /// Through 16 bits, averages by multipliers of 8 bits. The default.
  MLI_ACCUMULATE_NARROW = 0,
  /// Convolutions and matrix products add the whole bias, and multiply the
  /// whole accumulator once. So do recurrent kernels, which multiply it once
  /// anyway (FULL_ACCU=ON).
  MLI_ACCUMULATE_FULL_PRODUCTS = 1,
  /// Averages have multipliers of 16 bits (AVEPOOL_16BIT_MUL=ON).
  MLI_ACCUMULATE_FULL_AVERAGES = 2,
  MLI_ACCUMULATE_FULL = 3,
  MLI_ACCUMULATE_LARGE_ENUM = 0x02000000
} mli_accumulation_mode;

/// Set how all threads compute from their next call on. Unknown values are
/// ignored. `mli_hlp_compile_options_string` returns what is set.
MLI_API void mli_set_rounding_mode(mli_rounding_mode mode);
MLI_API mli_rounding_mode mli_get_rounding_mode(void);
MLI_API void mli_set_accumulation_mode(mli_accumulation_mode mode);
MLI_API mli_accumulation_mode mli_get_accumulation_mode(void);

/// Sends messages to `callback`, which may be called from any thread; a null
/// one restores the default, a line on stderr. `message` lives as long as the
/// call. Set it before other threads run kernels.
MLI_API void mli_set_message_callback(void (*callback)(const char *message,
                                                       void *cookie),
                                      void *cookie);

/// Calls `callback` where a kernel, move, conversion or table begins, with
/// `ends` 0, and in the same thread where it ends, with 1: to measure them.
/// Those that are called from inside another are part of it. A null callback,
/// the default, ends it. Set it while no thread runs kernels.
MLI_API void mli_set_profile_callback(void (*callback)(const char *function,
                                                       int ends, void *cookie),
                                      void *cookie);

/// The enumerator of a status, as `MLI_STATUS_OK`, or `unknown status`.
MLI_API const char *mli_status_name(mli_status status);

/// Sends failures to `handler`; a null one restores the default, a line on
/// stderr. Set it before other threads run compiled programs.
MLI_API void mli_set_failure_handler(void (*handler)(mli_status status,
                                                     const char *where,
                                                     void *cookie),
                                     void *cookie);

/// A compiled program calls it with what it found itself before a call, and
/// gets `status` back. Where that is not `MLI_STATUS_OK`, it reports with
/// MLI_CHECK_MESSAGES: `expected <what> <expected>, but got <found>`.
MLI_API mli_status mli_report_mismatch(mli_status status, const char *what,
                                       int64_t expected, int64_t found);

/// A compiled program calls it when one of its calls returned `status`, which
/// is not `MLI_STATUS_OK`; `where` names the call.
MLI_API void mli_report_failure(mli_status status, const char *where);

#ifdef __cplusplus
}
#endif

// NOLINTEND

#endif // MLI_RUNTIME_H
