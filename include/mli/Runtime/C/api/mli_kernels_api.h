// SPDX-License-Identifier: Apache-2.0
//
// Kernels of the MLI 2.0 C API. Their names are listed in `mli_kernels.def`:
// `mli_krn_<op>[_<layout>]_<types>[_<specialisation>]`, where the types are
// those of input, weights and bias, or one for all. A specialisation computes
// what the kernel without it does, for its kernel size only.
//
// Tensors of images are HWC, weights HWCN (HW1N for depthwise). Outputs arrive
// fully described (rank, shape, strides, type, parameters, buffer) except that
// relu, maxpool, permute, argmax and the kernels with a table write the
// quantisation parameters of the output.
// Nothing outside the elements of an output is written.

#ifndef MLI_KERNELS_API_H
#define MLI_KERNELS_API_H

#include "../mli_types.h"

// NOLINTBEGIN: a C header, whose names the specification fixes.

#ifdef __cplusplus
extern "C" {
#endif

#define MLI_KERNEL(name, signature)                                            \
  MLI_API mli_status name(signature(MLI_PARAMETER));

/// The bytes that a table takes, and a function that fills one:
/// `lut->data.mem.pi16` points to at least that many bytes of the caller.
#define MLI_LUT(name, function)                                                \
  MLI_API int32_t name##_get_lut_size(void);                                   \
  MLI_API mli_status name##_create_lut(mli_lut *lut);

#include "mli_kernels.def"

/// The specification declares these and nothing implements them: they return
/// MLI_STATUS_NOT_SUPPORTED.
MLI_API mli_status mli_krn_fully_connected_fx8w16d(
    const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias,
    const mli_fully_connected_cfg *cfg, mli_tensor *out);
MLI_API mli_status mli_krn_permute_sa32(const mli_tensor *in,
                                        const mli_permute_cfg *cfg,
                                        mli_tensor *out);
MLI_API mli_status mli_krn_basic_rnn_cell_fx8(
    const mli_tensor *in, const mli_tensor *prev_out, const mli_tensor *weights,
    const mli_tensor *bias, const mli_rnn_cell_cfg_depr *cfg, mli_tensor *out);
MLI_API mli_status mli_krn_basic_rnn_cell_fx16(
    const mli_tensor *in, const mli_tensor *prev_out, const mli_tensor *weights,
    const mli_tensor *bias, const mli_rnn_cell_cfg_depr *cfg, mli_tensor *out);
MLI_API mli_status mli_krn_basic_rnn_cell_fx8w16d(
    const mli_tensor *in, const mli_tensor *prev_out, const mli_tensor *weights,
    const mli_tensor *bias, const mli_rnn_cell_cfg_depr *cfg, mli_tensor *out);

#ifdef __cplusplus
}
#endif

// NOLINTEND

#endif // MLI_KERNELS_API_H
