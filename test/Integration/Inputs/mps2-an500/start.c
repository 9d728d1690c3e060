/* SPDX-License-Identifier: Apache-2.0
 *
 * What runs before main on a Cortex-M7 of the board mps2-an500, which an emulator has:
 * data and bss are set. What is around main is in files.c, or in bare/bare.c. */

#include <stdint.h>

extern char board_stack_end, board_data_source, board_data, board_data_end;
extern char board_bss, board_bss_end;

void board_begin(void);
void board_exit(int code);
int main(int argc, char **argv);

static void reset(void) {
  /* The unit for floats is off. */
  *(volatile uint32_t *)0xe000ed88 |= 0xfu << 20;
  const char *from = &board_data_source;
  for (char *to = &board_data; to < &board_data_end; ++to, ++from)
    *to = *from;
  for (char *to = &board_bss; to < &board_bss_end; ++to)
    *to = 0;
  board_begin();
  board_exit(main(0, 0));
}

static void fault(void) { board_exit(99); }

__attribute__((section(".vectors"), used)) static void *const vectors[] = {
    &board_stack_end, (void *)reset, (void *)fault, (void *)fault,
    (void *)fault,    (void *)fault, (void *)fault,
};
