// SPDX-License-Identifier: Apache-2.0
//
// The bytes of constants, and constants computed from others at compile time.

#ifndef MLI_IR_CONSTANTDATA_H
#define MLI_IR_CONSTANTDATA_H

#include "mli/IR/MLI.h"
#include "mli/Quant/CodeConversion.h"

#include <optional>
#include <vector>

namespace mli {

/// The bytes that `value` holds: of all elements in row-major order or, if it
/// is a splat, of one. Nothing if it does not hold them as one block.
std::optional<llvm::ArrayRef<char>> getHeldBytes(mlir::ElementsAttr value);

/// The `bytes` bytes of all elements, `width` each, of a constant that holds
/// `held`: itself if they lie so and at a multiple of `width`, else what
/// `storage` is filled with.
const char *layOutElements(llvm::ArrayRef<char> held, size_t bytes,
                           size_t width, std::vector<char> &storage);

/// `bytes`, one an element, of shape [outputs, ...] in the order [...,
/// outputs]: OHWI becomes HWIO, OI becomes IO. `outputs` is positive and
/// divides the number of bytes.
llvm::SmallVector<char> withOutputsLast(llvm::ArrayRef<char> bytes,
                                        int64_t outputs);

/// Returns how elements of `type`, quantised or f32, are stored at `index` of
/// the quantised axis.
quant::NumberFormat getNumberFormat(mlir::Type type, size_t index = 0);

/// The constant of `type` whose element `i` is that of `source` at row-major
/// position `offset + sum(i[d] * strides[d])`.
mlir::Value gatherConstant(mlir::OpBuilder &builder, ConstantOp source,
                           mlir::RankedTensorType type, int64_t offset,
                           llvm::ArrayRef<int64_t> strides);

/// The concatenation of `parts`, constants of one element type, along dimension
/// `dim`; null if one of them is not a constant.
mlir::Value concatConstants(mlir::OpBuilder &builder, mlir::ValueRange parts,
                            int64_t dim);

/// The result of an `mli.convert` of the constant `value` to `type`, equal bit
/// by bit to that of the runtime; null if `value` is not a constant.
mlir::Value convertConstant(mlir::OpBuilder &builder, mlir::Value value,
                            mlir::RankedTensorType type);

} // namespace mli

#endif // MLI_IR_CONSTANTDATA_H
