// SPDX-License-Identifier: Apache-2.0
//
// Buffers that one round of a loop hands to the next.

#ifndef MLI_LIB_TRANSFORMS_ADDRESSES_CARRIEDBUFFERS_H
#define MLI_LIB_TRANSFORMS_ADDRESSES_CARRIEDBUFFERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mli {

/// Makes two buffers in front of an `scf.for` of one that each round allocates
/// and hands to the next, which reads it and hands it no further: they take
/// turns, and each can be in one place.
void alternateCarriedBuffers(mlir::func::FuncOp function);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_ADDRESSES_CARRIEDBUFFERS_H
