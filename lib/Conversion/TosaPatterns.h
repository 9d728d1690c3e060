// SPDX-License-Identifier: Apache-2.0
//
// The groups, by what their root is. Each function returns null, with a reason
// in `refusals`, for what looks like its group and cannot be raised.

#ifndef MLI_LIB_CONVERSION_TOSAPATTERNS_H
#define MLI_LIB_CONVERSION_TOSAPATTERNS_H

#include "TosaConstants.h"

namespace mli::raising {

using GroupPtr = std::unique_ptr<Group>;

/// `op` rescales the sums of a convolution.
GroupPtr matchConv(mlir::tosa::RescaleOp op, Refusals &refusals);
/// `op` rescales the sum of two rescaled operands.
GroupPtr matchAdd(mlir::tosa::RescaleOp op, Refusals &refusals);
/// `op` ends the integer softmax.
GroupPtr matchSoftmax(mlir::tosa::RescaleOp op, Refusals &refusals);
/// `op` goes from i8 to i8.
GroupPtr matchConvert(mlir::tosa::RescaleOp op, Refusals &refusals);

GroupPtr matchClamp(mlir::tosa::ClampOp op, Refusals &refusals);
GroupPtr matchAvePool(mlir::tosa::AvgPool2dOp op, Refusals &refusals);
GroupPtr matchMaxPool(mlir::tosa::MaxPool2dOp op, Refusals &refusals);
GroupPtr matchReshape(mlir::tosa::ReshapeOp op, Refusals &refusals);
GroupPtr matchSlice(mlir::tosa::SliceOp op, Refusals &refusals);

/// The group that `op` is the root of; null if it is of none.
GroupPtr matchGroup(mlir::Operation *op, Refusals &refusals);

/// Gives the root of a group the reason that `subject` is not raised.
void refuseRoot(mlir::Operation *root, mlir::Operation *subject,
                Refusals &refusals);

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSAPATTERNS_H
