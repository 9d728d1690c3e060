// SPDX-License-Identifier: Apache-2.0
//
// The rows that a tensor in local memory consists of.

#ifndef MLI_LIB_RUNTIME_LOCAL_ROWS_H
#define MLI_LIB_RUNTIME_LOCAL_ROWS_H

#include "mli/Layout/TensorLayout.h"

#include <algorithm>

namespace mli::rt {

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

#endif // MLI_LIB_RUNTIME_LOCAL_ROWS_H
