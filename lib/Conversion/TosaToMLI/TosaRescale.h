// SPDX-License-Identifier: Apache-2.0
//
// Reading rescales: one, and chains of them as one.

#ifndef MLI_LIB_CONVERSION_TOSATOMLI_TOSARESCALE_H
#define MLI_LIB_CONVERSION_TOSATOMLI_TOSARESCALE_H

#include "TosaConstants.h"

namespace mli::raising {

/// What a rescale does: `(x - inputZero) * factor + outputZero`.
struct RescaleParams {
  llvm::SmallVector<double> factors; ///< one, or one a channel; not negative
  bool isPerChannel;
  int64_t inputZero;
  int64_t outputZero;

  /// Whether it gives its output zero point, whatever it is given.
  bool isConstant() const {
    return llvm::all_of(factors, [](double factor) { return factor == 0; });
  }
};

/// The parameters of `op`; fails, with a reason for `op`, if they are not
/// constant or out of range, if it changes the shape or, unless `isAnySign`, if
/// they are not signed.
llvm::FailureOr<RescaleParams> readRescale(mlir::tosa::RescaleOp op,
                                           Refusals &refusals,
                                           bool isAnySign = false);

/// A value on its way through rescales, which are one together. Roundings
/// between them are dropped.
struct RescaledValue {
  mlir::Value value;
  RescaleParams params;
};

/// From `root`, which gives i8, back through 32 bits to what has not been
/// rescaled.
llvm::FailureOr<RescaledValue> readNarrowing(mlir::tosa::RescaleOp root,
                                             Refusals &refusals);

/// From `value`, of 32 bits and an operand of `op`, back to i8; one factor.
llvm::FailureOr<RescaledValue>
readWidening(mlir::Operation *op, mlir::Value value, Refusals &refusals);

/// Fails, with a reason for `op`, if `params` are per channel.
llvm::LogicalResult checkUniform(mlir::Operation *op,
                                 const RescaleParams &params,
                                 Refusals &refusals);

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSATOMLI_TOSARESCALE_H
