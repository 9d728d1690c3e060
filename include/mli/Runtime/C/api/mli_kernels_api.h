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

#define MLI_CONVOLUTION(name, op, types, size)                                 \
  MLI_API mli_status name(const mli_tensor *in, const mli_tensor *weights,     \
                          const mli_tensor *bias, const mli_conv2d_cfg *cfg,   \
                          mli_tensor *out);

#define MLI_POOLING(name, op, type, size)                                      \
  MLI_API mli_status name(const mli_tensor *in, const mli_pool_cfg *cfg,       \
                          mli_tensor *out);

#define MLI_FULLY_CONNECTED(name, op, types)                                   \
  MLI_API mli_status name(                                                     \
      const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias, \
      const mli_fully_connected_cfg *cfg, mli_tensor *out);

/// The sum of `cfg->inputs_num` products, each rounded on its own, and a bias.
#define MLI_RNN_DENSE(name, types)                                             \
  MLI_API mli_status name(const mli_tensor **in, const mli_tensor **weights,   \
                          const mli_tensor *bias,                              \
                          const mli_rnn_dense_cfg *cfg, mli_tensor *out);

/// Gates in the order input, cell, forget, output. `cell` is updated; shape and
/// strides of `out` are written.
#define MLI_LSTM_CELL(name, types)                                             \
  MLI_API mli_status name(                                                     \
      const mli_tensor *in, const mli_tensor *prev_out,                        \
      const mli_tensor *weights_in, const mli_tensor *weights_out,             \
      const mli_tensor *bias, const mli_lut *tanh_lut,                         \
      const mli_lut *sigm_lut, const mli_rnn_cell_cfg *cfg, mli_tensor *cell,  \
      mli_tensor *out);

/// Gates in the order update, reset, new; `cfg->act` is ignored.
#define MLI_GRU_CELL(name, types)                                              \
  MLI_API mli_status name(                                                     \
      const mli_tensor *in, const mli_tensor *prev_out,                        \
      const mli_tensor *weights_in, const mli_tensor *weights_out,             \
      const mli_tensor *bias, const mli_lut *tanh_lut,                         \
      const mli_lut *sigm_lut, const mli_rnn_cell_cfg *cfg, mli_tensor *out);

/// An operand with one element is a scalar and is used for every element.
#define MLI_ELTWISE(name, op, type)                                            \
  MLI_API mli_status name(const mli_tensor *in1, const mli_tensor *in2,        \
                          mli_tensor *out);

#define MLI_RELU(name, type)                                                   \
  MLI_API mli_status name(const mli_tensor *in, const mli_relu_cfg *cfg,       \
                          mli_tensor *out);

/// The slope is a scalar.
#define MLI_LEAKY_RELU(name, type)                                             \
  MLI_API mli_status name(const mli_tensor *in, const mli_tensor *slope_coeff, \
                          mli_tensor *out);

/// One slope for each index of `cfg->axis`, or a scalar for axis -1.
#define MLI_PRELU(name, type)                                                  \
  MLI_API mli_status name(const mli_tensor *in, const mli_tensor *slope_coeff, \
                          const mli_prelu_cfg *cfg, mli_tensor *out);

/// Sigmoid and tanh.
#define MLI_ACTIVATION(name, function, type)                                   \
  MLI_API mli_status name(const mli_tensor *in, const mli_lut *lut,            \
                          mli_tensor *out);

/// `cfg->axis` below 0 is the whole tensor.
#define MLI_SOFTMAX(name, type)                                                \
  MLI_API mli_status name(const mli_tensor *in, const mli_lut *lut,            \
                          const mli_softmax_cfg *cfg, mli_tensor *out);

/// `epsilon` is not read.
#define MLI_L2_NORMALIZE(name, type)                                           \
  MLI_API mli_status name(const mli_tensor *in, const mli_tensor *epsilon,     \
                          const mli_lut *lut, const mli_l2_normalize_cfg *cfg, \
                          mli_tensor *out);

/// The `cfg->topk` largest of the whole tensor (axis -1) or of each index of
/// the axis over all others: offsets in elements from the data of `in`, in the
/// sa32 tensor `out` of shape [slices, topk].
#define MLI_ARGMAX(name, type)                                                 \
  MLI_API mli_status name(const mli_tensor *in, const mli_argmax_cfg *cfg,     \
                          mli_tensor *out);

/// Dimension i of `out` is dimension `cfg->perm_dim[i]` of `in`.
#define MLI_PERMUTE(name, type)                                                \
  MLI_API mli_status name(const mli_tensor *in, const mli_permute_cfg *cfg,    \
                          mli_tensor *out);

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
