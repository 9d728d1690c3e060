// SPDX-License-Identifier: Apache-2.0
//
// The matchers of clusters, by the operation of their root. Each returns null,
// with a reason in `failures`, for operations that resemble its cluster and
// cannot be legalized.

#ifndef MLI_LIB_CONVERSION_TOSATOMLI_TOSAPATTERNS_H
#define MLI_LIB_CONVERSION_TOSATOMLI_TOSAPATTERNS_H

#include "Conversion/TosaToMLI/Scales/TosaRescale.h"

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mli::raising {

using ClusterPtr = std::unique_ptr<Cluster>;

/// Matches a convolution. `root` is the last of the rescales that follow
/// `sums`.
ClusterPtr matchConv(mlir::tosa::RescaleOp root, const RescaledValue &sums,
                     MatchFailures &failures);
/// Matches a product of matrices, as above.
ClusterPtr matchMatMul(mlir::tosa::RescaleOp root, const RescaledValue &sums,
                       MatchFailures &failures);
/// Matches a convolution whose weights are no constant, which is a product of
/// matrices if its window is 1 x 1, as above.
ClusterPtr matchVariableConv(mlir::tosa::RescaleOp root,
                             mlir::tosa::Conv2DOp op, const RescaledValue &sums,
                             MatchFailures &failures);
/// Matches arithmetic with two rescaled operands, as above.
ClusterPtr matchBinary(mlir::tosa::RescaleOp root, const RescaledValue &sums,
                       MatchFailures &failures);
/// Matches arithmetic with two operands of i16 and a result of i16, as above.
ClusterPtr matchWideBinary(mlir::tosa::RescaleOp root,
                           const RescaledValue &sums, MatchFailures &failures);
/// Fails, with a reason for `op`, unless a kernel multiplies `from` by `factor`
/// to `to`.
llvm::LogicalResult checkFactor(mlir::Operation *op, double factor,
                                Fx16Type from, Fx16Type to,
                                MatchFailures &failures);
/// Matches sums along dimensions, which are means, as above.
ClusterPtr matchMean(mlir::tosa::RescaleOp root, const RescaledValue &sums,
                     MatchFailures &failures);
/// Whether `value` is an i32 or i48 that operations of TOSA compute.
bool isSum(mlir::Value value);
/// Matches a rescale to 16 bits, or to 32 as a result of its function, of what
/// is no sum.
ClusterPtr matchWide(mlir::tosa::RescaleOp root, MatchFailures &failures);
/// Matches a change of quantisation from `source`, which is no sum, as above.
ClusterPtr matchConvert(mlir::tosa::RescaleOp root, const RescaledValue &source,
                        MatchFailures &failures);
/// Converts `input` to the quantisation of the result of `root`.
ClusterPtr createConversion(mlir::Operation *root, mlir::Value input,
                            const RescaleParams &params);
/// Whether `value` is a result of its function, moved or not.
bool isReturned(mlir::Value value);
/// Matches a cast to more bits.
ClusterPtr matchCast(mlir::tosa::CastOp op, MatchFailures &failures);
/// Matches a product of i8 that its function returns; else as below.
ClusterPtr matchProduct(mlir::tosa::MulOp op, MatchFailures &failures);
/// Adds the reason for arithmetic of two operands that stands alone; others
/// belong to clusters of other roots.
ClusterPtr matchArithmetic(mlir::Operation *op, MatchFailures &failures);
/// Matches a rescale that multiplies by 0 and so returns `zeroPoint`
/// everywhere, as for channels that were pruned.
ClusterPtr matchConstant(mlir::tosa::RescaleOp root, int64_t zeroPoint,
                         MatchFailures &failures);
/// Matches a conversion between signed and unsigned values of 8 bits.
ClusterPtr matchUnsigned(mlir::tosa::RescaleOp op, MatchFailures &failures);
/// Matches the integer softmax that ends in `op`.
ClusterPtr matchSoftmax(mlir::tosa::RescaleOp op, MatchFailures &failures);

ClusterPtr matchClamp(mlir::tosa::ClampOp op, MatchFailures &failures);
ClusterPtr matchLeakyRelu(mlir::tosa::SelectOp op, MatchFailures &failures);
/// Matches a selection by a constant condition.
ClusterPtr matchChoice(mlir::tosa::SelectOp op, MatchFailures &failures);
/// Matches a maximum or minimum with a constant, which is a clamp.
ClusterPtr matchLimit(mlir::Operation *op, MatchFailures &failures);
/// Matches `abs`, `negate` and `bitwise_not`.
ClusterPtr matchUnary(mlir::Operation *op, MatchFailures &failures);
/// Matches `bitwise_and`, `bitwise_or` and `bitwise_xor` of i8 and a constant.
ClusterPtr matchBitwise(mlir::Operation *op, MatchFailures &failures);
/// Matches shifts of i8 by a constant; others are inside of a softmax.
ClusterPtr matchShift(mlir::Operation *op, MatchFailures &failures);
ClusterPtr matchTable(mlir::tosa::TableOp op, MatchFailures &failures);
/// Creates the cluster of `op`, which maps each quantised value of `input`, i8,
/// to one of the 256 `entries`, -128 first.
ClusterPtr createTable(mlir::Operation *op, mlir::Value input,
                       llvm::ArrayRef<int64_t> entries);
ClusterPtr matchAvePool(mlir::tosa::AvgPool2dOp op, MatchFailures &failures);
ClusterPtr matchMaxPool(mlir::tosa::MaxPool2dOp op, MatchFailures &failures);
ClusterPtr matchReduceMax(mlir::tosa::ReduceMaxOp op, MatchFailures &failures);
ClusterPtr matchArgMax(mlir::tosa::ArgMaxOp op, MatchFailures &failures);
ClusterPtr matchReshape(mlir::tosa::ReshapeOp op, MatchFailures &failures);
ClusterPtr matchSlice(mlir::tosa::SliceOp op, MatchFailures &failures);
ClusterPtr matchTranspose(mlir::tosa::TransposeOp op, MatchFailures &failures);
ClusterPtr matchPad(mlir::tosa::PadOp op, MatchFailures &failures);
ClusterPtr matchConcat(mlir::tosa::ConcatOp op, MatchFailures &failures);
ClusterPtr matchIdentity(mlir::tosa::IdentityOp op, MatchFailures &failures);
ClusterPtr matchTile(mlir::tosa::TileOp op, MatchFailures &failures);
ClusterPtr matchReverse(mlir::tosa::ReverseOp op, MatchFailures &failures);
ClusterPtr matchGather(mlir::tosa::GatherOp op, MatchFailures &failures);
ClusterPtr matchScatter(mlir::tosa::ScatterOp op, MatchFailures &failures);
ClusterPtr matchExtractSlice(mlir::tensor::ExtractSliceOp op,
                             MatchFailures &failures);
ClusterPtr matchResize(mlir::tosa::ResizeOp op, MatchFailures &failures);

/// What to do instead of `op`, of which no kernel computes even a part; empty
/// for other operations.
llvm::StringRef getInstead(mlir::Operation *op);

/// Fails, with a reason for `op`, if the slices at `indices` of each dimension
/// of `shape` take too many moves.
llvm::LogicalResult
checkTakes(mlir::Operation *op, llvm::ArrayRef<int64_t> shape,
           llvm::ArrayRef<llvm::SmallVector<int64_t>> indices,
           MatchFailures &failures);

/// Matches the cluster that `op` is the root of; null if there is none.
ClusterPtr matchCluster(mlir::Operation *op, MatchFailures &failures);

/// Adds to `root` the reason that `subject`, to whose cluster it belongs, is
/// not legalized.
void rejectRoot(mlir::Operation *root, mlir::Operation *subject,
                MatchFailures &failures);

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSATOMLI_TOSAPATTERNS_H
