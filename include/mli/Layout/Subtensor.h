// SPDX-License-Identifier: Apache-2.0
//
// A slice of a tensor, without a copy.

#ifndef MLI_LAYOUT_SUBTENSOR_H
#define MLI_LAYOUT_SUBTENSOR_H

#include "mli/Layout/TensorLayout.h"

namespace mli::layout {

struct Subtensor {
  /// The layout with its own start NPU, offset and strides. Its element `index`
  /// is element `offset + index` of the whole.
  TensorLayout layout;
  /// Whether it is in the layout of the whole; its kind is Strided otherwise.
  bool keepsLayout;
};

/// The part of `extents` elements from `offset` on. Rejects what is outside of
/// the shape or cuts a group of a storage mode or a channel of a matrix, for
/// which a move is needed.
Result<Subtensor> subtensor(const TensorLayout &layout, const Dims &offset,
                            const Dims &extents);

/// Returns the same slice of a matrix.
Result<Subtensor> submatrix(const TensorLayout &layout, int64_t row,
                            int64_t column, int64_t rows, int64_t columns);

} // namespace mli::layout

#endif // MLI_LAYOUT_SUBTENSOR_H
