// SPDX-License-Identifier: Apache-2.0
//
// Reads rescales, and chains of rescales as one.

#ifndef MLI_LIB_CONVERSION_TOSATOMLI_SCALES_TOSARESCALE_H
#define MLI_LIB_CONVERSION_TOSATOMLI_SCALES_TOSARESCALE_H

#include "TosaConstants.h"

namespace mli::raising {

/// The parameters of a rescale: `(x - inputZero) * factor + outputZero`.
struct RescaleParams {
  llvm::SmallVector<double> factors; ///< one, or one per channel; not negative
  bool isPerChannel;
  int64_t inputZero;
  int64_t outputZero;

  /// Whether the result is the output zero point for any input.
  bool isConstant() const {
    return llvm::all_of(factors, [](double factor) { return factor == 0; });
  }
};

/// Reads the parameters of `op`. Fails, with a reason for `op`, if they are not
/// constant or out of range, if it changes the shape or, unless `isAnySign`, if
/// they are not signed.
llvm::FailureOr<RescaleParams> readRescale(mlir::tosa::RescaleOp op,
                                           MatchFailures &failures,
                                           bool isAnySign = false);

/// A value and the chain of rescales that follows it, as one rescale. Roundings
/// between them are dropped.
struct RescaledValue {
  mlir::Value value;
  RescaleParams params;
};

/// Follows the rescales before `root`, which returns i8, through 32 bits to the
/// first value that is no rescale.
llvm::FailureOr<RescaledValue> readNarrowing(mlir::tosa::RescaleOp root,
                                             MatchFailures &failures);

/// Follows the rescales before `value`, of 32 bits and an operand of `op`, to
/// i8. They have one factor.
llvm::FailureOr<RescaledValue>
readWidening(mlir::Operation *op, mlir::Value value, MatchFailures &failures);

/// Follows rescales, casts, shifts and reshapes before `value`, an operand of
/// the arithmetic `op`, to `bits` bits, of any number of dimensions, or to the
/// number that a constant of 32 bits has everywhere. They have one factor.
llvm::FailureOr<RescaledValue> readSummand(mlir::Operation *op,
                                           mlir::Value value, unsigned bits,
                                           MatchFailures &failures);

/// Fails, with a reason for `op`, if `params` are per channel.
llvm::LogicalResult checkUniform(mlir::Operation *op,
                                 const RescaleParams &params,
                                 MatchFailures &failures);

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSATOMLI_SCALES_TOSARESCALE_H
