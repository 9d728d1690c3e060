// SPDX-License-Identifier: Apache-2.0
//
// Padding as attributes and values: known values become attributes.

#ifndef MLI_LIB_IR_MIXEDPADDING_H
#define MLI_LIB_IR_MIXEDPADDING_H

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

namespace mli {

/// Makes constant padding of `op` an attribute, which every kernel can hold.
inline mlir::LogicalResult foldPadding(WindowOpInterface op,
                                       mlir::PatternRewriter &rewriter) {
  llvm::SmallVector<mlir::OpFoldResult> padding = op.getMixedPadding();
  bool isFolded = false;
  for (mlir::OpFoldResult &side : padding) {
    std::optional<int64_t> known = mlir::getConstantIntValue(side);
    if (llvm::isa<mlir::Attribute>(side) || !known || *known < 0 ||
        *known > UINT8_MAX)
      continue;
    side = rewriter.getIndexAttr(*known);
    isFolded = true;
  }
  if (!isFolded)
    return rewriter.notifyMatchFailure(op, "no padding is a known value");
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<int64_t> known;
  mlir::dispatchIndexOpFoldResults(padding, values, known);
  rewriter.modifyOpInPlace(op, [&] {
    op.getPaddingMutable().assign(values);
    op.setStaticPadding(known);
  });
  return mlir::success();
}

} // namespace mli

#endif // MLI_LIB_IR_MIXEDPADDING_H
