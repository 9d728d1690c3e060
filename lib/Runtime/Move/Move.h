// SPDX-License-Identifier: Apache-2.0
//
// The geometry of a move: what becomes of the destination, and which source
// element each of its elements takes.

#ifndef MLI_LIB_RUNTIME_MOVE_MOVE_H
#define MLI_LIB_RUNTIME_MOVE_MOVE_H

#include "Runtime/Core/Checks.h"

#include "mli/Contract/Blocks.h"

namespace mli::rt {

/// Along one dimension of the destination: index t takes the source index
/// `start + t * step`, which may lie outside of `extent`.
struct MoveDim {
  uint32_t sourceDim;
  uint32_t count;
  uint32_t extent;
  int64_t start;
  int64_t step;
};

struct MoveGeometry {
  MoveDim dims[MLI_MAX_RANK];
  bool isPadded;
};

/// Dimension `dim` of the source.
contract::MovedDim movedDim(const mli_tensor &src, const mli_mov_cfg_t &cfg,
                            uint32_t dim);

MoveGeometry moveGeometry(const mli_tensor &src, const mli_mov_cfg_t &cfg);

/// Moves at once, with all checks.
mli_status move(const Argument &src, const mli_mov_cfg_t *cfg, mli_tensor *dst);

/// Gives `dst` the quantisation of `src`, moved like its elements.
void moveParameters(const mli_tensor &src, const mli_mov_cfg_t &cfg,
                    mli_tensor &dst);

/// Checks per-axis sources: BAD_FUNC_CFG if the configuration leaves the
/// source; SPEC_PARAM_MISMATCH if the containers of the destination cannot take
/// the moved parameters.
mli_status checkMoveParameters(const Argument &src, const mli_mov_cfg_t &cfg,
                               const Argument &dst);

/// INCOMPATEBLE if the arrays of a destination that is described share memory
/// with what the move reads or writes beside them.
mli_status checkMovedArrays(const Argument &src, const mli_mov_cfg_t &cfg,
                            const Argument &dst);

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_MOVE_MOVE_H
