// SPDX-License-Identifier: Apache-2.0
//
// How many columns of a matrix a channel best has.

#ifndef MLI_LAYOUT_MATRIXWIDTH_H
#define MLI_LAYOUT_MATRIXWIDTH_H

#include "mli/Layout/TensorLayout.h"

namespace mli::layout {

/// The most columns of one channel that a matrix product takes.
inline constexpr int64_t maxProductWidth = 128;

/// The width in [1, min(columns, maxWidth)] with which a matrix takes the
/// fewest bytes per NPU; of those the one with the fewest block rows, and then
/// the smallest, which uses the most NPUs. `columns` is in [1, maxExtent],
/// `bytes` the size of a packed element, `maxWidth` at least 1.
int64_t bestMatrixWidth(int64_t columns, int64_t bytes, int64_t startNpu,
                        const Target &target, int64_t maxWidth);

/// The same for the matrix of `layout`, whose width and strides are not looked
/// at, with channels of any width.
int64_t bestMatrixWidth(const TensorLayout &layout);

} // namespace mli::layout

#endif // MLI_LAYOUT_MATRIXWIDTH_H
