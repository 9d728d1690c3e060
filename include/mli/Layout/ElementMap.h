// SPDX-License-Identifier: Apache-2.0
//
// Maps elements to their bytes, and bytes of local memory to the content that a
// tensor has there.

#ifndef MLI_LAYOUT_ELEMENTMAP_H
#define MLI_LAYOUT_ELEMENTMAP_H

#include "mli/Layout/TensorLayout.h"

namespace mli::layout {

/// The first byte of the element at `index`, which is in the shape.
Location locate(const TensorLayout &layout, const Dims &index);

/// The index of an element of a matrix, by row and column.
Dims matrixIndex(const TensorLayout &layout, int64_t row, int64_t column);

/// The same as `locate` of that index.
Location locateInMatrix(const TensorLayout &layout, int64_t row,
                        int64_t column);

/// True if there is an element at `index`: it is in the shape, and not past
/// the last column of a matrix.
bool hasElement(const TensorLayout &layout, const Dims &index);

enum class Content {
  Element,
  /// An element past the shape that fills up a packed element.
  Dummy,
  /// Part of a channel's block that holds no element.
  Padding,
  /// The block of a block row that has no channel of the tensor.
  EmptyBlock,
  /// Outside of the memory that the tensor takes.
  Nothing
};
std::string_view toString(Content content);

struct ByteContent {
  Content content;
  /// Index of an element or dummy; N of a dummy is at least that of the shape.
  /// Else N and C of the block; an empty one may have C outside of the shape.
  Dims index;
  /// Bytes from the start of the element or dummy.
  int64_t byte;
};

/// The content of `location`, which need not be in local memory.
ByteContent contentAt(const TensorLayout &layout, const Location &location);

} // namespace mli::layout

#endif // MLI_LAYOUT_ELEMENTMAP_H
