// SPDX-License-Identifier: Apache-2.0
//
// Builders of move configurations: a plain copy, changed in one respect.

#include "Runtime/Core/Checks.h"
#include "mli/Runtime/C/api/mli_helpers_api.h"
#include "mli/Runtime/C/api/mli_mov_api.h"

#include <algorithm>
#include <initializer_list>

namespace {

using namespace mli::rt;

/// BAD_FUNC_CFG if one of the pointers that `function` takes is null.
mli_status checkPointers(const char *function,
                         std::initializer_list<const void *> pointers) {
  Entry entry(function);
  if (checksEnabled())
    for (const void *pointer : pointers)
      MLI_CHECK(checkConfig(pointer, "cfg and its arrays"));
  return MLI_STATUS_OK;
}

/// Replaces what a copy has.
template <typename From, typename To>
void set(To (&to)[MLI_MAX_RANK], const From *from) {
  std::copy(from, from + MLI_MAX_RANK, to);
}

void setCopy(mli_mov_cfg_t &cfg) {
  cfg = {};
  for (unsigned i = 0; i < MLI_MAX_RANK; ++i) {
    cfg.sub_sample_step[i] = 1;
    cfg.perm_dim[i] = static_cast<uint8_t>(i);
  }
}

struct Padding2d {
  uint8_t left;
  uint8_t right;
  uint8_t top;
  uint8_t bottom;
};

/// Pads `heightDim` and the dimension after it.
void setPadding(mli_mov_cfg_t &cfg, unsigned heightDim,
                const Padding2d &padding) {
  cfg.padding_pre[heightDim] = padding.top;
  cfg.padding_post[heightDim] = padding.bottom;
  cfg.padding_pre[heightDim + 1] = padding.left;
  cfg.padding_post[heightDim + 1] = padding.right;
}

} // namespace

// NOLINTBEGIN(readability-identifier-naming): the C names.

mli_status mli_mov_cfg_for_copy(mli_mov_cfg_t *cfg) {
  MLI_CHECK(checkPointers("mli_mov_cfg_for_copy", {cfg}));
  setCopy(*cfg);
  return MLI_STATUS_OK;
}

mli_status mli_mov_cfg_for_slice(mli_mov_cfg_t *cfg, int *offsets, int *sizes,
                                 int *dst_mem_stride) {
  MLI_CHECK(checkPointers("mli_mov_cfg_for_slice",
                          {cfg, offsets, sizes, dst_mem_stride}));
  setCopy(*cfg);
  set(cfg->offset, offsets);
  set(cfg->size, sizes);
  set(cfg->dst_mem_stride, dst_mem_stride);
  return MLI_STATUS_OK;
}

mli_status mli_mov_cfg_for_concat(mli_mov_cfg_t *cfg, int *dst_offsets,
                                  int *dst_mem_stride) {
  MLI_CHECK(checkPointers("mli_mov_cfg_for_concat",
                          {cfg, dst_offsets, dst_mem_stride}));
  setCopy(*cfg);
  set(cfg->dst_offset, dst_offsets);
  set(cfg->dst_mem_stride, dst_mem_stride);
  return MLI_STATUS_OK;
}

mli_status mli_mov_cfg_for_subsample(mli_mov_cfg_t *cfg, int *sub_sample_step,
                                     int *dst_mem_stride) {
  MLI_CHECK(checkPointers("mli_mov_cfg_for_subsample",
                          {cfg, sub_sample_step, dst_mem_stride}));
  setCopy(*cfg);
  set(cfg->sub_sample_step, sub_sample_step);
  set(cfg->dst_mem_stride, dst_mem_stride);
  return MLI_STATUS_OK;
}

mli_status mli_mov_cfg_for_permute(mli_mov_cfg_t *cfg, uint8_t *perm_dim) {
  MLI_CHECK(checkPointers("mli_mov_cfg_for_permute", {cfg, perm_dim}));
  setCopy(*cfg);
  set(cfg->perm_dim, perm_dim);
  return MLI_STATUS_OK;
}

mli_status mli_mov_cfg_for_padding2d_chw(mli_mov_cfg_t *cfg, uint8_t padleft,
                                         uint8_t padright, uint8_t padtop,
                                         uint8_t padbot, int *dst_mem_stride) {
  MLI_CHECK(
      checkPointers("mli_mov_cfg_for_padding2d_chw", {cfg, dst_mem_stride}));
  setCopy(*cfg);
  setPadding(*cfg, FMAP_H_DIM_CHW, {padleft, padright, padtop, padbot});
  set(cfg->dst_mem_stride, dst_mem_stride);
  return MLI_STATUS_OK;
}

mli_status mli_mov_cfg_for_padding2d_hwc(mli_mov_cfg_t *cfg, uint8_t padleft,
                                         uint8_t padright, uint8_t padtop,
                                         uint8_t padbot, int *dst_mem_stride) {
  MLI_CHECK(
      checkPointers("mli_mov_cfg_for_padding2d_hwc", {cfg, dst_mem_stride}));
  setCopy(*cfg);
  setPadding(*cfg, FMAP_H_DIM_HWC, {padleft, padright, padtop, padbot});
  set(cfg->dst_mem_stride, dst_mem_stride);
  return MLI_STATUS_OK;
}

mli_status mli_mov_cfg_all(mli_mov_cfg_t *cfg, int *offsets, int *sizes,
                           int *subsample_step, int *dst_offsets,
                           int *dst_mem_stride, uint8_t *perm_dim,
                           uint8_t padleft, uint8_t padright, uint8_t padtop,
                           uint8_t padbot) {
  MLI_CHECK(checkPointers("mli_mov_cfg_all",
                          {cfg, offsets, sizes, subsample_step, dst_offsets,
                           dst_mem_stride, perm_dim}));
  setCopy(*cfg);
  set(cfg->offset, offsets);
  set(cfg->size, sizes);
  set(cfg->sub_sample_step, subsample_step);
  set(cfg->dst_offset, dst_offsets);
  set(cfg->dst_mem_stride, dst_mem_stride);
  set(cfg->perm_dim, perm_dim);
  setPadding(*cfg, FMAP_H_DIM_HWC, {padleft, padright, padtop, padbot});
  return MLI_STATUS_OK;
}

// NOLINTEND(readability-identifier-naming)
