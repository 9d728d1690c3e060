// SPDX-License-Identifier: Apache-2.0
//
// Moves within local memory to another shape.

#ifndef MLI_IR_OTHERSHAPE_H
#define MLI_IR_OTHERSHAPE_H

#include "mli/IR/MLI.h"

namespace mli {

/// Whether `op` specifies no slice of its operands, whose shapes differ where
/// both are known: within local memory it then copies all elements in row-major
/// order.
inline bool isReshapingMove(MovOp op) {
  return failed(
             mlir::verifyCompatibleShape(op.getInput().getType().getShape(),
                                         op.getInit().getType().getShape())) &&
         op.getOffsets().empty() && op.getSizes().empty() &&
         op.getSteps().empty() && op.getDstOffsets().empty() &&
         op.getPermutation().empty() && op.getPadLow().empty() &&
         op.getPadHigh().empty();
}

} // namespace mli

#endif // MLI_IR_OTHERSHAPE_H
