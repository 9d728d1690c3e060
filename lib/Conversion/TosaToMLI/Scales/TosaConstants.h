// SPDX-License-Identifier: Apache-2.0
//
// Reads operands of TOSA operations that have to be constants, and checks the
// types of the others.

#ifndef MLI_LIB_CONVERSION_TOSATOMLI_SCALES_TOSACONSTANTS_H
#define MLI_LIB_CONVERSION_TOSATOMLI_SCALES_TOSACONSTANTS_H

#include "TosaCluster.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <optional>

namespace mli::raising {

/// The `Op` that defines `value`; null for other operations and for a null
/// value.
template <typename Op>
Op getDefiningOp(mlir::Value value) {
  return value ? value.getDefiningOp<Op>() : Op();
}

/// Elements as they lie in memory, in the byte order of the host.
struct RawElements {
  llvm::ArrayRef<char> bytes;
  unsigned elementBytes;
  bool isSplat; ///< `bytes` is one element that all elements equal
};

/// The elements of integers of 8 to 64 bits, dense or in a resource; nothing
/// for other attributes and for a resource without its data.
std::optional<RawElements> getRawElements(mlir::ElementsAttr attribute);

/// The attribute of a constant; null for a value that is none.
mlir::ElementsAttr getConstant(mlir::Value value);

/// The elements of a constant of integers, sign-extended, splats expanded;
/// nothing where there are more elements than a tensor can have.
std::optional<llvm::SmallVector<int64_t>> getIntegers(mlir::Value value);
std::optional<llvm::SmallVector<int64_t>>
getIntegers(mlir::ElementsAttr attribute);

/// The number that all elements of a constant are; nothing for other values.
std::optional<int64_t> getSplat(mlir::Value value);

/// The number that one of the first two operands of `op` is everywhere, the
/// second rather than the first, and the other operand, `input`; nothing if
/// none is a constant of equal elements, and `input` is the first then.
std::optional<int64_t> findNumber(mlir::Operation *op, mlir::Value &input);

/// Whether `value` is a constant whose elements all are `number`.
bool isConstantSplat(mlir::Value value, int64_t number);

/// Reads operand `value` of `op`, a zero point. Fails with a reason that calls
/// it `name`.
llvm::FailureOr<int64_t> readZeroPoint(mlir::Operation *op, mlir::Value value,
                                       llvm::StringRef name,
                                       MatchFailures &failures);

/// Whether elements of `type`, or `type` itself, are signed and stored in
/// `bits` bits: integers, or quantised by the quant dialect.
bool isStoredIn(mlir::Type type, unsigned bits);

/// The bits in which elements of `type` are stored: integers, or quantised by
/// the quant dialect; 0 for others.
unsigned getStoredBits(mlir::Type type);

/// Whether `type` is a feature map that mli holds quantised: static, not empty,
/// no larger than kernels take, of rank 1 to 4, with elements of `bits` bits.
bool isFeatureMap(mlir::Type type, unsigned bits = 8);

/// Fails, with a reason for `op`, if `type` has more elements of `width` bits
/// than kernels take; `name` is that of the operand.
llvm::LogicalResult checkBytes(mlir::Operation *op, mlir::ShapedType type,
                               unsigned width, llvm::StringRef name,
                               MatchFailures &failures);

/// Fails, with a reason for `op`, if `value` is not a feature map; `name` is
/// that of the operand.
llvm::LogicalResult checkFeatureMap(mlir::Operation *op, mlir::Value value,
                                    llvm::StringRef name,
                                    MatchFailures &failures);

/// Fails, with a reason for `op`, unless both have the same batch size, for a
/// kernel that computes one image after the other.
llvm::LogicalResult checkSameBatch(mlir::Operation *op, mlir::Value input,
                                   mlir::Value output, MatchFailures &failures);

/// Fails, with a reason for `op`, if `value` is not a static tensor, of any
/// number of dimensions, of signed integers of 8, 16 or 32 bits, but at most
/// `maxBits`; `name` is that of the operand.
llvm::LogicalResult checkCodes(mlir::Operation *op, mlir::Value value,
                               llvm::StringRef name, unsigned maxBits,
                               MatchFailures &failures);

/// Does the same for the input and output of what changes no element.
llvm::LogicalResult checkMove(mlir::Operation *op, mlir::Value input,
                              mlir::Value output, MatchFailures &failures,
                              unsigned maxBits = 32);

/// Fails, with a reason for `op`, unless `output` has `count` elements.
llvm::LogicalResult checkCount(mlir::Operation *op, mlir::Value output,
                               int64_t count, MatchFailures &failures);

/// The shape of a feature map.
inline llvm::ArrayRef<int64_t> getShape(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getShape();
}

/// The shape of a feature map without a leading batch of 1: 4-D ones become
/// HWC.
llvm::ArrayRef<int64_t> withoutBatch(mlir::Value value);

/// The shape of a value, of any number of dimensions, as kernels see it that
/// compute each element by itself.
llvm::SmallVector<int64_t> getFlatShape(mlir::Value value);

/// A window of a convolution or pooling operation.
struct Window {
  llvm::SmallVector<int64_t, 2> kernel;
  llvm::SmallVector<int64_t, 2> strides;
  llvm::SmallVector<int64_t, 2> dilations;
  llvm::SmallVector<int64_t, 4> padding; ///< top, bottom, left, right
};

/// Fails, with a reason for `op`, where the window does not fit the fields of
/// the kernel, or where padding is as large as the window.
llvm::LogicalResult checkWindow(mlir::Operation *op, const Window &window,
                                MatchFailures &failures);

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSATOMLI_SCALES_TOSACONSTANTS_H
