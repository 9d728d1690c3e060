/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves that copy as late as they may: those of the API when they are waited
 * for, those of the hook when NET_WAIT is reached. What is used before is used
 * without its data, and what is overwritten before is lost. Tensors and
 * configurations are read as late as they may be as well: by mli_mov_start. */

#include "late-moves.h"
#include "mli_api.h"

#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define OF_THREAD static __thread
#else
#define OF_THREAD static
#endif

enum { MOST = 16 };

typedef struct {
  /* Those of mli_mov_prepare, until the start. */
  const mli_tensor *prepared_src, *prepared_dst;
  const mli_mov_cfg_t *prepared_cfg;
  mli_tensor src, dst;
  mli_mov_cfg_t cfg;
  int is_used, is_begun;
} late_move;

OF_THREAD late_move moves[MOST];
OF_THREAD int count;

mli_status mli_mov_acquire_handle(int num_ch, mli_mov_handle_t *h) {
  int i = 0;
  if (num_ch != 1)
    abort();
  while (i < MOST && moves[i].is_used)
    ++i;
  if (i == MOST)
    return MLI_STATUS_NOT_ENGH_MEM;
  moves[i].is_used = 1;
  moves[i].is_begun = 0;
  moves[i].prepared_src = NULL;
  h->dma_ch = i;
  h->num_ch = 1;
  return MLI_STATUS_OK;
}

mli_status mli_mov_prepare(mli_mov_handle_t *h, const mli_tensor *src,
                           const mli_mov_cfg_t *cfg, mli_tensor *dst) {
  late_move *move = &moves[h->dma_ch];
  move->prepared_src = src;
  move->prepared_cfg = cfg;
  move->prepared_dst = dst;
  return MLI_STATUS_OK;
}

mli_status mli_mov_start(mli_mov_handle_t *h, const mli_tensor *src,
                         const mli_mov_cfg_t *cfg, mli_tensor *dst) {
  late_move *move = &moves[h->dma_ch];
  if (move->prepared_src == NULL)
    abort();
  move->src = *move->prepared_src;
  move->cfg = *move->prepared_cfg;
  move->dst = *move->prepared_dst;
  move->prepared_src = NULL;
  if (move->src.data.mem.pi8 != src->data.mem.pi8 ||
      move->dst.data.mem.pi8 != dst->data.mem.pi8 ||
      move->cfg.perm_dim[0] != cfg->perm_dim[0])
    abort();
  move->is_begun = 1;
  ++count;
  return MLI_STATUS_OK;
}

mli_status mli_mov_wait(mli_mov_handle_t *h) {
  late_move *move = &moves[h->dma_ch];
  if (!move->is_used || !move->is_begun)
    abort();
  move->is_begun = 0;
  --count;
  return late_sync(&move->src, &move->cfg, &move->dst);
}

mli_status mli_mov_release_handle(mli_mov_handle_t *h) {
  if (moves[h->dma_ch].is_begun)
    abort();
  moves[h->dma_ch].is_used = 0;
  return MLI_STATUS_OK;
}

typedef struct {
  int8_t *to;
  const int8_t *from;
  int32_t rows, to_step, from_step;
  size_t bytes;
} late_rows;

OF_THREAD late_rows rows[4096];
OF_THREAD int num_rows;

void late_copy(int8_t *to, const int8_t *from, int32_t number, size_t bytes,
               int32_t to_step, int32_t from_step) {
  const late_rows added = {to, from, number, to_step, from_step, bytes};
  if (num_rows == 4096)
    abort();
  rows[num_rows++] = added;
}

void late_wait(void) {
  int i;
  int32_t row;
  for (i = 0; i < num_rows; ++i)
    for (row = 0; row < rows[i].rows; ++row)
      memcpy(rows[i].to + row * rows[i].to_step,
             rows[i].from + row * rows[i].from_step, rows[i].bytes);
  num_rows = 0;
}

int count_late(void) { return count + num_rows; }
