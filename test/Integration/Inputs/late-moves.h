/* SPDX-License-Identifier: Apache-2.0 */

#ifndef LATE_MOVES_H
#define LATE_MOVES_H

#include <stddef.h>
#include <stdint.h>

void late_copy(int8_t *to, const int8_t *from, int32_t number, size_t bytes,
               int32_t to_step, int32_t from_step);
void late_wait(void);

/* Moves that nobody has waited for. */
int count_late(void);

#ifdef LATE_HOOK
#define NET_COPY late_copy
#define NET_WAIT late_wait
#endif

/* The real function, which these do not replace. */
#define late_sync mli_mov_tensor_sync

#endif
