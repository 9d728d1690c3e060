/* SPDX-License-Identifier: Apache-2.0 */
/* Two streams in turns: one goes up by 3, one goes down by 10 from 110. */
#include "net.h"
#include <stdio.h>

int main(void) {
  static net_state up, down;
  static const int8_t steps[2][2] = {{8, 8}, {-5, -5}};
  static const int8_t first[2] = {115, 115};
  int8_t output[2], other[2];
  int i;
  net_reset(&up);
  net_reset(&down);
  if (net_invoke(first, other, output, &down) != MLI_STATUS_OK)
    return 1;
  for (i = 0; i < 3; ++i) {
    if (net_invoke(steps[0], output, output, &up) != MLI_STATUS_OK ||
        net_invoke(steps[1], other, other, &down) != MLI_STATUS_OK)
      return 1;
    /* The zero point is 5. */
    printf("%d %d\n", output[0] - 5, other[1] - 5);
  }
  return 0;
}
