// SPDX-License-Identifier: Apache-2.0
//
// What reads a part of a whole that is computed in its place, besides what puts
// it there.

#ifndef MLI_LIB_TRANSFORMS_BUFFERIZATION_PARTREADERS_H
#define MLI_LIB_TRANSFORMS_BUFFERIZATION_PARTREADERS_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mli {

/// Uses of what is inserted, or of what that is another shape of.
using PartReaders = llvm::SmallVector<mlir::OpOperand *, 0>;

/// Adds those of `value`, which `inserter` uses, to `readers`.
void collectReaders(mlir::Value value, mlir::Operation *inserter,
                    PartReaders &readers);

/// Whether a kernel reads its operand `use`, and hands no part of it on.
bool isRead(mlir::OpOperand &use);

/// Whether each of `readers` sees its part after `put` put it there: as long as
/// the whole, which is complete behind `last`, is under construction if it is a
/// kernel that reads it once, and in what the whole is then if it is anything
/// else.
bool areServed(const PartReaders &readers, mlir::Operation *put,
               mlir::Operation *last);

/// Whether no two of `insertions` write the same elements of one whole.
bool areDisjoint(llvm::ArrayRef<mlir::tensor::InsertSliceOp> insertions);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_BUFFERIZATION_PARTREADERS_H
