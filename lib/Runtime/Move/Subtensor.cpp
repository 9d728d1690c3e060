// SPDX-License-Identifier: Apache-2.0
//
// Views of tensors.

#include "Runtime/Core/Checks.h"
#include "mli/Contract/Blocks.h"
#include "mli/Runtime/C/api/mli_helpers_api.h"

#include <algorithm>
#include <cinttypes>
#include <cstring>

namespace mli::rt {
namespace {

/// Which dimensions a view keeps. Without enough of size 1 to drop there are
/// more than its rank; their entries are written and lie beyond the rank.
struct KeptDims {
  uint32_t dims[MLI_MAX_RANK];
  uint32_t count;
  uint32_t rank;
};

/// The first dimensions of size 1 are dropped, as many as the rank falls.
// K31
KeptDims keptDims(const mli_tensor &in, const mli_sub_tensor_cfg &cfg) {
  KeptDims kept = {};
  kept.rank = cfg.sub_tensor_rank;
  uint32_t toDrop = in.rank - cfg.sub_tensor_rank;
  for (uint32_t i = 0; i < in.rank; ++i) {
    if (cfg.size[i] == 1 && toDrop > 0)
      --toDrop;
    else
      kept.dims[kept.count++] = i;
  }
  return kept;
}

/// The position that the quantised axis has in the view, or -1.
int32_t keptAxis(const KeptDims &kept, int32_t axis) {
  for (uint32_t i = 0; i < kept.rank; ++i)
    if (static_cast<int64_t>(kept.dims[i]) == axis)
      return static_cast<int32_t>(i);
  return -1;
}

/// Rejects configurations that no view can express, in every mode.
mli_status checkView(const mli_tensor &in, const mli_sub_tensor_cfg &cfg) {
  KeptDims kept = keptDims(in, cfg);
  if (isPerAxis(in) && keptAxis(kept, in.el_params.sa.dim) < 0)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'cfg' to keep the quantised dimension %" PRId32
                ", but got a sub_tensor_rank of %" PRIu32 " that drops it",
                in.el_params.sa.dim, cfg.sub_tensor_rank);
  // R13
  if (elementSize(in.el_type) == 0)
    return fail(MLI_STATUS_NOT_SUPPORTED,
                "expected 'in' to have a type with a size, but got el_type "
                "0x%x",
                static_cast<unsigned>(in.el_type));
  return MLI_STATUS_OK;
}

// V2
mli_status checkSubtensor(const Argument &in, const mli_sub_tensor_cfg *cfg,
                          const Argument &out) {
  MLI_CHECK(checkTensor(in));
  MLI_CHECK(checkNotNull(out));
  MLI_CHECK(checkConfig(cfg));
  if (cfg->sub_tensor_rank > in->rank)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'cfg' to have a sub_tensor_rank of at most %" PRIu32
                ", but got %" PRIu32,
                in->rank, cfg->sub_tensor_rank);
  for (uint32_t i = 0; i < in->rank; ++i)
    if (!contract::Block::ofOneAtLeast(cfg->offset[i], cfg->size[i])
             .endsIn(in->shape[i]))
      return fail(MLI_STATUS_BAD_FUNC_CFG,
                  "expected 'cfg' to cut dimension %" PRIu32 " within %" PRIu32
                  ", but got offset %" PRIu32 " and size %" PRIu32,
                  i, in->shape[i], cfg->offset[i], cfg->size[i]);
  return checkAxisArrays(in);
}

/// A scalar holds its value instead of pointing to it.
mli_data_container heldValue(const int8_t *bytes, uint32_t size) {
  mli_data_container container = {};
  std::memcpy(&container.mem, bytes, size);
  return container;
}

/// A parameter array from entry `first` on, of `size` bytes each.
void skipEntries(mli_data_container &array, uint32_t size, uint32_t first) {
  uint64_t bytes = uint64_t{first} * size;
  array.mem.pi8 += bytes;
  array.capacity -=
      static_cast<uint32_t>(std::min<uint64_t>(bytes, array.capacity));
}

// K60
void makeView(const mli_tensor &in, const mli_sub_tensor_cfg &cfg,
              mli_tensor &out) {
  Strides strides = getCompleteStrides(in);
  int64_t offset = 0;
  for (uint32_t i = 0; i < in.rank; ++i)
    offset += cfg.offset[i] * strides[i];
  KeptDims kept = keptDims(in, cfg);
  mli_element_params params = in.el_params;
  if (isPerAxis(in)) {
    uint32_t first = cfg.offset[params.sa.dim];
    params.sa.dim = keptAxis(kept, params.sa.dim);
    skipEntries(params.sa.scale, 2, first);
    skipEntries(params.sa.zero_point, 2, first);
    skipEntries(params.sa.scale_frac_bits, 1, first);
  }
  // `out` may be `in`: all of it is read before it is written.
  int64_t bytes = offset * elementSize(in.el_type);
  mli_data_container data = in.data;
  data.mem.pi8 += bytes;
  data.capacity -= static_cast<uint32_t>(bytes);
  if (kept.rank == 0 && in.rank != 0)
    data = heldValue(data.mem.pi8, elementSize(in.el_type));
  mli_element_type type = in.el_type;
  for (uint32_t i = 0; i < kept.count; ++i) {
    out.shape[i] = cfg.size[kept.dims[i]];
    out.mem_stride[i] = static_cast<int32_t>(strides[kept.dims[i]]);
  }
  out.data = data;
  out.rank = kept.rank;
  out.el_type = type;
  out.el_params = params;
}

mli_status createSubtensor(const Argument &in, const mli_sub_tensor_cfg *cfg,
                           mli_tensor *out) {
  if (checksEnabled())
    MLI_CHECK(checkSubtensor(in, cfg, {out, "out"}));
  MLI_CHECK(checkView(*in, *cfg));
  makeView(*in, *cfg, *out);
  return MLI_STATUS_OK;
}

mli_status checkPoint(const mli_tensor &in,
                      const mli_point_to_subtsr_cfg &cfg) {
  if (cfg.coord_num > in.rank ||
      in.rank + 1 > uint32_t{MLI_MAX_RANK} + cfg.coord_num)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'cfg' to have a coord_num from %d to %" PRIu32
                ", but got %d",
                in.rank < MLI_MAX_RANK ? 0 : 1, in.rank, cfg.coord_num);
  for (uint32_t i = 0; i < cfg.coord_num; ++i) {
    int64_t size = i + 1 == cfg.coord_num ? cfg.first_out_dim_size : 1;
    contract::Block block =
        contract::Block::ofOneAtLeast(cfg.start_coord[i], size);
    if (!block.endsIn(in.shape[i]))
      return fail(MLI_STATUS_BAD_FUNC_CFG,
                  "expected 'cfg' to stay within the %" PRIu32
                  " elements of dimension %" PRIu32 ", but got an end of "
                  "%" PRId64,
                  in.shape[i], i, block.end());
  }
  return MLI_STATUS_OK;
}

/// Strides are not written, so only a view whose strides are right succeeds:
/// one of rank 1, as in the reference.
mli_status checkPointToSubtensor(const Argument &in,
                                 const mli_point_to_subtsr_cfg *cfg,
                                 const Argument &out) {
  MLI_CHECK(checkTensor(in));
  MLI_CHECK(checkNotNull(out));
  MLI_CHECK(checkConfig(cfg));
  if (in->rank == 0)
    return fail(MLI_STATUS_BAD_TENSOR,
                "expected 'in' to have a rank over 0, but got 0");
  MLI_CHECK(checkPoint(*in, *cfg));
  MLI_CHECK(checkContiguous(in));
  if (elementSize(in->el_type) == 0)
    return fail(MLI_STATUS_NOT_SUPPORTED,
                "expected 'in' to have a type with a size, but got el_type "
                "0x%x",
                static_cast<unsigned>(in->el_type));
  if (cfg->coord_num != in->rank || out->mem_stride[0] != 1)
    return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
                "expected 'out' to be of rank 1 with mem_stride 1, but got "
                "rank %" PRIu32 " with mem_stride %" PRId32,
                in->rank - cfg->coord_num + 1, out->mem_stride[0]);
  return MLI_STATUS_OK;
}

mli_status pointToSubtensor(const Argument &in,
                            const mli_point_to_subtsr_cfg *cfg,
                            mli_tensor *out) {
  if (checksEnabled())
    MLI_CHECK(checkPointToSubtensor(in, cfg, {out, "out"}));
  const mli_tensor source = *in;
  uint32_t size = elementSize(source.el_type);
  int64_t dense = 1;
  int64_t offset = 0;
  for (uint32_t i = source.rank; i-- > 0;) {
    if (i < cfg->coord_num)
      offset += cfg->start_coord[i] * dense;
    dense *= source.shape[i];
  }
  out->rank = source.rank - cfg->coord_num + 1;
  out->shape[0] = cfg->first_out_dim_size;
  for (uint32_t i = 1; i < out->rank; ++i)
    out->shape[i] = source.shape[cfg->coord_num - 1 + i];
  out->el_type = source.el_type;
  out->el_params = source.el_params;
  out->data.mem.pi8 = source.data.mem.pi8 + offset * size;
  out->data.capacity = countElements(*out) * size;
  return MLI_STATUS_OK;
}

} // namespace
} // namespace mli::rt

// NOLINTBEGIN(readability-identifier-naming): the C names.

mli_status mli_hlp_create_subtensor(const mli_tensor *in,
                                    const mli_sub_tensor_cfg *cfg,
                                    mli_tensor *out) {
  mli::rt::Entry entry("mli_hlp_create_subtensor");
  return mli::rt::createSubtensor({in, "in"}, cfg, out);
}

// R4
mli_status mli_hlp_subtensor(const mli_tensor *in, const mli_subtensor_cfg *cfg,
                             mli_tensor *out) {
  return mli_hlp_create_subtensor(in, cfg, out);
}

// R14
mli_status mli_hlp_point_to_subtensor(const mli_tensor *in,
                                      const mli_point_to_subtsr_cfg *cfg,
                                      mli_tensor *out) {
  mli::rt::Entry entry("mli_hlp_point_to_subtensor");
  return mli::rt::pointToSubtensor({in, "in"}, cfg, out);
}

// NOLINTEND(readability-identifier-naming)
