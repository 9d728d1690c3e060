// SPDX-License-Identifier: Apache-2.0
//
// The memory part of the OKK device API over a host model of NPU local memory:
// device information, layouts, copies by GDMA and locally, and fills.
//
// X NPUs have S bytes of local memory each; local address A = Q * S + R is byte
// R of NPU Q. System memory is the memory of the process: a system address is a
// pointer. Strides count elements. A null stride means the aligned layout of
// the target for a local tensor and the continuous one for a system tensor.
//
// A call that breaks a rule moves nothing and is reported by
// `mli_report_failure` with the function, the argument and the numbers; see
// `mli_local_status` of mli_local.h too.

#ifndef MLI_OKK_H
#define MLI_OKK_H

#include "mli_types.h"

#include <stdbool.h>

// NOLINTBEGIN: a C header, whose names the device API fixes.

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned int local_addr_t;
typedef unsigned long long system_addr_t;

typedef struct {
  int n, c, h, w;
} dim4;

typedef struct {
  int h, w;
} dim2;

typedef struct {
  int top, bottom, left, right;
} Padding;

/// Constants of 32, 16 and 8 bits.
typedef union {
  float fp32;
  int s32;
  unsigned int u32;
  char _4N_s8[4];
  unsigned char _4N_u8[4];
  short _2N_s16[2];
  unsigned short _2N_u16[2];
} x32;

typedef union {
  short s16;
  unsigned short u16;
} x16;

typedef union {
  char s8;
  unsigned char u8;
} x8;

/// Makes fresh local memory, of the target that `mli_local_configure` set.
/// Every access comes after it.
MLI_API void okk_initialize(void);

/// Waits for both engines. Here a call is done when it returns.
MLI_API void okk_poll(void);

/// Between the two, GDMA copies run beside local computation. They do not nest.
MLI_API void okk_parallel_start(void);
MLI_API void okk_parallel_end(void);
MLI_API bool okk_is_parallel_state(void);

MLI_API int okk_npu_num(void);
MLI_API unsigned int okk_local_mem_size_per_npu(void);
MLI_API unsigned int okk_local_mem_bank_per_npu(void);

/// The first local address, 0.
MLI_API unsigned int okk_local_mem_start_addr(void);

/// The host's view of a byte: null for one that is not there.
MLI_API unsigned char *okk_local_mem_addr(unsigned int npu,
                                          unsigned int offset);
MLI_API unsigned char *okk_global_mem_addr(unsigned long long addr);

/// The NPU of an address; -1 for one past local memory.
MLI_API int okk_start_npu_index(local_addr_t addr);

/// ceil((start_idx + num_channels) / X); 0 for an NPU that is not there or no
/// channels. (sic)
MLI_API int okk_channle_num_per_npu(int start_idx, int num_channels);

/// Strides of the aligned layout, with the unit of the target in place of 128
/// bytes. Like the two below they write zeros for what they reject.
MLI_API void okk_128_byte_aligned_stride_for_32bit(dim4 *stride, int start_idx,
                                                   const dim4 *shape);
MLI_API void okk_128_byte_aligned_stride_for_16bit(dim4 *stride, int start_idx,
                                                   const dim4 *shape);
MLI_API void okk_128_byte_aligned_stride_for_8bit(dim4 *stride, int start_idx,
                                                  const dim4 *shape);

MLI_API void okk_compact_stride(dim4 *stride, int start_idx, const dim4 *shape);
MLI_API void okk_continuous_stride(dim4 *stride, const dim4 *shape);

/// Copies between system (S) and local (L) memory, and fills, for one element
/// width. Rules: n, h, w in [1, 65535], c in [1, 4095]; W strides are 1; local
/// addresses are divisible by 4 and by the DMA alignment of the target, with a
/// null stride by its unit; system addresses by the element; elements end
/// within their NPU; the elements of the destination do not overlap, and no
/// element of the source overlaps one of them.
#define OKK_DECLARE_GDMA(width)                                                \
  MLI_API void okk_gdma_##width##bit_cpy_S2L(                                  \
      local_addr_t dst, system_addr_t src, const dim4 *shape,                  \
      const dim4 *dst_stride, const dim4 *src_stride);                         \
  MLI_API void okk_gdma_##width##bit_cpy_L2S(                                  \
      system_addr_t dst, local_addr_t src, const dim4 *shape,                  \
      const dim4 *dst_stride, const dim4 *src_stride);                         \
  MLI_API void okk_gdma_##width##bit_cpy_L2L(                                  \
      local_addr_t dst, local_addr_t src, const dim4 *shape,                   \
      const dim4 *dst_stride, const dim4 *src_stride);                         \
  MLI_API void okk_gdma_##width##bit_cpy_S2S(                                  \
      system_addr_t dst, system_addr_t src, const dim4 *shape,                 \
      const dim4 *dst_stride, const dim4 *src_stride);                         \
  MLI_API void okk_gdma_##width##bit_set_C_system(                             \
      system_addr_t dst, x##width C, const dim4 *shape,                        \
      const dim4 *dst_stride);                                                 \
  MLI_API void okk_gdma_##width##bit_set_C_local(                              \
      local_addr_t dst, x##width C, const dim4 *shape, const dim4 *dst_stride)

OKK_DECLARE_GDMA(32);
OKK_DECLARE_GDMA(16);
OKK_DECLARE_GDMA(8);
#undef OKK_DECLARE_GDMA

/// Copies a matrix, in local memory in the matrix layout with
/// `cols_per_channel` in [1, cols]; its rows are `row_stride` elements apart in
/// system memory. Rules of the copies above hold for the tensor that the
/// matrix is.
MLI_API void okk_gdma_32bit_matrix_S2L(local_addr_t dst, system_addr_t src,
                                       int rows, int cols, int cols_per_channel,
                                       int row_stride);
MLI_API void okk_gdma_32bit_matrix_L2S(system_addr_t dst, local_addr_t src,
                                       int rows, int cols, int cols_per_channel,
                                       int row_stride);

/// Copies and fills within the NPUs. Rules as for GDMA, but W strides are free,
/// addresses need be divisible by 4 only, and both operands start at the same
/// NPU.
MLI_API void okk_bdc_32bit_cpy(local_addr_t dst, local_addr_t src,
                               const dim4 *shape, const dim4 *dst_stride,
                               const dim4 *src_stride);
MLI_API void okk_bdc_32bit_set_C(local_addr_t dst, x32 C, const dim4 *shape,
                                 const dim4 *dst_stride);

#ifdef __cplusplus
}
#endif

// NOLINTEND

#endif // MLI_OKK_H
