// SPDX-License-Identifier: Apache-2.0
//
// Builders of move configurations: a plain copy, changed in one respect.

#include "Runtime/Checks.h"
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

/// What to change; null arrays keep what a copy has.
struct Changes {
  const int *offsets = nullptr;
  const int *sizes = nullptr;
  const int *steps = nullptr;
  const int *dstOffsets = nullptr;
  const int *dstStrides = nullptr;
  const uint8_t *permutation = nullptr;
};

struct Padding2d {
  uint8_t left = 0;
  uint8_t right = 0;
  uint8_t top = 0;
  uint8_t bottom = 0;
};

template <typename From, typename To>
void copyArray(const From *from, To *to) {
  if (from)
    std::copy(from, from + MLI_MAX_RANK, to);
}

/// A copy with `changes`, and padding of `heightDim` and the one after it.
mli_status build(mli_mov_cfg_t *cfg, const Changes &changes,
                 unsigned heightDim = 0, const Padding2d &padding = {}) {
  *cfg = {};
  for (unsigned i = 0; i < MLI_MAX_RANK; ++i) {
    cfg->sub_sample_step[i] = 1;
    cfg->perm_dim[i] = static_cast<uint8_t>(i);
  }
  copyArray(changes.offsets, cfg->offset);
  copyArray(changes.sizes, cfg->size);
  copyArray(changes.steps, cfg->sub_sample_step);
  copyArray(changes.dstOffsets, cfg->dst_offset);
  copyArray(changes.dstStrides, cfg->dst_mem_stride);
  copyArray(changes.permutation, cfg->perm_dim);
  cfg->padding_pre[heightDim] = padding.top;
  cfg->padding_post[heightDim] = padding.bottom;
  cfg->padding_pre[heightDim + 1] = padding.left;
  cfg->padding_post[heightDim + 1] = padding.right;
  return MLI_STATUS_OK;
}

} // namespace

// NOLINTBEGIN(readability-identifier-naming): the C names.

mli_status mli_mov_cfg_for_copy(mli_mov_cfg_t *cfg) {
  MLI_CHECK(checkPointers("mli_mov_cfg_for_copy", {cfg}));
  return build(cfg, {});
}

mli_status mli_mov_cfg_for_slice(mli_mov_cfg_t *cfg, int *offsets, int *sizes,
                                 int *dst_mem_stride) {
  MLI_CHECK(checkPointers("mli_mov_cfg_for_slice",
                          {cfg, offsets, sizes, dst_mem_stride}));
  return build(cfg,
               {offsets, sizes, nullptr, nullptr, dst_mem_stride, nullptr});
}

mli_status mli_mov_cfg_for_concat(mli_mov_cfg_t *cfg, int *dst_offsets,
                                  int *dst_mem_stride) {
  MLI_CHECK(checkPointers("mli_mov_cfg_for_concat",
                          {cfg, dst_offsets, dst_mem_stride}));
  return build(
      cfg, {nullptr, nullptr, nullptr, dst_offsets, dst_mem_stride, nullptr});
}

mli_status mli_mov_cfg_for_subsample(mli_mov_cfg_t *cfg, int *sub_sample_step,
                                     int *dst_mem_stride) {
  MLI_CHECK(checkPointers("mli_mov_cfg_for_subsample",
                          {cfg, sub_sample_step, dst_mem_stride}));
  return build(cfg, {nullptr, nullptr, sub_sample_step, nullptr, dst_mem_stride,
                     nullptr});
}

mli_status mli_mov_cfg_for_permute(mli_mov_cfg_t *cfg, uint8_t *perm_dim) {
  MLI_CHECK(checkPointers("mli_mov_cfg_for_permute", {cfg, perm_dim}));
  return build(cfg, {nullptr, nullptr, nullptr, nullptr, nullptr, perm_dim});
}

mli_status mli_mov_cfg_for_padding2d_chw(mli_mov_cfg_t *cfg, uint8_t padleft,
                                         uint8_t padright, uint8_t padtop,
                                         uint8_t padbot, int *dst_mem_stride) {
  MLI_CHECK(
      checkPointers("mli_mov_cfg_for_padding2d_chw", {cfg, dst_mem_stride}));
  return build(cfg,
               {nullptr, nullptr, nullptr, nullptr, dst_mem_stride, nullptr},
               /*heightDim=*/1, {padleft, padright, padtop, padbot});
}

mli_status mli_mov_cfg_for_padding2d_hwc(mli_mov_cfg_t *cfg, uint8_t padleft,
                                         uint8_t padright, uint8_t padtop,
                                         uint8_t padbot, int *dst_mem_stride) {
  MLI_CHECK(
      checkPointers("mli_mov_cfg_for_padding2d_hwc", {cfg, dst_mem_stride}));
  return build(cfg,
               {nullptr, nullptr, nullptr, nullptr, dst_mem_stride, nullptr},
               /*heightDim=*/0, {padleft, padright, padtop, padbot});
}

mli_status mli_mov_cfg_all(mli_mov_cfg_t *cfg, int *offsets, int *sizes,
                           int *subsample_step, int *dst_offsets,
                           int *dst_mem_stride, uint8_t *perm_dim,
                           uint8_t padleft, uint8_t padright, uint8_t padtop,
                           uint8_t padbot) {
  MLI_CHECK(checkPointers("mli_mov_cfg_all",
                          {cfg, offsets, sizes, subsample_step, dst_offsets,
                           dst_mem_stride, perm_dim}));
  return build(
      cfg,
      {offsets, sizes, subsample_step, dst_offsets, dst_mem_stride, perm_dim},
      /*heightDim=*/0, {padleft, padright, padtop, padbot});
}

// NOLINTEND(readability-identifier-naming)
