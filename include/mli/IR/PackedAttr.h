// SPDX-License-Identifier: Apache-2.0
//
// Packed layers, which a kernel with weights has instead of them at run time.

#ifndef MLI_IR_PACKEDATTR_H
#define MLI_IR_PACKEDATTR_H

#include "mli/IR/MLI.h"

namespace mli {

/// The packed layer of `op`; null if it has none.
mlir::ElementsAttr getPackedLayer(mlir::Operation *op);

/// Whether nothing but packed layers has read `constant`, so that no run does.
bool isPackedOnly(ConstantOp constant);

/// Checks one of these attributes of `op`; others pass.
mlir::LogicalResult verifyPackedAttribute(mlir::Operation *op,
                                          mlir::NamedAttribute attribute);

} // namespace mli

#endif // MLI_IR_PACKEDATTR_H
