// SPDX-License-Identifier: Apache-2.0
//
// Checks of the numbers that options of passes give.

#ifndef MLI_LIB_TRANSFORMS_PASSOPTIONS_H
#define MLI_LIB_TRANSFORMS_PASSOPTIONS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace mli {

/// Fails, with an error on `op`, if the option `name` is less than `least`.
inline llvm::LogicalResult checkOption(mlir::Operation *op,
                                       llvm::StringRef name, int64_t least,
                                       int64_t value) {
  if (value >= least)
    return mlir::success();
  return mlir::emitError(op->getLoc(), "expected '")
         << name << "' to be at least " << least << ", but got " << value;
}

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_PASSOPTIONS_H
