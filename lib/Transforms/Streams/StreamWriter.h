// SPDX-License-Identifier: Apache-2.0
//
// Writes the loops of a stream.

#ifndef MLI_LIB_TRANSFORMS_STREAMS_STREAMWRITER_H
#define MLI_LIB_TRANSFORMS_STREAMS_STREAMWRITER_H

#include "StreamSchedule.h"

namespace mlir {
class RewriterBase;
} // namespace mlir

namespace mli::streams {

/// Replaces the kernels of `schedule` by loops over their rows. The operations
/// of its graph that are not part of it stay valid. Fails, after a diagnostic,
/// where a kernel does not compute rows as its model says.
llvm::LogicalResult writeStream(mlir::RewriterBase &rewriter,
                                const StreamSchedule &schedule);

} // namespace mli::streams

#endif // MLI_LIB_TRANSFORMS_STREAMS_STREAMWRITER_H
