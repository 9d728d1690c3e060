// SPDX-License-Identifier: Apache-2.0
//
// Reading the operands of TOSA operations that have to be constants.

#ifndef MLI_LIB_CONVERSION_TOSATOMLI_TOSACONSTANTS_H
#define MLI_LIB_CONVERSION_TOSATOMLI_TOSACONSTANTS_H

#include "TosaGroup.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <optional>

namespace mli::raising {

/// The `Op` that gives `value`; null for other operations and without a value.
template <typename Op>
Op definingOp(mlir::Value value) {
  return value ? value.getDefiningOp<Op>() : Op();
}

/// Elements as they lie in memory, in the byte order of the host.
struct RawElements {
  llvm::ArrayRef<char> bytes;
  unsigned elementBytes;
  bool isSplat; ///< `bytes` is one element that stands for all.
};

/// The elements of integers of 8 to 64 bits, dense or in a resource; nothing
/// for other attributes and for a resource without its data.
std::optional<RawElements> rawElements(mlir::ElementsAttr attribute);

/// The attribute of a constant; null for a value that is none.
mlir::ElementsAttr constantOf(mlir::Value value);

/// The elements of a constant of integers, sign-extended, splats expanded;
/// nothing where there are more than a tensor has.
std::optional<llvm::SmallVector<int64_t>> integersOf(mlir::Value value);

/// Whether `value` is a constant whose elements all are `number`.
bool isSplatOf(mlir::Value value, int64_t number);

/// The zero point operand `value` of `op`, `name` in its reason for refusal.
llvm::FailureOr<int64_t> readZeroPoint(mlir::Operation *op, mlir::Value value,
                                       llvm::StringRef name,
                                       Refusals &refusals);

/// Whether elements of `type`, or `type` itself, are signed and stored in
/// `bits` bits: integers, or quantised by the quant dialect.
bool isStoredIn(mlir::Type type, unsigned bits);

/// Whether `type` is a tensor that mli holds quantised: static, not empty, no
/// larger than kernels take, of rank 1 to 4, with i8 elements.
bool isMap(mlir::Type type);

/// Fails, with a reason for `op`, if kernels do not take as many elements of
/// `width` bits as `type` has; `name` is that of the operand.
llvm::LogicalResult checkBytes(mlir::Operation *op, mlir::ShapedType type,
                               unsigned width, llvm::StringRef name,
                               Refusals &refusals);

/// Fails, with a reason for `op`, if `value` is no map; `name` is that of the
/// operand.
llvm::LogicalResult checkMap(mlir::Operation *op, mlir::Value value,
                             llvm::StringRef name, Refusals &refusals);

/// The same for the input and output of a kernel.
llvm::LogicalResult checkMaps(mlir::Operation *op, mlir::Value input,
                              mlir::Value output, Refusals &refusals);

/// The same for a kernel that takes one image after the other: both have the
/// same batch size.
llvm::LogicalResult checkBatches(mlir::Operation *op, mlir::Value input,
                                 mlir::Value output, Refusals &refusals);

/// The shape of a map.
inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getShape();
}

/// The shape of a map without a leading batch of 1, which makes 4-D maps HWC.
llvm::ArrayRef<int64_t> withoutBatch(mlir::Value value);

/// A window of a convolution or pooling operation.
struct Window {
  llvm::SmallVector<int64_t, 2> kernel;
  llvm::SmallVector<int64_t, 2> strides;
  llvm::SmallVector<int64_t, 2> dilations;
  llvm::SmallVector<int64_t, 4> padding; ///< top, bottom, left, right
};

/// Fails, with a reason for `op`, where a field of the kernel does not hold
/// the window, or where padding is as large as the window.
llvm::LogicalResult checkWindow(mlir::Operation *op, const Window &window,
                                Refusals &refusals);

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSATOMLI_TOSACONSTANTS_H
