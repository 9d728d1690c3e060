// SPDX-License-Identifier: Apache-2.0
//
// Affine arithmetic on static or dynamic sizes and offsets of tiles and rows.

#ifndef MLI_LIB_TRANSFORMS_TILING_INDEXMATH_H
#define MLI_LIB_TRANSFORMS_TILING_INDEXMATH_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace mli::tiling {

/// Expressions over operands; what is known folds, the rest becomes affine ops.
class IndexMath {
public:
  IndexMath(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// `value` in expressions.
  mlir::AffineExpr operand(mlir::OpFoldResult value) {
    if (std::optional<int64_t> known = mlir::getConstantIntValue(value))
      return constant(*known);
    auto *place = llvm::find(operands, value);
    if (place == operands.end()) {
      operands.push_back(value);
      place = &operands.back();
    }
    return builder.getAffineDimExpr(place - operands.begin());
  }
  mlir::AffineExpr constant(int64_t value) {
    return builder.getAffineConstantExpr(value);
  }
  mlir::OpFoldResult apply(mlir::AffineExpr expr) {
    // Most are a number or an operand, and need no operation.
    mlir::AffineExpr simple =
        mlir::simplifyAffineExpr(expr, operands.size(), /*numSymbols=*/0);
    if (auto number = mlir::dyn_cast<mlir::AffineConstantExpr>(simple))
      return builder.getIndexAttr(number.getValue());
    if (auto dim = mlir::dyn_cast<mlir::AffineDimExpr>(simple))
      return operands[dim.getPosition()];
    return mlir::affine::makeComposedFoldedAffineApply(builder, loc,
                                                       map({expr}), operands);
  }
  mlir::OpFoldResult min(llvm::ArrayRef<mlir::AffineExpr> exprs) {
    return mlir::affine::makeComposedFoldedAffineMin(builder, loc, map(exprs),
                                                     operands);
  }
  mlir::OpFoldResult max(llvm::ArrayRef<mlir::AffineExpr> exprs) {
    return mlir::affine::makeComposedFoldedAffineMax(builder, loc, map(exprs),
                                                     operands);
  }

private:
  mlir::AffineMap map(llvm::ArrayRef<mlir::AffineExpr> exprs) {
    return mlir::AffineMap::get(operands.size(), 0, exprs,
                                builder.getContext());
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::SmallVector<mlir::OpFoldResult> operands;
};

} // namespace mli::tiling

#endif // MLI_LIB_TRANSFORMS_TILING_INDEXMATH_H
