// SPDX-License-Identifier: Apache-2.0
//
// Tensors that are put together part by part are buffers before one-shot
// bufferization looks at them: it compares all parts with each other, and takes
// time that grows with the cube of their number.

#ifndef MLI_LIB_TRANSFORMS_BUFFERIZATION_WHOLEBUFFERS_H
#define MLI_LIB_TRANSFORMS_BUFFERIZATION_WHOLEBUFFERS_H

#include "BufferCopies.h"

namespace mli {

/// Makes buffers of all tensors in `module` that begin empty, as an argument, a
/// constant or what a kernel computes, or as anything else where they are many,
/// and that two insertions or more fill, in a row or in loops, where nothing
/// but what is inserted next sees a part of them that is not complete. Parts of
/// these, and of arguments, that are only read are parts of the buffer as well
/// if there are many. Notes in `copies` why what is inserted is copied.
llvm::LogicalResult makeWholeBuffers(mlir::ModuleOp module,
                                     BufferCopies &copies);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_BUFFERIZATION_WHOLEBUFFERS_H
