// A network as C, from its header to its function.
// RUN: mli-opt %s --mli-c-pipeline --mlir-print-debuginfo | mli-translate --mli-to-c --c-name tiny | FileCheck %s --match-full-lines --strict-whitespace
// RUN: mli-opt %s --mli-c-pipeline | mli-translate --mli-to-c --c-name tiny --c-weights source | FileCheck %s --check-prefix=SOURCE
// RUN: mli-opt %s --mli-c-pipeline | mli-translate --mli-to-c --c-name tiny --c-weights blob | FileCheck %s --check-prefix=BLOB

//     CHECK:/* tiny: a network made by mli-compile {{[0-9]+[.][0-9]+[.][0-9]+}}. Do not edit. For MLI 2.0; rounding
// CHECK-NEXT: * UP, accumulation narrow. */
// CHECK-NEXT:#ifndef TINY_H
// CHECK-NEXT:#define TINY_H
// CHECK-EMPTY:
// CHECK-NEXT:#include "mli_types.h"
// CHECK-EMPTY:
// CHECK-NEXT:/* input: int8 [8, 8, 3], real = (code + 128) * 16384 / 2^14 */
// CHECK-NEXT:#define TINY_INPUT_BYTES 192
// CHECK-NEXT:/* output: int8 [1, 1, 2], real = (code + 128) * 16384 / 2^14 */
// CHECK-NEXT:#define TINY_OUTPUT_BYTES 2
// CHECK-NEXT:/* Memory of one call, of the caller. What it holds before or after is of no
// CHECK-NEXT: * use. */
// CHECK-NEXT:#define TINY_ARENA_BYTES 32
// CHECK-NEXT:#define TINY_ARENA_ALIGNMENT 16
// CHECK-EMPTY:
// CHECK-NEXT:/* Layers: number, operation, place in the network, products. */
// CHECK-NEXT:#define TINY_LAYERS(X) \
// CHECK-NEXT:  X(0, conv2d, "mli-to-c.mlir:{{[0-9]+}}:11", 864) \
// CHECK-NEXT:  X(1, avepool, "mli-to-c.mlir:{{[0-9]+}}:8", 32)
// CHECK-EMPTY:
// CHECK-NEXT:#ifdef __cplusplus
// CHECK-NEXT:extern "C" {
// CHECK-NEXT:#endif
// CHECK-EMPTY:
// CHECK-NEXT:/* Whether the library rounds and accumulates as the network was compiled for,
// CHECK-NEXT: * and all memory is large enough: to be called once. */
// CHECK-NEXT:mli_status tiny_check(void);
// CHECK-NEXT:mli_status tiny_invoke(const int8_t input[TINY_INPUT_BYTES],
// CHECK-NEXT:    int8_t output[TINY_OUTPUT_BYTES], void *arena);
// CHECK-EMPTY:
// CHECK-NEXT:#ifdef __cplusplus
// CHECK-NEXT:}
// CHECK-NEXT:#endif
// CHECK-EMPTY:
// CHECK-NEXT:#endif
// CHECK-NEXT:/* tiny: a network made by mli-compile {{[0-9]+[.][0-9]+[.][0-9]+}}. Do not edit. For MLI 2.0; rounding
// CHECK-NEXT: * UP, accumulation narrow. */
// CHECK-NEXT:#include "tiny.h"
// CHECK-NEXT:#include "mli_api.h"
// CHECK-EMPTY:
// CHECK-NEXT:/* The API has no pointers to const: here alone is one cast away. */
// CHECK-NEXT:#define READ_ONLY(type, table) ((type *)(table))
// CHECK-EMPTY:
// CHECK-NEXT:#define BYTES(count, member, value)                                     \
// CHECK-NEXT:  { .capacity = (count), .mem = {.member = (value)} }
// CHECK-NEXT:#define FIXED_POINT(bits) { .fx = {.frac_bits = (bits)} }
// CHECK-NEXT:#define PER_TENSOR(mantissa, bits, zero)                                \
// CHECK-NEXT:  { .sa = {.type = MLI_EL_PARAM_SC16_ZP16,                              \
// CHECK-NEXT:           .zero_point = BYTES(0, i16, zero),                           \
// CHECK-NEXT:           .scale = BYTES(0, i16, mantissa),                            \
// CHECK-NEXT:           .dim = -1,                                                   \
// CHECK-NEXT:           .scale_frac_bits = BYTES(0, i8, bits)} }
// CHECK-NEXT:#define PER_AXIS(axis, size, mantissas, bits, zeros)                    \
// CHECK-NEXT:  { .sa = {.type = MLI_EL_PARAM_SC16_ZP16,                              \
// CHECK-NEXT:           .zero_point = BYTES(2 * (size), pi16,                        \
// CHECK-NEXT:                               READ_ONLY(int16_t, zeros)),              \
// CHECK-NEXT:           .scale = BYTES(2 * (size), pi16,                             \
// CHECK-NEXT:                          READ_ONLY(int16_t, mantissas)),               \
// CHECK-NEXT:           .dim = (axis),                                               \
// CHECK-NEXT:           .scale_frac_bits = BYTES((size), pi8,                        \
// CHECK-NEXT:                                    READ_ONLY(int8_t, bits))} }
// CHECK-EMPTY:
// CHECK-NEXT:/* Hooks around each layer, of the caller: a timer, say. */
// CHECK-NEXT:#ifndef TINY_BEGIN
// CHECK-NEXT:#define TINY_BEGIN(layer) ((void)0)
// CHECK-NEXT:#endif
// CHECK-NEXT:#ifndef TINY_END
// CHECK-NEXT:#define TINY_END(layer, status) ((void)0)
// CHECK-NEXT:#endif
// CHECK-EMPTY:
// CHECK-NEXT:#define LAYER(number, call) \
// CHECK-NEXT:  if (status == MLI_STATUS_OK) { \
// CHECK-NEXT:    TINY_BEGIN(number); \
// CHECK-NEXT:    status = (call); \
// CHECK-NEXT:    TINY_END(number, status); \
// CHECK-NEXT:  }
// CHECK-EMPTY:
// CHECK-NEXT:#ifndef TINY_WEIGHTS /* where weights go: an attribute, say */
// CHECK-NEXT:#define TINY_WEIGHTS
// CHECK-NEXT:#endif
// CHECK-EMPTY:
// CHECK-NEXT:static TINY_WEIGHTS const int8_t conv2d_weights[54] = {
// CHECK-NEXT:  3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
// CHECK-NEXT:  3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
// CHECK-NEXT:  3, 3,
// CHECK-NEXT:};
// CHECK-NEXT:static TINY_WEIGHTS const int32_t conv2d_bias[2] = {
// CHECK-NEXT:  120, -340,
// CHECK-NEXT:};
// CHECK-NEXT:/* input 0 to 191 */
// CHECK-NEXT:static const mli_tensor tensor_input = {
// CHECK-NEXT:    .data = BYTES(192, i32, 0), .mem_stride = {24, 3, 1, 0},
// CHECK-NEXT:        .shape = {8, 8, 3, 0}, .rank = 3, .el_type = MLI_EL_SA_8,
// CHECK-NEXT:        .el_params = PER_TENSOR(16384, 14, -128)};
// CHECK-NEXT:static const int16_t scales_0[2] = {
// CHECK-NEXT:  20480, 28672,
// CHECK-NEXT:};
// CHECK-NEXT:static const int8_t bits_0[2] = {
// CHECK-NEXT:  24, 24,
// CHECK-NEXT:};
// CHECK-NEXT:static const int16_t zeros_0[2] = {
// CHECK-NEXT:  0, 0,
// CHECK-NEXT:};
// CHECK-NEXT:static const mli_tensor tensor_conv2d_weights = {
// CHECK-NEXT:    .data = BYTES(54, pi8, READ_ONLY(int8_t, conv2d_weights)),
// CHECK-NEXT:        .mem_stride = {18, 6, 2, 1}, .shape = {3, 3, 3, 2}, .rank = 4,
// CHECK-NEXT:        .el_type = MLI_EL_SA_8, .el_params = PER_AXIS(3, 2, scales_0, bits_0,
// CHECK-NEXT:        zeros_0)};
// CHECK-NEXT:static const mli_tensor tensor_conv2d_bias = {
// CHECK-NEXT:    .data = BYTES(8, pi32, READ_ONLY(int32_t, conv2d_bias)),
// CHECK-NEXT:        .mem_stride = {1, 0, 0, 0}, .shape = {2, 0, 0, 0}, .rank = 1,
// CHECK-NEXT:        .el_type = MLI_EL_SA_32, .el_params = PER_AXIS(0, 2, scales_0, bits_0,
// CHECK-NEXT:        zeros_0)};
// CHECK-NEXT:/* arena 0 to 31 */
// CHECK-NEXT:static const mli_tensor tensor_arena = {
// CHECK-NEXT:    .data = BYTES(32, i32, 0), .mem_stride = {8, 2, 1, 0},
// CHECK-NEXT:        .shape = {4, 4, 2, 0}, .rank = 3, .el_type = MLI_EL_SA_8,
// CHECK-NEXT:        .el_params = PER_TENSOR(16384, 14, -128)};
// CHECK-NEXT:/* output 0 to 1 */
// CHECK-NEXT:static const mli_tensor tensor_output = {
// CHECK-NEXT:    .data = BYTES(2, i32, 0), .mem_stride = {2, 2, 1, 0}, .shape = {1, 1, 2, 0},
// CHECK-NEXT:        .rank = 3, .el_type = MLI_EL_SA_8, .el_params = PER_TENSOR(16384, 14,
// CHECK-NEXT:        -128)};
// CHECK-EMPTY:
// CHECK-NEXT:/* Makes `placed` a tensor whose description says how far it is from `base`. */
// CHECK-NEXT:static mli_tensor *at(mli_tensor *placed, const mli_tensor *tensor,
// CHECK-NEXT:                      int8_t *base) {
// CHECK-NEXT:  *placed = *tensor;
// CHECK-NEXT:  placed->data.mem.pi8 = base + tensor->data.mem.i32;
// CHECK-NEXT:  return placed;
// CHECK-NEXT:}
// CHECK-EMPTY:
// CHECK-NEXT:typedef struct {
// CHECK-NEXT:  int8_t *input;
// CHECK-NEXT:  int8_t *output;
// CHECK-NEXT:  int8_t *arena;
// CHECK-NEXT:  mli_tensor *tensors; /* of the layer that runs */
// CHECK-NEXT:} bases;
// CHECK-EMPTY:
// CHECK-NEXT:/* conv2d, mli-to-c.mlir:{{[0-9]+}}:11 */
// CHECK-NEXT:static mli_status layer_0(bases *base) {
// CHECK-NEXT:  const mli_tensor *in = at(&base->tensors[0], &tensor_input, base->input);
// CHECK-NEXT:  static const mli_conv2d_cfg config = {.relu = {.type = MLI_RELU_NONE},
// CHECK-NEXT:      .stride_width = 2, .stride_height = 2, .padding_left = 0,
// CHECK-NEXT:      .padding_right = 1, .padding_top = 0, .padding_bottom = 1,
// CHECK-NEXT:      .dilation_width = 1, .dilation_height = 1};
// CHECK-NEXT:  mli_tensor *out = at(&base->tensors[1], &tensor_arena, base->arena);
// CHECK-NEXT:  return mli_krn_conv2d_hwcn_sa8_sa8_sa32(in, &tensor_conv2d_weights,
// CHECK-NEXT:      &tensor_conv2d_bias, &config, out);
// CHECK-NEXT:}
// CHECK-EMPTY:
// CHECK-NEXT:/* avepool, mli-to-c.mlir:{{[0-9]+}}:8 */
// CHECK-NEXT:static mli_status layer_1(bases *base) {
// CHECK-NEXT:  const mli_tensor *in = at(&base->tensors[0], &tensor_arena, base->arena);
// CHECK-NEXT:  static const mli_pool_cfg config = {.kernel_width = 4, .kernel_height = 4,
// CHECK-NEXT:      .stride_width = 1, .stride_height = 1, .padding_left = 0,
// CHECK-NEXT:      .padding_right = 0, .padding_top = 0, .padding_bottom = 0};
// CHECK-NEXT:  mli_tensor *out = at(&base->tensors[1], &tensor_output, base->output);
// CHECK-NEXT:  return mli_krn_avepool_hwc_sa8(in, &config, out);
// CHECK-NEXT:}
// CHECK-EMPTY:
// CHECK-NEXT:mli_status tiny_invoke(const int8_t input[TINY_INPUT_BYTES],
// CHECK-NEXT:    int8_t output[TINY_OUTPUT_BYTES], void *arena) {
// CHECK-NEXT:  mli_tensor tensors[2];
// CHECK-NEXT:  bases base = {READ_ONLY(int8_t, input), (int8_t *)output, (int8_t *)arena,
// CHECK-NEXT:    tensors};
// CHECK-NEXT:  mli_status status = MLI_STATUS_OK;
// CHECK-NEXT:  LAYER(0, layer_0(&base))
// CHECK-NEXT:  LAYER(1, layer_1(&base))
// CHECK-NEXT:  return status;
// CHECK-NEXT:}
// CHECK-EMPTY:
// CHECK-NEXT:static mli_status check_products(void) {
// CHECK-NEXT:  static const int8_t input[2] = {35, 40};
// CHECK-NEXT:  static const int8_t weights[8] = {-92, -21, 117, 119, -56, 31, -52, 96};
// CHECK-NEXT:  static const int32_t bias[4] = {-944, -284, -1304, -1963};
// CHECK-NEXT:  int8_t output[4] = {0, 0, 0, 0};
// CHECK-NEXT:  mli_tensor in = {.data = BYTES(2, pi8, READ_ONLY(int8_t, input)),
// CHECK-NEXT:      .mem_stride = {2, 2, 1, 0}, .shape = {1, 1, 2, 0}, .rank = 3,
// CHECK-NEXT:      .el_type = MLI_EL_SA_8, .el_params = PER_TENSOR(16384, 14, 0)};
// CHECK-NEXT:  mli_tensor w = {.data = BYTES(8, pi8, READ_ONLY(int8_t, weights)),
// CHECK-NEXT:      .mem_stride = {8, 8, 4, 1}, .shape = {1, 1, 2, 4}, .rank = 4,
// CHECK-NEXT:      .el_type = MLI_EL_SA_8, .el_params = PER_TENSOR(21880, 14, 0)};
// CHECK-NEXT:  mli_tensor b = {.data = BYTES(16, pi32, READ_ONLY(int32_t, bias)),
// CHECK-NEXT:      .mem_stride = {1, 0, 0, 0}, .shape = {4, 0, 0, 0}, .rank = 1,
// CHECK-NEXT:      .el_type = MLI_EL_SA_32, .el_params = PER_TENSOR(21880, 14, 0)};
// CHECK-NEXT:  mli_tensor out = {.data = BYTES(4, pi8, output), .mem_stride = {4, 4, 1, 0},
// CHECK-NEXT:      .shape = {1, 1, 4, 0}, .rank = 3, .el_type = MLI_EL_SA_8,
// CHECK-NEXT:      .el_params = PER_TENSOR(27029, 7, 0)};
// CHECK-NEXT:  const mli_conv2d_cfg config = {.relu = {.type = MLI_RELU_NONE},
// CHECK-NEXT:      .stride_width = 1, .stride_height = 1, .padding_left = 0,
// CHECK-NEXT:      .padding_right = 0, .padding_top = 0, .padding_bottom = 0,
// CHECK-NEXT:      .dilation_width = 1, .dilation_height = 1};
// CHECK-NEXT:  const mli_status status = mli_krn_conv2d_hwcn_sa8_sa8_sa32(&in, &w, &b,
// CHECK-NEXT:      &config, &out);
// CHECK-NEXT:  if (status != MLI_STATUS_OK) {
// CHECK-NEXT:    return status;
// CHECK-NEXT:  }
// CHECK-NEXT:  return output[0] == -41 && output[1] == 1 && output[2] == 5 && output[3] == 38
// CHECK-NEXT:      ? MLI_STATUS_OK : MLI_STATUS_SPEC_PARAM_MISMATCH;
// CHECK-NEXT:}
// CHECK-EMPTY:
// CHECK-NEXT:static mli_status check_averages(void) {
// CHECK-NEXT:  static const int8_t input[12] = {-14, 41, 35, 49, -86, 121, -95, 104, 116,
// CHECK-NEXT:      -13, -84, 87};
// CHECK-NEXT:  int8_t output[4] = {0, 0, 0, 0};
// CHECK-NEXT:  mli_tensor in = {.data = BYTES(12, pi8, READ_ONLY(int8_t, input)),
// CHECK-NEXT:      .mem_stride = {4, 4, 1, 0}, .shape = {3, 1, 4, 0}, .rank = 3,
// CHECK-NEXT:      .el_type = MLI_EL_SA_8, .el_params = PER_TENSOR(25313, 14, 0)};
// CHECK-NEXT:  mli_tensor out = {.data = BYTES(4, pi8, output), .mem_stride = {4, 4, 1, 0},
// CHECK-NEXT:      .shape = {1, 1, 4, 0}, .rank = 3, .el_type = MLI_EL_SA_8,
// CHECK-NEXT:      .el_params = PER_TENSOR(16759, 14, 0)};
// CHECK-NEXT:  const mli_pool_cfg config = {.kernel_width = 1, .kernel_height = 3,
// CHECK-NEXT:      .stride_width = 1, .stride_height = 1, .padding_left = 0,
// CHECK-NEXT:      .padding_right = 0, .padding_top = 0, .padding_bottom = 0};
// CHECK-NEXT:  const mli_status status = mli_krn_avepool_hwc_sa8(&in, &config, &out);
// CHECK-NEXT:  if (status != MLI_STATUS_OK) {
// CHECK-NEXT:    return status;
// CHECK-NEXT:  }
// CHECK-NEXT:  return output[0] == 8 && output[1] == 75 && output[2] == -72 && output[3] ==
// CHECK-NEXT:      120 ? MLI_STATUS_OK : MLI_STATUS_SPEC_PARAM_MISMATCH;
// CHECK-NEXT:}
// CHECK-EMPTY:
// CHECK-NEXT:mli_status tiny_check(void) {
// CHECK-NEXT:  mli_status status = MLI_STATUS_OK;
// CHECK-NEXT:  if (status == MLI_STATUS_OK) {
// CHECK-NEXT:    status = check_products();
// CHECK-NEXT:  }
// CHECK-NEXT:  if (status == MLI_STATUS_OK) {
// CHECK-NEXT:    status = check_averages();
// CHECK-NEXT:  }
// CHECK-NEXT:  return status;
// CHECK-NEXT:}
// CHECK-EMPTY:

// SOURCE: #include "tiny_weights.h"
// SOURCE: .data = BYTES(54, pi8, READ_ONLY(int8_t, tiny_conv2d_weights))
// SOURCE: #include <stdint.h>
// SOURCE: extern const int8_t tiny_conv2d_weights[54];
// SOURCE: #include "tiny_weights.h"
// SOURCE: TINY_WEIGHTS const int8_t tiny_conv2d_weights[54] = {

// BLOB: #define TINY_WEIGHTS_BYTES 88
// BLOB: mli_status tiny_invoke(const int8_t input[TINY_INPUT_BYTES],
// BLOB-NEXT: int8_t output[TINY_OUTPUT_BYTES], void *arena, const void *weights);
// BLOB: .data = BYTES(54, i32, 16)
// BLOB: .data = BYTES(8, i32, 80)
// BLOB: const mli_tensor *weights = at(&base->tensors[1], &tensor_conv2d_weights,
// BLOB-NEXT: base->weights);
// BLOB: bases base = {READ_ONLY(int8_t, input), (int8_t *)output, (int8_t *)arena,
// BLOB-NEXT: READ_ONLY(int8_t, weights), tensors};

!map = tensor<8x8x3x!mli.sa8<16384:14:-128>>
!w = tensor<3x3x3x2x!mli.sa8<axis = 3, {20480:24:0, 28672:24:0}>>
!b = tensor<2x!mli.sa32<axis = 0, {20480:24:0, 28672:24:0}>>
!c = tensor<4x4x2x!mli.sa8<16384:14:-128>>
!o = tensor<1x1x2x!mli.sa8<16384:14:-128>>
func.func @main(%input: !map) -> !o {
  %w = mli.constant dense<3> : tensor<3x3x3x2xi8> to !w
  %b = mli.constant dense<[120, -340]> : tensor<2xi32> to !b
  %e = tensor.empty() : !c
  %conv = mli.conv2d ins(%input, %w, %b : !map, !w, !b) outs(%e : !c) pad [0, 1, 0, 1] {strides = array<i64: 2, 2>} -> !c
  %f = tensor.empty() : !o
  %p = mli.avepool ins(%conv : !c) outs(%f : !o) kernel [4, 4] pad [0, 0, 0, 0] {strides = array<i64: 1, 1>} -> !o
  return %p : !o
}
