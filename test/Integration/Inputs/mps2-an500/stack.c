/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the most stack that a measured function took: see stack.inc. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* How much is painted, and with what. */
const uint32_t stack_bytes = 8192, stack_color = 0x5ac3965a;
static unsigned calls, most;
static const char *largest;

static void report(void) {
  printf("%u calls: at most %u bytes of stack, in %s\n", calls, most, largest);
}

/* `end` is the stack pointer at the call. Functions that take less than this one
 * seem to take as much. */
void stack_measured(const uint32_t *end, const char *function);
void stack_measured(const uint32_t *end, const char *function) {
  const uint32_t *at = end - stack_bytes / sizeof(*end);
  while (*at == stack_color)
    ++at;
  if (calls++ == 0)
    atexit(report);
  unsigned bytes = (unsigned)(end - at) * sizeof(*at);
  if (bytes > most) {
    most = bytes;
    largest = function;
  }
}
