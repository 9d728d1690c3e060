// SPDX-License-Identifier: Apache-2.0
//
// Tensors, status codes and configuration structures of the MLI 2.0 C API.
// Member order, enumerator values and sizes are fixed: programs initialise
// these structures by position.

#ifndef MLI_TYPES_H
#define MLI_TYPES_H

#include <stdint.h>

// NOLINTBEGIN: a C header, whose names the specification fixes.

/// Marks what the shared library exports.
#define MLI_API __attribute__((visibility("default")))

/// The largest rank of a tensor.
#define MLI_MAX_RANK (4)

/// The status of a call: `MLI_STATUS_OK`, or the first rule that was broken.
typedef enum _mli_status {
  MLI_STATUS_OK = 0,
  MLI_STATUS_BAD_TENSOR = 1,
  MLI_STATUS_SHAPE_MISMATCH = 2,
  MLI_STATUS_INCOMPATEBLE_TENSORS = 3, // (sic)
  MLI_STATUS_BAD_FUNC_CFG = 4,
  MLI_STATUS_NOT_ENGH_MEM = 5, // (sic)
  MLI_STATUS_NOT_SUPPORTED = 6,
  MLI_STATUS_SPEC_PARAM_MISMATCH = 7,
  MLI_STATUS_ARGUMENT_ERROR = 8,
  MLI_STATUS_LENGTH_ERROR = 9,
  MLI_STATUS_SIZE_MISMATCH = 10,
  MLI_STATUS_RANK_MISMATCH = 11,
  MLI_STATUS_TYPE_MISMATCH = 12,
  MLI_STATUS_MEM_BANK_MISMATCH = 13,
  MLI_STATUS_MISALIGNMENT_ERROR = 14,
  MLI_STATUS_LARGE_ENUM = 0x02000000
} mli_status;

/// Element types. The low byte is the number of bits, the high byte the kind:
/// fixed point (fx), signed asymmetric (sa) or floating point (fp).
typedef enum {
  MLI_EL_FX_4 = 0x004, // For future use.
  MLI_EL_FX_8 = 0x008,
  MLI_EL_FX_16 = 0x010,
  MLI_EL_SA_8 = 0x108,
  MLI_EL_SA_32 = 0x120,
  MLI_EL_FP_16 = 0x210, // For future use.
  MLI_EL_FP_32 = 0x220,
  MLI_EL_LARGE_ENUM = 0x02000000
} mli_element_type;

/// The name that the specification has for it.
#define MLI_EL_SA8 MLI_EL_SA_8

/// The containers of the parameters of sa elements.
typedef enum {
  MLI_EL_PARAM_SC16_ZP16 = 0,
  MLI_EL_PARAM_LARGE_ENUM = 0x02000000
} mli_el_param_type;

/// A buffer of `capacity` bytes, or one value held in the container itself. The
/// buffer belongs to the creator of the container.
typedef struct _mli_data_container {
  uint32_t capacity;
  union {
    int32_t *pi32;
    int16_t *pi16;
    int8_t *pi8;
    float *pf32;
    int32_t i32;
    int16_t i16;
    int8_t i8;
    float f32;
  } mem;
} mli_data_container;

/// The real numbers that the values of a tensor stand for.
///   fx: `real = code * 2^-frac_bits`
///   sa: `real = (code - zero_point) * scale * 2^-scale_frac_bits`
/// With `dim < 0` the three sa containers hold one value each, in `mem.i16`,
/// `mem.i16` and `mem.i8`, and have capacity 0. With `dim >= 0` they point to
/// one value for each index of that dimension.
typedef union _mli_element_params {
  struct {
    int8_t frac_bits;
  } fx;
  struct {
    mli_el_param_type type;
    mli_data_container zero_point;
    mli_data_container scale;
    int32_t dim;
    mli_data_container scale_frac_bits;
  } sa;
} mli_element_params;

/// A tensor: strides count elements, and every entry up to the rank is
/// positive. A scalar has rank 0 and holds its value in `data.mem`.
typedef struct _mli_tensor {
  mli_data_container data;
  int32_t mem_stride[MLI_MAX_RANK];
  uint32_t shape[MLI_MAX_RANK];
  uint32_t rank;
  mli_element_type el_type;
  mli_element_params el_params;
} mli_tensor;

/// A table of a function, see `mli_krn_*_create_lut`. `data` points to
/// `length` values of `type`; `output_offset` is never read.
typedef struct _mli_lut {
  mli_data_container data;
  mli_element_type type;
  int32_t length;
  int32_t in_frac_bits;
  int32_t out_frac_bits;
  int32_t input_offset;
  int32_t output_offset;
} mli_lut;

typedef enum {
  MLI_RELU_NONE = 0,
  MLI_RELU_GEN = 1, // Clip below at 0.
  MLI_RELU_1 = 2,   // Clip to [-1, 1].
  MLI_RELU_6 = 3,   // Clip to [0, 6].
  MLI_RELU_LARGE_ENUM = 0x02000000
} mli_relu_type;

typedef struct {
  mli_relu_type type;
} mli_relu_cfg;

/// `axis` -1 is the whole tensor, otherwise the dimension.
typedef struct {
  int32_t axis;
} mli_prelu_cfg;
typedef mli_prelu_cfg mli_softmax_cfg;
typedef mli_prelu_cfg mli_l2_normalize_cfg;

typedef struct {
  mli_relu_cfg relu;
} mli_fully_connected_cfg;

typedef struct {
  mli_relu_cfg relu;
  uint8_t stride_width;
  uint8_t stride_height;
  uint8_t padding_left;
  uint8_t padding_right;
  uint8_t padding_top;
  uint8_t padding_bottom;
  uint8_t dilation_width;
  uint8_t dilation_height;
} mli_conv2d_cfg;

typedef struct {
  uint8_t kernel_width;
  uint8_t kernel_height;
  uint8_t stride_width;
  uint8_t stride_height;
  uint8_t padding_left;
  uint8_t padding_right;
  uint8_t padding_top;
  uint8_t padding_bottom;
} mli_pool_cfg;

typedef enum {
  RNN_ONE_TO_ONE = 0,
  RNN_BATCH_TO_BATCH = 1,
  RNN_BATCH_TO_LAST = 2,
  RNN_MODE_LARGE_ENUM = 0x02000000
} mli_rnn_mode;

typedef enum {
  RNN_ACT_NONE = 0,
  RNN_ACT_TANH = 1,
  RNN_ACT_SIGM = 2,
  RNN_ACT_LARGE_ENUM = 0x02000000
} mli_rnn_out_activation;

typedef enum {
  RNN_DIR_FORWARD = 0,
  RNN_DIR_BACKWARD = 1,
  RNN_DIR_LARGE_ENUM = 0x02000000
} mli_rnn_direction;

typedef enum {
  RNN_OUT_LAST = 0,
  RNN_OUT_ALL = 1,
  RNN_OUT_LARGE_ENUM = 0x02000000
} mli_rnn_results;

/// The configuration of the deprecated basic cell, which no library implements.
typedef struct {
  mli_rnn_mode mode;
  mli_rnn_out_activation act;
  mli_tensor *ir_tsr;
} mli_rnn_cell_cfg_depr;

typedef struct {
  uint8_t inputs_num;
} mli_rnn_dense_cfg;

/// `scratch_data` is memory of the caller: gates * cell size elements.
typedef struct {
  mli_rnn_direction direction;
  mli_rnn_results results;
  mli_rnn_out_activation act;
  mli_data_container scratch_data;
} mli_rnn_cell_cfg;

/// Destination dimension i comes from source dimension `perm_dim[i]`.
typedef struct {
  uint8_t perm_dim[MLI_MAX_RANK];
} mli_permute_cfg;

/// No function takes it.
typedef struct {
  uint8_t padding_left;
  uint8_t padding_right;
  uint8_t padding_top;
  uint8_t padding_bottom;
} mli_padding2d_cfg;

/// No function takes it.
typedef struct {
  uint8_t tensors_num;
  uint8_t axis;
} mli_concat_cfg;

typedef struct {
  uint32_t start_coord[MLI_MAX_RANK];
  uint8_t coord_num;
  uint8_t first_out_dim_size;
} mli_point_to_subtsr_cfg;

typedef struct {
  uint32_t offset[MLI_MAX_RANK];
  uint32_t size[MLI_MAX_RANK];
  uint32_t sub_tensor_rank;
} mli_sub_tensor_cfg;

/// The name that the specification has for it.
typedef mli_sub_tensor_cfg mli_subtensor_cfg;

/// The configuration of a move. `offset`, `size`, `sub_sample_step` and both
/// paddings are indexed by source dimension, `dst_offset` and `dst_mem_stride`
/// by destination dimension. A size or stride of 0 is computed.
typedef struct _mli_mov_cfg {
  uint32_t offset[MLI_MAX_RANK];
  uint32_t size[MLI_MAX_RANK];
  uint32_t sub_sample_step[MLI_MAX_RANK];
  uint32_t dst_offset[MLI_MAX_RANK];
  int32_t dst_mem_stride[MLI_MAX_RANK];
  uint8_t perm_dim[MLI_MAX_RANK];
  uint8_t padding_pre[MLI_MAX_RANK];
  uint8_t padding_post[MLI_MAX_RANK];
} mli_mov_cfg_t;

typedef struct {
  int32_t axis;
  int32_t topk;
} mli_argmax_cfg;

// NOLINTEND

#endif // MLI_TYPES_H
