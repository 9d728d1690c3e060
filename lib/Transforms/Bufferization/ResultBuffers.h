// SPDX-License-Identifier: Apache-2.0
//
// What functions return, after bufferization: allocations wherever it can be,
// as the buffers that callers pass take the place of these.

#ifndef MLI_LIB_TRANSFORMS_BUFFERIZATION_RESULTBUFFERS_H
#define MLI_LIB_TRANSFORMS_BUFFERIZATION_RESULTBUFFERS_H

#include "BufferCopies.h"

namespace mli {

/// A loop whose rounds hand on the buffer that they got results in that buffer.
llvm::LogicalResult foldCarriedBuffers(mlir::ModuleOp module);

/// Results that another shape of an allocation is seen in become the
/// allocation, and kernels write its former shape; results of one buffer become
/// two.
void prepareResults(mlir::ModuleOp module, BufferCopies &copies);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_BUFFERIZATION_RESULTBUFFERS_H
