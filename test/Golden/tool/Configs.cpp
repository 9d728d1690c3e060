// SPDX-License-Identifier: Apache-2.0

#include "Configs.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

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

std::string ConfigArgument<mli_rnn_cell_cfg>::write(CallWriter &writer) {
  if (isNull)
    return "NULL";
  writer.addMemory("scratch", bytes.data(), bytes.size(), /*isCompared=*/false);
  return "&" + writer.declare(
                   "mli_rnn_cell_cfg", "cfg",
                   formatv("{{(mli_rnn_direction){0}, (mli_rnn_results){1}, "
                           "(mli_rnn_out_activation){2}, {3}}",
                           int{cfg.direction}, int{cfg.results}, int{cfg.act},
                           writer.container(cfg.scratch_data)));
}

std::string TensorArray::write(CallWriter &writer) {
  std::vector<std::string> elements;
  for (const mli_tensor *&tensor : tensors)
    elements.push_back(writer.write(tensor));
  writer.declare("const mli_tensor", "*" + name + "[]",
                 "{" + join(elements, ", ") + "}");
  return name;
}

} // namespace mli::golden
