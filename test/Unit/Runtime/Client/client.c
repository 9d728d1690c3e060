/* SPDX-License-Identifier: Apache-2.0
 *
 * A program in C99, and in C++17, as clients write them: headers with and without their folder,
 * structures initialised by position, and checks of the platform.
 */

#include "mli_config.h"

#include "mli_api.h"
#include "mli_helpers_api.h"
#include "mli_kernels_api.h"
#include "mli_mov_api.h"

#include <stdio.h>
#include <string.h>

#if PLATFORM == V2DSP || PLATFORM == V2DSP_XY || PLATFORM == V2DSP_VECTOR
#error "This is not a processor of the ARC family"
#endif

/* Names of client code, which the library must leave free. */
mli_status mli_hlp_float_to_fx_tensor(const float *src, uint32_t size,
                                      mli_tensor *dst);
mli_status mli_hlp_float_to_fx_tensor(const float *src, uint32_t size,
                                      mli_tensor *dst) {
  uint32_t i;
  for (i = 0; i < size; ++i)
    dst->data.mem.pi16[i] =
        (int16_t)(src[i] * (float)(1 << dst->el_params.fx.frac_bits));
  return MLI_STATUS_OK;
}

static int failures = 0;

static void expect(const char *what, int isTrue) {
  if (!isTrue) {
    printf("client: %s\n", what);
    ++failures;
  }
}

static int16_t image[4 * 4], kernel[3 * 3], bias[1], result[2 * 2], pooled[1];

/* data, mem_stride, shape, rank, el_type, el_params */
static mli_tensor in = {{sizeof(image), {(int32_t *)image}},
                        {4, 1, 1},
                        {4, 4, 1},
                        3,
                        MLI_EL_FX_16,
                        {{8}}};
static mli_tensor weights = {{sizeof(kernel), {(int32_t *)kernel}},
                             {3, 1, 1, 1},
                             {3, 3, 1, 1},
                             4,
                             MLI_EL_FX_16,
                             {{4}}};
static mli_tensor biasTensor = {
    {sizeof(bias), {(int32_t *)bias}}, {1}, {1}, 1, MLI_EL_FX_16, {{4}}};
static mli_tensor out = {{sizeof(result), {(int32_t *)result}},
                         {2, 1, 1},
                         {2, 2, 1},
                         3,
                         MLI_EL_FX_16,
                         {{8}}};
static mli_tensor top = {{sizeof(pooled), {(int32_t *)pooled}},
                         {1, 1, 1},
                         {1, 1, 1},
                         3,
                         MLI_EL_FX_16,
                         {{8}}};

/* relu, strides, paddings, dilations */
static const mli_conv2d_cfg conv = {{MLI_RELU_GEN}, 1, 1, 0, 0, 0, 0, 1, 1};
static const mli_pool_cfg pool = {2, 2, 1, 1, 0, 0, 0, 0};

static void convolve(void) {
  static const float ones[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  int i;
  for (i = 0; i < 16; ++i)
    image[i] = (int16_t)(i * 16 - 100);
  mli_hlp_float_to_fx_tensor(ones, 9, &weights);
  bias[0] = -16; /* -1.0 */
  expect("conv2d", mli_krn_conv2d_hwcn_fx16_k3x3(&in, &weights, &biasTensor,
                                                 &conv, &out) == MLI_STATUS_OK);
  /* Nine times the middle, less 256; the first is below 0. */
  expect("conv2d, first code", result[0] == 0);
  expect("conv2d, last code", result[3] == 9 * (10 * 16 - 100) - 256);
  expect("maxpool", mli_krn_maxpool_hwc_fx16_k2x2(&out, &pool, &top) ==
                        MLI_STATUS_OK);
  expect("maxpool, code", pooled[0] == 284);
}

static void move(void) {
  static int8_t from[6] = {1, 2, 3, 4, 5, 6}, to[6];
  uint8_t order[4] = {1, 0, 2, 3};
  mli_mov_cfg_t cfg;
  mli_tensor src = {{6, {(int32_t *)from}}, {3, 1}, {2, 3}, 2, MLI_EL_FX_8, {{0}}};
  mli_tensor dst;
  memset(&dst, 0, sizeof(dst));
  dst.data.capacity = 6;
  dst.data.mem.pi8 = to;
  mli_mov_cfg_for_permute(&cfg, order);
  expect("mov", mli_mov_tensor_sync(&src, &cfg, &dst) == MLI_STATUS_OK);
  expect("mov, codes", memcmp(to, "\1\4\2\5\3\6", 6) == 0);
  expect("mov, shape", dst.rank == 2 && dst.shape[0] == 3 && dst.shape[1] == 2);
}

/* What kernels of clients are made of. */
MLI_CODE_SECTION_START(".client")
static MLI_FORCE_INLINE int sum(const int8_t *__restrict codes, int count) {
  int i, total = 0;
  __builtin_assume(count > 0);
  PRAGMA_CLANG("clang loop unroll(full)")
  for (i = 0; i < count; ++i)
    total += codes[i];
  return total;
}
static MLI_NO_INLINE int sumOfThree(const int8_t *codes) {
  return sum(codes, 3);
}
MLI_CODE_SECTION_END()

/* The names, fields and calls of the documents: tensors quantised per tensor
 * and along an axis, a view, and a conversion that fills its destination. */
static void follow(void) {
  int16_t real[4] = {4096, -4096, 2048, 1}, scales[] = {5, 6},
          zeroPoints[] = {-128, 2};
  int8_t codes[4], fracBits[] = {3, 4};
  mli_tensor fx16, sa8, row;
  mli_subtensor_cfg window;
  memset(&fx16, 0, sizeof(fx16));
  fx16.el_type = MLI_EL_FX_16;
  fx16.el_params.fx.frac_bits = 12;
  fx16.data.mem.pi16 = real;
  fx16.data.capacity = sizeof(real);
  fx16.rank = fx16.shape[0] = fx16.shape[1] = 2;
  mli_hlp_set_tensor_mem_strides(&fx16);

  memset(&sa8, 0, sizeof(sa8));
  sa8.el_type = MLI_EL_SA8;
  sa8.el_params.sa.type = MLI_EL_PARAM_SC16_ZP16;
  sa8.el_params.sa.dim = 0;
  sa8.el_params.sa.zero_point.mem.pi16 = zeroPoints;
  sa8.el_params.sa.zero_point.capacity = sizeof(zeroPoints);
  sa8.el_params.sa.scale_frac_bits.mem.pi8 = fracBits;
  sa8.el_params.sa.scale_frac_bits.capacity = sizeof(fracBits);
  sa8.el_params.sa.scale.mem.pi16 = scales;
  sa8.el_params.sa.scale.capacity = sizeof(scales);
  sa8.data.mem.pi8 = codes;
  sa8.data.capacity = sizeof(codes);
  expect("convert", mli_hlp_convert_tensor_safx(&fx16, &sa8) == MLI_STATUS_OK);
  expect("convert, shape", sa8.rank == 2 && sa8.shape[1] == 2 &&
                               sa8.mem_stride[0] == 2);
  /* 1 / 0.625 = 1.6, and 0.5 / 0.375 = 1.3 */
  expect("convert, codes", codes[0] == -126 && codes[1] == -128 &&
                               codes[2] == 3 && codes[3] == 2);
  expect("parameters", mli_hlp_tensor_scale(&sa8, 1) == 6 &&
                           mli_hlp_tensor_scale_shift(&sa8, 1) == 4 &&
                           mli_hlp_tensor_zero_offset(&sa8, 0) == -128);
  memset(&window, 0, sizeof(window));
  window.offset[0] = 1;
  window.size[0] = 1;
  window.size[1] = 2;
  window.sub_tensor_rank = 2;
  expect("view", mli_hlp_subtensor(&sa8, &window, &row) == MLI_STATUS_OK);
  expect("view, elements", row.data.mem.pi8 == codes + 2 &&
                               row.data.capacity == 2 &&
                               mli_hlp_count_elem_num(&row, 0) == 2 &&
                               mli_hlp_tensor_scale(&row, 0) == 6);
  expect("macros", sumOfThree(codes) == codes[0] + codes[1] + codes[2]);
}

int main(void) {
  static const mli_rnn_cell_cfg cell = {
      RNN_DIR_FORWARD, RNN_OUT_ALL, RNN_ACT_TANH, {0, {NULL}}};
  expect("rnn configuration", cell.act == RNN_ACT_TANH);
  expect("platform", strcmp(PLATFORM_STR, "X86") == 0);
  expect("options", strcmp(mli_hlp_compile_options_string(),
                           " MLI_BUILD_REFERENCE=OFF ROUND_MODE=UP "
                           "MLI_DEBUG_MODE=DBG_MODE_RET_CODES") == 0);
  convolve();
  move();
  follow();
  return failures;
}
