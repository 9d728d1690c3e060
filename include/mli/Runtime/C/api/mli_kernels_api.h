// SPDX-License-Identifier: Apache-2.0
//
// Kernels of the MLI 2.0 C API. Their names are listed in `mli_kernels.def`:
// `mli_krn_<op>[_<layout>]_<types>[_<specialisation>]`, where the types are
// those of input, weights and bias, or one for all. A specialisation computes
// what the kernel without it does, for its kernel size only.
//
// Tensors of images are HWC, weights HWCN (HW1N for depthwise). Outputs arrive
// fully described (rank, shape, strides, type, parameters, buffer) except that
// relu, maxpool and softmax write the quantisation parameters of the output.
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

/// An operand with one element is a scalar and is used for every element.
#define MLI_ELTWISE(name, op, type)                                            \
  MLI_API mli_status name(const mli_tensor *in1, const mli_tensor *in2,        \
                          mli_tensor *out);

#define MLI_RELU(name, type)                                                   \
  MLI_API mli_status name(const mli_tensor *in, const mli_relu_cfg *cfg,       \
                          mli_tensor *out);

/// `cfg->axis` below 0 is the whole tensor.
#define MLI_SOFTMAX(name, type)                                                \
  MLI_API mli_status name(const mli_tensor *in, const mli_lut *lut,            \
                          const mli_softmax_cfg *cfg, mli_tensor *out);

/// The bytes that a table takes, and a function that fills one:
/// `lut->data.mem.pi16` points to at least that many bytes of the caller.
#define MLI_LUT(name, function)                                                \
  MLI_API int32_t name##_get_lut_size(void);                                   \
  MLI_API mli_status name##_create_lut(mli_lut *lut);

#include "mli_kernels.def"

#ifdef __cplusplus
}
#endif

// NOLINTEND

#endif // MLI_KERNELS_API_H
