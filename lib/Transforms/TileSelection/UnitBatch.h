// SPDX-License-Identifier: Apache-2.0
//
// The first step of mli-tile-to-fit: drops batches of one, so that producers
// can fuse across the reshapes.

#ifndef MLI_LIB_TRANSFORMS_TILESELECTION_UNITBATCH_H
#define MLI_LIB_TRANSFORMS_TILESELECTION_UNITBATCH_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mli {

/// Computes what is element by element in `function` on feature maps of three
/// dimensions where all in front of these are 1, as convolutions and pooling
/// do. Reshapes from and to them go where nothing needs them.
void dropUnitBatches(mlir::FunctionOpInterface function);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_TILESELECTION_UNITBATCH_H
