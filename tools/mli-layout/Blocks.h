// SPDX-License-Identifier: Apache-2.0
//
// The blocks that features of a tensor lie in: NPUs across, block rows down.

#ifndef MLI_TOOLS_MLILAYOUT_BLOCKS_H
#define MLI_TOOLS_MLILAYOUT_BLOCKS_H

#include "mli/Layout/TensorLayout.h"

namespace mli::layout {

int64_t countBlockRows(const TensorLayout &layout);

/// Where a block row starts, in bytes from the start of each NPU.
int64_t offsetOfBlockRow(const TensorLayout &layout, int64_t row);

/// The features (n, c) in a block: `n,c`, with a storage mode `n-n,c`; nothing
/// of an empty block.
std::string getFeatures(const TensorLayout &layout, int64_t row, int64_t npu);

} // namespace mli::layout

#endif // MLI_TOOLS_MLILAYOUT_BLOCKS_H
