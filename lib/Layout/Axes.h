// SPDX-License-Identifier: Apache-2.0
//
// The memory of one NPU as a nest of four axes: N and block rows, H and W, in
// packed elements. Block rows stand for C.

#ifndef MLI_LIB_LAYOUT_AXES_H
#define MLI_LIB_LAYOUT_AXES_H

#include "mli/Layout/Strides.h"

#include <array>

namespace mli::layout {

/// An axis with one position has stride 0: its own makes no sense.
struct Axis {
  const char *parameter;
  int64_t Dims::*dim;
  int64_t extent;
  int64_t stride;
};

/// The axes, the smallest stride first.
using Axes = std::array<Axis, 4>;
Axes sortAxes(const Dims &extents, const Dims &strides);

/// Elements from the first up to the last.
int64_t getSpan(const Axes &axes);

/// Nothing if every axis steps over all that is inside of it.
std::optional<Violation> checkNoAlias(const Axes &axes);

/// The position on each axis of what `offset` is in, in axis dimensions; and
/// the elements from there to `offset`. A block that has gaps includes them.
struct Position {
  Dims index;
  int64_t rest;
};
Position getPosition(const Axes &axes, int64_t offset);

} // namespace mli::layout

#endif // MLI_LIB_LAYOUT_AXES_H
