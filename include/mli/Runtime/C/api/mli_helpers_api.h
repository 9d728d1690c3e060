// SPDX-License-Identifier: Apache-2.0
//
// Helpers of the MLI 2.0 C API: questions about tensors, views of them and
// conversions between element types.

#ifndef MLI_HELPERS_API_H
#define MLI_HELPERS_API_H

#include "../mli_types.h"

#include <stdbool.h>

// NOLINTBEGIN: a C header, whose names the specification fixes.

/// Dimensions of a feature map by layout.
#define FMAP_H_DIM_CHW (1)
#define FMAP_W_DIM_CHW (2)
#define FMAP_C_DIM_CHW (0)
#define FMAP_H_DIM_HWC (0)
#define FMAP_W_DIM_HWC (1)
#define FMAP_C_DIM_HWC (2)

/// Dimensions of weights by layout: D is input channels, C output channels.
#define KRNL_H_DIM_CHW (2)
#define KRNL_W_DIM_CHW (3)
#define KRNL_D_DIM_CHW (1)
#define KRNL_C_DIM_CHW (0)
#define KRNL_H_DIM_HWC (1)
#define KRNL_W_DIM_HWC (2)
#define KRNL_D_DIM_HWC (3)
#define KRNL_C_DIM_HWC (0)
#define KRNL_H_DIM_HWCN (0)
#define KRNL_W_DIM_HWCN (1)
#define KRNL_D_DIM_HWCN (2)
#define KRNL_C_DIM_HWCN (3)
#define KRNL_DW_H_DIM_HW1N (0)
#define KRNL_DW_W_DIM_HW1N (1)
#define KRNL_DW_D_DIM_HW1N (2)
#define KRNL_DW_N_DIM_HW1N (3)

/// Dimensions of one gate of the weights of a recurrent cell.
#define KRNL_RNN_W_IN_ELEMS_DIM (1)
#define KRNL_RNN_W_OUT_ELEMS_DIM (2)

#ifdef __cplusplus
extern "C" {
#endif

/// The product of `shape[start_dim..rank-1]`, modulo 2^32; 1 for rank 0, and
/// where `start_dim` is the rank. With checks 0 if the rank is over 4, or not 0
/// and below `start_dim`.
MLI_API uint32_t mli_hlp_count_elem_num(const mli_tensor *in,
                                        uint32_t start_dim);

/// Bytes of one element; 0 for types without a kernel (fx4, fp16, unknown).
MLI_API uint32_t mli_hlp_tensor_element_size(const mli_tensor *in);

/// True if both tensors have the same element type, a rank over 0 and the same
/// data pointer.
MLI_API bool mli_hlp_tensor_data_ptr_cmp(const mli_tensor *in1,
                                         const mli_tensor *in2);

/// Converts between the fx and sa types. `dst` specifies type, quantisation and
/// strides; where its rank and shape, or its strides, are all zero they are
/// filled from `src`. Equal container sizes may be converted in place.
MLI_API mli_status mli_hlp_convert_tensor_safx(const mli_tensor *src,
                                               mli_tensor *dst);

/// `mli_hlp_convert_tensor_safx`, and also to and from fp32.
MLI_API mli_status mli_hlp_convert_tensor(const mli_tensor *src,
                                          mli_tensor *dst);

/// Makes `out` a view of `in`: `size` elements from `offset` on. The first
/// dimensions of size 1 disappear until the rank is `sub_tensor_rank`. Per-axis
/// parameters are shared with `in`. The quantised axis must survive.
MLI_API mli_status mli_hlp_create_subtensor(const mli_tensor *in,
                                            const mli_sub_tensor_cfg *cfg,
                                            mli_tensor *out);

/// The name that the specification has for it.
MLI_API mli_status mli_hlp_subtensor(const mli_tensor *in,
                                     const mli_subtensor_cfg *cfg,
                                     mli_tensor *out);

/// Deprecated: a view of a contiguous tensor from a coordinate on, without
/// strides. With checks only views of rank 1 succeed.
MLI_API mli_status mli_hlp_point_to_subtensor(
    const mli_tensor *in, const mli_point_to_subtsr_cfg *cfg, mli_tensor *out);

/// `scale_frac_bits` of an sa tensor, `frac_bits` of an fx one, else 0. The
/// index counts along the quantised axis; it is ignored without one.
MLI_API int32_t mli_hlp_tensor_scale_shift(const mli_tensor *in,
                                           const uint32_t scale_idx);

/// The scale of an sa tensor, 1 for fx and fp32, else 0.
MLI_API int32_t mli_hlp_tensor_scale(const mli_tensor *in,
                                     const uint32_t scale_idx);

/// The zero point of an sa tensor, else 0.
MLI_API int16_t mli_hlp_tensor_zero_offset(const mli_tensor *in,
                                           const uint32_t zero_idx);

/// Returns how the library was built, as ` NAME=VALUE` pairs.
MLI_API const char *mli_hlp_compile_options_string(void);

/// The bits that an accumulator has beyond a product.
MLI_API uint8_t mli_hlp_accu_guard_bits_sa8_sa8(void);
MLI_API uint8_t mli_hlp_accu_guard_bits_fx16_fx16(void);
MLI_API uint8_t mli_hlp_accu_guard_bits_fx16_fx8(void);

/// Fills the strides of a contiguous tensor of the shape of `in`.
MLI_API void mli_hlp_set_tensor_mem_strides(mli_tensor *in);

#ifdef __cplusplus
}
#endif

// NOLINTEND

#endif // MLI_HELPERS_API_H
