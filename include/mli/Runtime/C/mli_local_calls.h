// SPDX-License-Identifier: Apache-2.0
//
// What code that is compiled for local memory calls for an operand or a buffer:
// one function in the place of one or several of mli_local.h, with their status
// and messages. A program that is written by hand needs none of them.
//
// Each takes the status so far and does nothing but return it if that is not
// MLI_STATUS_OK, so that several calls need one test. What fails reports that
// itself, by `mli_report_failure` with `where`, unless `where` is null.

#ifndef MLI_LOCAL_CALLS_H
#define MLI_LOCAL_CALLS_H

#include "mli_local.h"

// NOLINTBEGIN: a C header, in the style of the API beside it.

#ifdef __cplusplus
extern "C" {
#endif

/// The arguments of `mli_local_use` for an operand, or that it is not called:
/// outside of okk_parallel_start and okk_parallel_end.
typedef enum {
  MLI_LOCAL_UNDECLARED = 0,
  MLI_LOCAL_READ_BY_MOVE = 1,
  MLI_LOCAL_WRITTEN_BY_MOVE = 2,
  MLI_LOCAL_READ_BY_KERNEL = 3,
  MLI_LOCAL_WRITTEN_BY_KERNEL = 4,
  MLI_LOCAL_ACCESS_LARGE_ENUM = 0x02000000
} mli_local_access;

/// For an operand of a kernel: makes `*tensor` a copy of `*type`, then calls
/// `mli_local_use`, as `access` says, and `mli_local_view`.
///
/// `params` are null, or the parameters of a `type` that is quantised along an
/// axis, which need not point to them: all zero points, then all scales, then
/// all fraction bits, each in as many bytes as its container holds. The memory
/// of `*tensor` is the view, whatever that of `*type` is.
MLI_API mli_status mli_local_operand(mli_status status, const char *where,
                                     const mli_local_tensor *local,
                                     const mli_tensor *type, const void *params,
                                     mli_local_access access,
                                     mli_tensor *tensor);

/// Calls `mli_local_use`, as `access` says, and `mli_local_scatter` for a
/// tensor like `*type` with its elements at `data`.
MLI_API mli_status mli_local_load(mli_status status, const char *where,
                                  const mli_tensor *type, const void *data,
                                  const mli_local_tensor *local,
                                  mli_local_access access);

/// The inverse, by `mli_local_gather`.
MLI_API mli_status mli_local_store(mli_status status, const char *where,
                                   const mli_local_tensor *local,
                                   const mli_tensor *type, void *data,
                                   mli_local_access access);

/// Calls `mli_local_use` alone, for an operand that is neither loaded, nor
/// stored, nor viewed.
MLI_API mli_status mli_local_declare(mli_status status, const char *where,
                                     const mli_local_tensor *local,
                                     const mli_tensor *type,
                                     mli_local_access access);

/// For a buffer that is allocated: calls `mli_local_poison`.
MLI_API mli_status mli_local_alloc(mli_status status, const char *where,
                                   const mli_local_tensor *local,
                                   const mli_tensor *type);

#ifdef __cplusplus
}
#endif

// NOLINTEND

#endif // MLI_LOCAL_CALLS_H
