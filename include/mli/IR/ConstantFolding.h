// SPDX-License-Identifier: Apache-2.0
//
// Folds operations on constants, and conversions of conversions that are one.
// All numbers come from the runtime and from Quant.

#ifndef MLI_IR_CONSTANTFOLDING_H
#define MLI_IR_CONSTANTFOLDING_H

#include "mli/IR/MLI.h"

namespace mli {

/// A folded result is stored in the program, so it has at most this size. Folds
/// that keep the elements of a constant as they are have no limit.
constexpr int64_t maxFoldedBytes = int64_t{1} << 20;

/// The result of `op` on tensors, bit by bit what the runtime computes in the
/// modes that are set in this process, the defaults where none are set: a
/// `DataAttr`, or dense elements of f32. `operands` are the same or null. Null
/// if they do not suffice, if nothing here computes `op`, or if the result is
/// too large.
mlir::Attribute foldConstants(mlir::Operation *op,
                              llvm::ArrayRef<mlir::Attribute> operands);

/// Whether converting elements of `from` to `through` and then to `to` gives
/// the same as converting them to `to` at once, in every rounding mode. It is
/// tried with each value of `from`: false where these have over 16 bits.
bool convertsAtOnce(mlir::Type from, mlir::Type through, mlir::Type to);

/// Whether the conversion of `type` to itself, which the kernel computes as any
/// other, keeps each value. That of sa32 does not: it has 30 bits on the way.
bool convertsToItself(mlir::Type type);

} // namespace mli

#endif // MLI_IR_CONSTANTFOLDING_H
