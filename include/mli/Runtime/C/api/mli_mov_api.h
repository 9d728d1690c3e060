// SPDX-License-Identifier: Apache-2.0
//
// Data movement of the MLI 2.0 C API: copies with slicing, concatenation,
// subsampling, permutation and zero padding, at once or asynchronously.

#ifndef MLI_MOV_API_H
#define MLI_MOV_API_H

#include "../mli_types.h"

#include <stdbool.h>

// NOLINTBEGIN: a C header, whose names the specification fixes.

typedef enum _mli_mov_state {
  MLI_MOV_STATE_INVALID = 0,
  MLI_MOV_STATE_OPEN = 1,
  MLI_MOV_STATE_PREPARED = 2,
  MLI_MOV_STATE_DMA_CONFIGURED = 3,
  MLI_MOV_STATE_DMA_RUNNING = 4,
  MLI_MOV_STATE_DONE = 5,
  MLI_MOV_LARGE_ENUM = 0x02000000
} mli_mov_state;

/// A transfer on `num_ch` channels from `dma_ch` on.
typedef struct _mli_mov_handle_t {
  int dma_ch;
  int num_ch;
  mli_mov_state state;
} mli_mov_handle_t;

#ifdef __cplusplus
extern "C" {
#endif

/// Moves and waits. `dst` brings its buffer; shape, rank and element type are
/// written, and so are strides that are zero and quantisation parameters.
MLI_API mli_status mli_mov_tensor_sync(const mli_tensor *src,
                                       const mli_mov_cfg_t *cfg,
                                       mli_tensor *dst);

/// The asynchronous form: prepare, start, then wait or poll. There is no DMA
/// engine on a host: the data moves in `mli_mov_prepare`, and `mli_mov_start`
/// calls the callback of the channel before it returns.
MLI_API mli_status mli_mov_prepare(mli_mov_handle_t *h, const mli_tensor *src,
                                   const mli_mov_cfg_t *cfg, mli_tensor *dst);

/// Calls `cb(cookie)` when a transfer on the channel of `h` starts, until it is
/// replaced, also for later owners of the channel.
MLI_API mli_status mli_mov_registercallback(mli_mov_handle_t *h,
                                            void (*cb)(int32_t),
                                            int32_t cookie);
MLI_API mli_status mli_mov_start(mli_mov_handle_t *h, const mli_tensor *src,
                                 const mli_mov_cfg_t *cfg, mli_tensor *dst);
MLI_API bool mli_mov_isdone(mli_mov_handle_t *h);

/// Waits for a transfer that was started. With checks, waiting for one that was
/// not is MLI_STATUS_BAD_FUNC_CFG; without, it returns at once.
MLI_API mli_status mli_mov_wait(mli_mov_handle_t *h);

/// Makes `num_ch` channels from `ch_offset` on available. Before the first
/// call there are none.
MLI_API mli_status mli_mov_set_num_dma_ch(int ch_offset, int num_ch);

/// Takes the first `num_ch` neighbouring available channels;
/// MLI_STATUS_NOT_ENGH_MEM if there are none.
MLI_API mli_status mli_mov_acquire_handle(int num_ch, mli_mov_handle_t *h);
MLI_API mli_status mli_mov_release_handle(mli_mov_handle_t *h);

/// Builders of configurations. Arrays have MLI_MAX_RANK entries.
MLI_API mli_status mli_mov_cfg_for_copy(mli_mov_cfg_t *cfg);
MLI_API mli_status mli_mov_cfg_for_slice(mli_mov_cfg_t *cfg, int *offsets,
                                         int *sizes, int *dst_mem_stride);
MLI_API mli_status mli_mov_cfg_for_concat(mli_mov_cfg_t *cfg, int *dst_offsets,
                                          int *dst_mem_stride);
MLI_API mli_status mli_mov_cfg_for_subsample(mli_mov_cfg_t *cfg,
                                             int *sub_sample_step,
                                             int *dst_mem_stride);
MLI_API mli_status mli_mov_cfg_for_permute(mli_mov_cfg_t *cfg,
                                           uint8_t *perm_dim);
MLI_API mli_status mli_mov_cfg_for_padding2d_chw(mli_mov_cfg_t *cfg,
                                                 uint8_t padleft,
                                                 uint8_t padright,
                                                 uint8_t padtop, uint8_t padbot,
                                                 int *dst_mem_stride);
MLI_API mli_status mli_mov_cfg_for_padding2d_hwc(mli_mov_cfg_t *cfg,
                                                 uint8_t padleft,
                                                 uint8_t padright,
                                                 uint8_t padtop, uint8_t padbot,
                                                 int *dst_mem_stride);

/// All of the above at once; the padding is of the HWC layout.
MLI_API mli_status mli_mov_cfg_all(mli_mov_cfg_t *cfg, int *offsets, int *sizes,
                                   int *subsample_step, int *dst_offsets,
                                   int *dst_mem_stride, uint8_t *perm_dim,
                                   uint8_t padleft, uint8_t padright,
                                   uint8_t padtop, uint8_t padbot);

#ifdef __cplusplus
}
#endif

// NOLINTEND

#endif // MLI_MOV_API_H
