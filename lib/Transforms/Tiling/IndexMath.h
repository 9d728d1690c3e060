// SPDX-License-Identifier: Apache-2.0
//
// Affine arithmetic on static or dynamic sizes and offsets, for the tiling of
// kernels in mli-tile-to-fit.

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
    operands.push_back(value);
    return builder.getAffineDimExpr(operands.size() - 1);
  }
  mlir::AffineExpr constant(int64_t value) {
    return builder.getAffineConstantExpr(value);
  }
  mlir::OpFoldResult apply(mlir::AffineExpr expr) {
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
