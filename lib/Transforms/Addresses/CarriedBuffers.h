// SPDX-License-Identifier: Apache-2.0
//
// Loop-carried buffers, for mli-double-buffer and mli-assign-addresses.

#ifndef MLI_LIB_TRANSFORMS_ADDRESSES_CARRIEDBUFFERS_H
#define MLI_LIB_TRANSFORMS_ADDRESSES_CARRIEDBUFFERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mli {

/// Replaces a buffer that each iteration of an `scf.for` allocates and yields,
/// and that lives until the end of the next iteration only, by two that are
/// allocated before the loop and alternate, so that each has one address.
void alternateCarriedBuffers(mlir::func::FuncOp function);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_ADDRESSES_CARRIEDBUFFERS_H
