/* SPDX-License-Identifier: Apache-2.0
 *
 * Files and the exit code are those of the machine around the emulator. */

#include <stdlib.h>

void board_begin(void);
void board_exit(int code);
extern void initialise_monitor_handles(void);

void board_begin(void) { initialise_monitor_handles(); }

void board_exit(int code) { exit(code); }
