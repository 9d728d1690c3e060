// SPDX-License-Identifier: Apache-2.0

#include "mli/Layout/ElementMap.h"

#include "Layout/Axes.h"

namespace mli::layout {

// L4, L6, L17, L18, L20, L21
Location locate(const TensorLayout &layout, const Dims &index) {
  const Dims &strides = layout.strides;
  int64_t factor = packFactor(layout.mode);
  int64_t channel = layout.startNpu + index.c;
  int64_t packed = index.n / factor * strides.n +
                   channel / layout.target.npus * strides.c +
                   index.h * strides.h + index.w * strides.w;
  return {channel % layout.target.npus,
          layout.offset + packed * packedBytes(layout) +
              index.n % factor * layout.elementBytes};
}

// L14
Location locateInMatrix(const TensorLayout &layout, int64_t row,
                        int64_t column) {
  int64_t width = layout.shape.w;
  return locate(layout, {row, column / width, 0, column % width});
}

// L15
bool hasElement(const TensorLayout &layout, const Dims &index) {
  const Dims &shape = layout.shape;
  auto isIn = [](int64_t value, int64_t extent) {
    return value >= 0 && value < extent;
  };
  return isIn(index.n, shape.n) && isIn(index.c, shape.c) &&
         isIn(index.h, shape.h) && isIn(index.w, shape.w) &&
         (layout.matrixColumns == 0 ||
          index.c * shape.w + index.w < layout.matrixColumns);
}

// L5, L19
ByteContent contentAt(const TensorLayout &layout, const Location &location) {
  ByteContent nothing = {Content::Nothing, {0, 0, 0, 0}, 0};
  int64_t npus = layout.target.npus;
  int64_t byte = location.offset - layout.offset;
  if (location.npu < 0 || location.npu >= npus || byte < 0 ||
      byte >= bytesPerNpu(layout))
    return nothing;
  int64_t size = packedBytes(layout);
  Position position = positionOf(axesOf(layout), byte / size);
  ByteContent content = {Content::Padding, position.index, 0};
  Dims &index = content.index;
  index.n *= packFactor(layout.mode);
  index.c = index.c * npus + location.npu - layout.startNpu;
  if (index.c < 0 || index.c >= layout.shape.c)
    content.content = Content::EmptyBlock;
  if (content.content == Content::EmptyBlock || position.rest != 0) {
    index.h = index.w = 0;
    return content;
  }
  Dims first = index;
  index.n += byte % size / layout.elementBytes;
  content.byte = byte % layout.elementBytes;
  if (hasElement(layout, index))
    content.content = Content::Element;
  else if (hasElement(layout, first))
    content.content = Content::Dummy;
  return content;
}

} // namespace mli::layout
