// SPDX-License-Identifier: Apache-2.0

#include "Configs.h"

namespace mli::golden {

/// A field of the C structure has its name in the vector.
#define MLI_SET(field) set(cfg.field, a, #field)
#define MLI_SET_ARRAY(field) a.array(#field, cfg.field)

void read(mli_relu_cfg &cfg, Arguments &a) {
  set(cfg.type, a, a.cfg->get("type") ? "type" : "relu");
}

void read(mli_fully_connected_cfg &cfg, Arguments &a) { read(cfg.relu, a); }

/// What convolutions and pooling have in common.
template <typename Config>
static void readWindow(Config &cfg, Arguments &a) {
  MLI_SET(stride_width);
  MLI_SET(stride_height);
  MLI_SET(padding_left);
  MLI_SET(padding_right);
  MLI_SET(padding_top);
  MLI_SET(padding_bottom);
}

void read(mli_conv2d_cfg &cfg, Arguments &a) {
  read(cfg.relu, a);
  readWindow(cfg, a);
  MLI_SET(dilation_width);
  MLI_SET(dilation_height);
}

void read(mli_pool_cfg &cfg, Arguments &a) {
  MLI_SET(kernel_width);
  MLI_SET(kernel_height);
  readWindow(cfg, a);
}

void read(mli_prelu_cfg &cfg, Arguments &a) { MLI_SET(axis); }

void read(mli_argmax_cfg &cfg, Arguments &a) {
  MLI_SET(axis);
  MLI_SET(topk);
}

void read(mli_permute_cfg &cfg, Arguments &a) { MLI_SET_ARRAY(perm_dim); }

void read(mli_rnn_dense_cfg &cfg, Arguments &a) { MLI_SET(inputs_num); }

void read(mli_point_to_subtsr_cfg &cfg, Arguments &a) {
  MLI_SET_ARRAY(start_coord);
  MLI_SET(coord_num);
  MLI_SET(first_out_dim_size);
}

void read(mli_sub_tensor_cfg &cfg, Arguments &a) {
  MLI_SET_ARRAY(offset);
  MLI_SET_ARRAY(size);
  MLI_SET(sub_tensor_rank);
}

void read(mli_mov_cfg_t &cfg, Arguments &a) {
  MLI_SET_ARRAY(offset);
  MLI_SET_ARRAY(size);
  MLI_SET_ARRAY(sub_sample_step);
  MLI_SET_ARRAY(dst_offset);
  MLI_SET_ARRAY(dst_mem_stride);
  MLI_SET_ARRAY(perm_dim);
  MLI_SET_ARRAY(padding_pre);
  MLI_SET_ARRAY(padding_post);
}

} // namespace mli::golden
