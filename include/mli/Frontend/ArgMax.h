// SPDX-License-Identifier: Apache-2.0
//
// Finds the first maximum of rows.

#ifndef MLI_FRONTEND_ARGMAX_H
#define MLI_FRONTEND_ARGMAX_H

#include "mli/Frontend/TensorBuilder.h"

namespace mli {

/// The maximum number of positions of which the first is found.
inline constexpr int64_t maxPositions = (1 << 14) - 2;

/// Finds the maximum of each row of `source`, sa8 or fx16 and seen in `shape`,
/// along `axis`: its position as `element`, [rows, 1, 1] or [1, 1] of one row.
/// Of equal elements it is the first, or of more than `maxPositions` the last.
mlir::Value createArgMax(TensorBuilder &tensors, mlir::Value source,
                         llvm::ArrayRef<int64_t> shape, int64_t axis,
                         mlir::Type element);

} // namespace mli

#endif // MLI_FRONTEND_ARGMAX_H
