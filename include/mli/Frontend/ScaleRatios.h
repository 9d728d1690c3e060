// SPDX-License-Identifier: Apache-2.0
//
// The range of scales of conversions and sums.

#ifndef MLI_FRONTEND_SCALERATIOS_H
#define MLI_FRONTEND_SCALERATIOS_H

#include "mlir/IR/Operation.h"

namespace mli {

/// Fails, with an error, if `op` is a conversion, a sum or a difference of at
/// most 16 bits whose input has a scale so much larger than the result that its
/// values wrap in 32 bits (K4, K26).
llvm::LogicalResult verifyScaleRatios(mlir::Operation *op);

} // namespace mli

#endif // MLI_FRONTEND_SCALERATIOS_H
