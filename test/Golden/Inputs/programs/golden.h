/* SPDX-License-Identifier: Apache-2.0
 *
 * What the programs of `mli-golden --write-c` are written with: memory for the
 * arguments of a call, and comparisons with what the same call gave elsewhere.
 */

#ifndef GOLDEN_H
#define GOLDEN_H

#include "mli_api.h"
#include "mli_runtime.h"

#include <stddef.h>

/* Runs a case, and prints its name if anything in it differs. */
void golden_run(const char *name, void (*run)(void));

/* Prints how many passed and failed; the exit code of the program. */
int golden_end(void);

/* Memory until the end of the case, which has nothing written around it. */
void *golden_filled(int byte, size_t size);
void *golden_copied(const uint8_t *bytes, size_t size);

/* Each is told what it compares, what that is to be, and what it is. */
void golden_number(const char *what, int64_t expected, int64_t got);
void golden_text(const char *what, const char *expected, const char *got);
void golden_bytes(const char *what, const uint8_t *expected, const void *got,
                  size_t size);
void golden_tensor(const char *what, const mli_tensor *expected,
                   const mli_tensor *got);
void golden_lut(const char *what, const mli_lut *expected, const mli_lut *got);

/* A callback of moves, and the cookie that it was called with last. */
void golden_keep(int32_t cookie);
int32_t golden_kept(void);

#endif /* GOLDEN_H */
