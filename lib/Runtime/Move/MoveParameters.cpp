// SPDX-License-Identifier: Apache-2.0
//
// Moves the parameters of the quantised axis along with the elements.

#include "Move.h"
#include "Runtime/Core/ParameterArrays.h"

#include <cinttypes>

namespace mli::rt {

/// The destination dimension that the quantised axis goes to.
static uint32_t movedAxis(const mli_tensor &src, const mli_mov_cfg_t &cfg) {
  uint32_t axis = 0;
  while (axis + 1 < src.rank &&
         cfg.perm_dim[axis] != static_cast<uint32_t>(src.el_params.sa.dim))
    ++axis;
  return axis;
}

// K32
void moveParameters(const mli_tensor &src, const mli_mov_cfg_t &cfg,
                    mli_tensor &dst) {
  if (!isPerAxis(src)) {
    dst.el_params = src.el_params;
    return;
  }
  auto &to = dst.el_params.sa;
  const auto &from = src.el_params.sa;
  uint32_t axis = movedAxis(src, cfg);
  to.type = from.type;
  to.dim = static_cast<int32_t>(axis);
  if (getArrayOwner(src, dst) != ArrayOwner::Output) {
    to.scale = from.scale;
    to.zero_point = from.zero_point;
    to.scale_frac_bits = from.scale_frac_bits;
    return;
  }
  MoveGeometry geometry = moveGeometry(src, cfg);
  const MoveDim &dim = geometry.dims[axis];
  for (uint32_t t = 0; t < dim.count; ++t) {
    int64_t index = dim.start + t * dim.step;
    bool inside = index >= 0 && index < dim.extent;
    quant::QuantParams params =
        inside ? getParams(src, index) : quant::QuantParams();
    uint32_t target = cfg.dst_offset[axis] + t;
    to.scale.mem.pi16[target] = params.scale;
    to.zero_point.mem.pi16[target] = params.zeroPoint;
    to.scale_frac_bits.mem.pi8[target] = params.fracBits;
  }
}

/// Checks the window of a configuration for a per-axis source.
static mli_status checkWindow(const Argument &src, const mli_mov_cfg_t &cfg) {
  for (uint32_t i = 0; i < src->rank; ++i) {
    contract::MovedDim dim = movedDim(*src, cfg, i);
    // One without a size may be empty here: its destination is rejected.
    contract::Block window = {dim.offset, dim.size};
    if (!window.endsIn(dim.padded()))
      return fail(MLI_STATUS_BAD_FUNC_CFG,
                  "expected 'cfg' to end dimension %" PRIu32 " at %" PRId64
                  " or before, but got %" PRId64,
                  i, dim.padded(), window.end());
  }
  return MLI_STATUS_OK;
}

mli_status checkMoveParameters(const Argument &src, const mli_mov_cfg_t &cfg,
                               const Argument &dst) {
  MLI_CHECK(checkWindow(src, cfg));
  const auto &from = src->el_params.sa;
  ArrayOwner owner;
  MLI_CHECK(checkArrayOwner(src, dst, owner));
  uint32_t axis = movedAxis(*src, cfg);
  if (cfg.perm_dim[axis] != static_cast<uint32_t>(from.dim))
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'cfg' to name the quantised dimension %" PRId32
                " in perm_dim, but got others",
                from.dim);
  MoveGeometry geometry = moveGeometry(*src, cfg);
  const MoveDim &dim = geometry.dims[axis];
  if (owner == ArrayOwner::Output)
    return checkOwnArrays(dst, uint64_t{dim.count} + cfg.dst_offset[axis]);
  bool isWhole = dim.start == 0 && dim.step == 1 && dim.count == dim.extent &&
                 cfg.dst_offset[axis] == 0;
  if (!isWhole)
    return fail(MLI_STATUS_SPEC_PARAM_MISMATCH,
                "expected 'dst' to bring parameter arrays for a changed "
                "quantised dimension %" PRId32 ", but got none",
                from.dim);
  return MLI_STATUS_OK;
}

mli_status checkMovedArrays(const Argument &src, const mli_mov_cfg_t &cfg,
                            const Argument &dst) {
  if (!isPerAxis(*src) || getArrayOwner(*src, *dst) != ArrayOwner::Output)
    return MLI_STATUS_OK;
  uint32_t axis = movedAxis(*src, cfg);
  return checkArraysNoAlias(src, dst, cfg.dst_offset[axis],
                            moveGeometry(*src, cfg).dims[axis].count);
}

} // namespace mli::rt
