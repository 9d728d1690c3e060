// SPDX-License-Identifier: Apache-2.0
//
// Functions that the specification declares and no library implements.

#include "Mode.h"
#include "mli/Runtime/C/api/mli_kernels_api.h"

// R16
static mli_status notSupported(const char *function) {
  mli::rt::Entry entry(function);
  return mli::rt::fail(MLI_STATUS_NOT_SUPPORTED,
                       "expected a kernel that exists, but got '%s'", function);
}

// NOLINTBEGIN(readability-identifier-naming): the C names.

mli_status mli_krn_fully_connected_fx8w16d(const mli_tensor * /*in*/,
                                           const mli_tensor * /*weights*/,
                                           const mli_tensor * /*bias*/,
                                           const mli_fully_connected_cfg *
                                           /*cfg*/,
                                           mli_tensor * /*out*/) {
  return notSupported("mli_krn_fully_connected_fx8w16d");
}

mli_status mli_krn_permute_sa32(const mli_tensor * /*in*/,
                                const mli_permute_cfg * /*cfg*/,
                                mli_tensor * /*out*/) {
  return notSupported("mli_krn_permute_sa32");
}

#define MLI_BASIC_RNN_CELL(name)                                               \
  mli_status name(const mli_tensor * /*in*/, const mli_tensor * /*prev_out*/,  \
                  const mli_tensor * /*weights*/, const mli_tensor * /*bias*/, \
                  const mli_rnn_cell_cfg_depr * /*cfg*/,                       \
                  mli_tensor * /*out*/) {                                      \
    return notSupported(#name);                                                \
  }
MLI_BASIC_RNN_CELL(mli_krn_basic_rnn_cell_fx8)
MLI_BASIC_RNN_CELL(mli_krn_basic_rnn_cell_fx16)
MLI_BASIC_RNN_CELL(mli_krn_basic_rnn_cell_fx8w16d)

// NOLINTEND(readability-identifier-naming)
