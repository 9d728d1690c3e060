// SPDX-License-Identifier: Apache-2.0

#include "mli/Layout/ElementMap.h"

#include "Layout/Axes.h"
#include "mli/Layout/AddressFormula.h"

namespace mli::layout {

Location locate(const TensorLayout &layout, const Dims &index) {
  Place<int64_t> place = getPlace(layout, index, divideNumbers);
  return {place.npu, layout.offset + place.packed * packedBytes(layout) +
                         place.part * layout.elementBytes};
}

Dims matrixIndex(const TensorLayout &layout, int64_t row, int64_t column) {
  return matrixIndex(layout.shape.w, Dims{row, 0, 0, column}, divideNumbers);
}

Location locateInMatrix(const TensorLayout &layout, int64_t row,
                        int64_t column) {
  return locate(layout, matrixIndex(layout, row, column));
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
  Position position =
      getPosition(sortAxes(npuShape(layout), layout.strides), byte / size);
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
  else // L15: past the last column.
    content = {Content::Padding, {first.n, first.c, 0, 0}, 0};
  return content;
}

} // namespace mli::layout
