// SPDX-License-Identifier: Apache-2.0
//
// What divides the address of a layout.

#ifndef MLI_LIB_LAYOUT_ALIGNMENT_H
#define MLI_LIB_LAYOUT_ALIGNMENT_H

#include "mli/Layout/TensorLayout.h"

#include <algorithm>

namespace mli::layout {

/// The address of a layout is divisible by it: what the kind wants, and the
/// size of an element, both powers of two.
// L10, L12, L38
inline int64_t alignmentOf(const TensorLayout &layout) {
  int64_t wanted = 1;
  if (layout.kind == Kind::Aligned || layout.kind == Kind::Matrix)
    wanted = layout.target.unit;
  else if (layout.kind == Kind::Compact)
    wanted = 4;
  return std::max(wanted, layout.elementBytes);
}

} // namespace mli::layout

#endif // MLI_LIB_LAYOUT_ALIGNMENT_H
