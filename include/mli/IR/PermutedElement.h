// SPDX-License-Identifier: Apache-2.0
//
// Permutes the axis of quantised element types.

#ifndef MLI_IR_PERMUTEDELEMENT_H
#define MLI_IR_PERMUTEDELEMENT_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"

namespace mli {

/// `element` with its axis, if it has one, where the permutation puts it:
/// dimension `i` of the result is dimension `permutation[i]` of the input (G3).
mlir::Type getPermutedElement(mlir::Type element,
                              llvm::ArrayRef<int64_t> permutation);

} // namespace mli

#endif // MLI_IR_PERMUTEDELEMENT_H
