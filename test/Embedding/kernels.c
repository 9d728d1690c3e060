/* SPDX-License-Identifier: Apache-2.0
 *
 * A program that calls a kernel of the installed runtime.
 */

#include "mli_api.h"

#include <stdio.h>

int main(void) {
  int8_t codes[4] = {-3, -1, 0, 2}, clipped[4];
  mli_tensor in = {
      {sizeof codes, {(int32_t *)codes}}, {1}, {4}, 1, MLI_EL_FX_8, {{4}}};
  mli_tensor out = in;
  mli_relu_cfg config = {MLI_RELU_GEN};
  out.data.mem.pi8 = clipped;
  if (mli_krn_relu_fx8(&in, &config, &out) != MLI_STATUS_OK)
    return 1;
  printf("%d %d %d %d\n", clipped[0], clipped[1], clipped[2], clipped[3]);
  return 0;
}
