// SPDX-License-Identifier: Apache-2.0
//
// A local tensor of the C API beside the ordinary tensor that it stands for,
// and the rows that it consists of.

#ifndef MLI_LIB_RUNTIME_LOCAL_LOCALTENSOR_H
#define MLI_LIB_RUNTIME_LOCAL_LOCALTENSOR_H

#include "Runtime/Core/Checks.h"
#include "mli/Layout/TensorLayout.h"
#include "mli/Runtime/C/mli_local.h"

#include <algorithm>

namespace mli::rt {

/// The layout, and for each dimension of local memory what a step along it is
/// in the ordinary tensor, in elements; of a matrix, C steps over the columns
/// of a channel.
struct LocalTensor {
  layout::TensorLayout layout;
  layout::Dims tensorStrides;
};

/// Finds both. BAD_FUNC_CFG if the description is not a legal layout,
/// NOT_ENGH_MEM if it does not fit, BAD_TENSOR if `tensor` is null or has no
/// shape or type. With messages.
mli_status resolve(const mli_local_tensor *local, const Argument &tensor,
                   LocalTensor &resolved);

/// Calls `visit` with the index of the first element of each row of `n` from
/// `first` to before `end`.
template <typename Visit>
void forEachRow(const layout::TensorLayout &layout, int64_t first, int64_t end,
                Visit visit) {
  layout::Dims at = {0, 0, 0, 0};
  for (at.n = first; at.n < end; ++at.n)
    for (at.c = 0; at.c < layout.shape.c; ++at.c)
      for (at.h = 0; at.h < layout.shape.h; ++at.h)
        visit(at);
}

/// The elements of a row of channel `channel`: the last one of a matrix may
/// have fewer.
inline int64_t rowLength(const layout::TensorLayout &layout, int64_t channel) {
  int64_t length = layout.shape.w;
  if (layout.matrixColumns != 0)
    length = std::min(length, layout.matrixColumns - channel * length);
  return length;
}

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_LOCAL_LOCALTENSOR_H
