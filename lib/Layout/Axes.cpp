// SPDX-License-Identifier: Apache-2.0

#include "Layout/Axes.h"

#include "Layout/Saturating.h"

#include <algorithm>

namespace mli::layout {

// L7
Axes sortAxes(const Dims &extents, const Dims &strides) {
  Axes axes = {{{"w stride", &Dims::w, extents.w, strides.w},
                {"h stride", &Dims::h, extents.h, strides.h},
                {"c stride", &Dims::c, extents.c, strides.c},
                {"n stride", &Dims::n, extents.n, strides.n}}};
  for (Axis &axis : axes)
    if (axis.extent == 1)
      axis.stride = 0;
  // Axes of equal stride in the order of their names: deterministic, and
  // without the memory that a stable sort takes.
  std::sort(axes.begin(), axes.end(), [](const Axis &a, const Axis &b) {
    if (a.stride != b.stride)
      return a.stride < b.stride;
    return *a.parameter > *b.parameter;
  });
  return axes;
}

int64_t getSpan(const Axes &axes) {
  int64_t span = 1;
  for (const Axis &axis : axes)
    span = add(span, multiply(axis.extent - 1, axis.stride));
  return span;
}

// L25
std::optional<Violation> checkNoAlias(const Axes &axes) {
  int64_t span = 1;
  for (const Axis &axis : axes) {
    if (axis.extent == 1)
      continue;
    if (axis.stride < span)
      return Violation{axis.parameter, "be at least", span, axis.stride};
    span = add(span, multiply(axis.extent - 1, axis.stride));
  }
  return std::nullopt;
}

Position getPosition(const Axes &axes, int64_t offset) {
  Position position = {{0, 0, 0, 0}, offset};
  for (size_t i = axes.size(); i-- > 0;) {
    const Axis &axis = axes[i];
    if (axis.extent == 1)
      continue;
    int64_t index = std::min(position.rest / axis.stride, axis.extent - 1);
    position.index.*axis.dim = index;
    position.rest -= index * axis.stride;
  }
  return position;
}

} // namespace mli::layout
