// SPDX-License-Identifier: Apache-2.0
//
// Converts layouts and targets of the Layout library to those of the C API.

#ifndef MLI_RUNTIME_LOCALTENSOR_H
#define MLI_RUNTIME_LOCALTENSOR_H

#include "mli/Layout/TensorLayout.h"
#include "mli/Runtime/C/mli_local.h"

#include <algorithm>

namespace mli {

inline layout::Target toTarget(const mli_local_target &numbers) {
  return {numbers.npus, numbers.npu_bytes, numbers.banks, numbers.unit,
          numbers.dma_align};
}

inline mli_local_target fromTarget(const layout::Target &target) {
  return {static_cast<uint32_t>(target.npus),
          static_cast<uint32_t>(target.npuBytes),
          static_cast<uint32_t>(target.banks),
          static_cast<uint32_t>(target.unit),
          static_cast<uint32_t>(target.dmaAlignment)};
}

/// The target that is set.
inline layout::Target currentLocalTarget() {
  return toTarget(mli_local_get_target());
}

/// Returns a tensor that lies as `layout` specifies. `dims`, at most
/// MLI_MAX_RANK, are what its dimensions are in local memory. The numbers of
/// `layout`, which is legal, fit those of the API.
template <typename DimList>
mli_local_tensor describeLocal(const layout::TensorLayout &layout,
                               const DimList &dims) {
  mli_local_tensor local = {};
  local.address = static_cast<uint32_t>(layout::getAddress(layout));
  const int64_t strides[] = {layout.strides.n, layout.strides.c,
                             layout.strides.h, layout.strides.w};
  std::transform(std::begin(strides), std::end(strides), local.strides,
                 [](int64_t stride) { return static_cast<int32_t>(stride); });
  local.kind = static_cast<mli_local_kind>(layout.kind);
  local.mode = static_cast<mli_local_mode>(layout.mode);
  if (layout.matrixColumns != 0)
    local.columns = static_cast<int32_t>(layout.shape.w);
  std::copy(dims.begin(), dims.end(), local.dims);
  return local;
}

static_assert(static_cast<int>(layout::Kind::Continuous) ==
                  MLI_LOCAL_CONTINUOUS &&
              static_cast<int>(layout::Kind::Aligned) == MLI_LOCAL_ALIGNED &&
              static_cast<int>(layout::Kind::Compact) == MLI_LOCAL_COMPACT &&
              static_cast<int>(layout::Kind::Matrix) == MLI_LOCAL_MATRIX &&
              static_cast<int>(layout::Kind::Strided) == MLI_LOCAL_STRIDED);
static_assert(static_cast<int>(layout::Mode::None) == MLI_LOCAL_MODE_NONE &&
              static_cast<int>(layout::Mode::FourN) == MLI_LOCAL_MODE_4N &&
              static_cast<int>(layout::Mode::TwoN) == MLI_LOCAL_MODE_2N &&
              static_cast<int>(layout::Mode::TwoIC) == MLI_LOCAL_MODE_2IC);

} // namespace mli

#endif // MLI_RUNTIME_LOCALTENSOR_H
