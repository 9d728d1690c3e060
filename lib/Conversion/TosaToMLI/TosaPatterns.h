// SPDX-License-Identifier: Apache-2.0
//
// The groups, by what their root is. Each function returns null, with a reason
// in `refusals`, for what looks like its group and cannot be raised.

#ifndef MLI_LIB_CONVERSION_TOSATOMLI_TOSAPATTERNS_H
#define MLI_LIB_CONVERSION_TOSATOMLI_TOSAPATTERNS_H

#include "TosaRescale.h"

namespace mli::raising {

using GroupPtr = std::unique_ptr<Group>;

/// `root` ends the rescales of what makes `sums`: a convolution.
GroupPtr matchConv(mlir::tosa::RescaleOp root, const RescaledValue &sums,
                   Refusals &refusals);
/// The same of a product of matrices.
GroupPtr matchMatMul(mlir::tosa::RescaleOp root, const RescaledValue &sums,
                     Refusals &refusals);
/// The same of arithmetic with two rescaled operands.
GroupPtr matchBinary(mlir::tosa::RescaleOp root, const RescaledValue &sums,
                     Refusals &refusals);
/// The same of sums along dimensions, which are means.
GroupPtr matchMean(mlir::tosa::RescaleOp root, const RescaledValue &sums,
                   Refusals &refusals);
/// The same of i8.
GroupPtr matchConvert(mlir::tosa::RescaleOp root, const RescaledValue &codes,
                      Refusals &refusals);
/// `root` multiplies by 0 and gives `zeroPoint` everywhere, as for channels
/// that nothing is left of.
GroupPtr matchConstant(mlir::tosa::RescaleOp root, int64_t zeroPoint,
                       Refusals &refusals);
/// `op` goes between signed and unsigned codes of 8 bits.
GroupPtr matchUnsigned(mlir::tosa::RescaleOp op, Refusals &refusals);
/// `op` ends the integer softmax.
GroupPtr matchSoftmax(mlir::tosa::RescaleOp op, Refusals &refusals);

GroupPtr matchClamp(mlir::tosa::ClampOp op, Refusals &refusals);
GroupPtr matchLeakyRelu(mlir::tosa::SelectOp op, Refusals &refusals);
GroupPtr matchTable(mlir::tosa::TableOp op, Refusals &refusals);
GroupPtr matchAvePool(mlir::tosa::AvgPool2dOp op, Refusals &refusals);
GroupPtr matchMaxPool(mlir::tosa::MaxPool2dOp op, Refusals &refusals);
GroupPtr matchReduceMax(mlir::tosa::ReduceMaxOp op, Refusals &refusals);
GroupPtr matchArgMax(mlir::tosa::ArgMaxOp op, Refusals &refusals);
GroupPtr matchReshape(mlir::tosa::ReshapeOp op, Refusals &refusals);
GroupPtr matchSlice(mlir::tosa::SliceOp op, Refusals &refusals);
GroupPtr matchTranspose(mlir::tosa::TransposeOp op, Refusals &refusals);
GroupPtr matchPad(mlir::tosa::PadOp op, Refusals &refusals);
GroupPtr matchConcat(mlir::tosa::ConcatOp op, Refusals &refusals);

/// The group that `op` is the root of; null if it is of none.
GroupPtr matchGroup(mlir::Operation *op, Refusals &refusals);

/// Gives the root of a group the reason that `subject` is not raised.
void refuseRoot(mlir::Operation *root, mlir::Operation *subject,
                Refusals &refusals);

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSATOMLI_TOSAPATTERNS_H
