// SPDX-License-Identifier: Apache-2.0
//
// Weights of TOSA as kernels take them: their order.

#ifndef MLI_LIB_CONVERSION_TOSATOMLI_TOSAWEIGHTS_H
#define MLI_LIB_CONVERSION_TOSATOMLI_TOSAWEIGHTS_H

#include "mlir/IR/BuiltinAttributes.h"

namespace mli::raising {

/// The same elements in the same order, of shape `shape`.
mlir::ElementsAttr withShape(mlir::ElementsAttr weights,
                             llvm::ArrayRef<int64_t> shape);

/// i8 weights [O, ...] as [..., O] of shape `shape`: OHWI becomes HWIO, OI
/// becomes IO. They must be readable by `rawElements`.
mlir::ElementsAttr withOutputsLast(mlir::ElementsAttr weights,
                                   llvm::ArrayRef<int64_t> shape);

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSATOMLI_TOSAWEIGHTS_H
