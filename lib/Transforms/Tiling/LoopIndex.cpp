// SPDX-License-Identifier: Apache-2.0

#include "LoopIndex.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <numeric>

using namespace mlir;
using namespace mli::tiling;

namespace {
/// The range of a loop.
struct LoopRange {
  OpFoldResult lower, upper, step;
};
/// The same in numbers.
struct LoopBounds {
  int64_t lower, upper, step;
};
/// Affine arithmetic that computes an index.
struct Affine {
  AffineMap map;
  ValueRange operands;
};
} // namespace

/// The range of the loop whose index `value` is, if it is one.
static std::optional<LoopRange> getRange(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument ? dyn_cast_if_present<LoopLikeOpInterface>(
                             argument.getOwner()->getParentOp())
                       : LoopLikeOpInterface();
  if (!loop)
    return std::nullopt;
  auto indices = loop.getLoopInductionVars();
  auto lowers = loop.getLoopLowerBounds(), uppers = loop.getLoopUpperBounds();
  auto steps = loop.getLoopSteps();
  if (!indices || !lowers || !uppers || !steps)
    return std::nullopt;
  for (auto [index, lower, upper, step] :
       llvm::zip_equal(*indices, *lowers, *uppers, *steps))
    if (index == value)
      return LoopRange{lower, upper, step};
  return std::nullopt;
}

/// The bounds of that loop, if they are numbers.
static std::optional<LoopBounds> getBounds(Value value) {
  std::optional<LoopRange> range = getRange(value);
  if (!range)
    return std::nullopt;
  std::optional<int64_t> lower = getConstantIntValue(range->lower);
  std::optional<int64_t> upper = getConstantIntValue(range->upper);
  std::optional<int64_t> step = getConstantIntValue(range->step);
  if (!lower || !upper || !step)
    return std::nullopt;
  return LoopBounds{*lower, *upper, *step};
}

static std::optional<Affine> getAffine(Value value) {
  if (auto apply = value.getDefiningOp<affine::AffineApplyOp>())
    return Affine{apply.getAffineMap(), apply.getMapOperands()};
  if (auto min = value.getDefiningOp<affine::AffineMinOp>())
    return Affine{min.getAffineMap(), min.getMapOperands()};
  if (auto max = value.getDefiningOp<affine::AffineMaxOp>())
    return Affine{max.getAffineMap(), max.getMapOperands()};
  return std::nullopt;
}

static std::optional<int64_t> knownResult(const Affine &affine, bool isMax) {
  SmallVector<Attribute> operands;
  for (Value operand : affine.operands) {
    std::optional<int64_t> known = knownIndex(operand);
    if (!known)
      return std::nullopt;
    operands.push_back(
        IntegerAttr::get(IndexType::get(operand.getContext()), *known));
  }
  SmallVector<Attribute> results;
  if (failed(affine.map.constantFold(operands, results)))
    return std::nullopt;
  SmallVector<int64_t> values;
  for (Attribute result : results)
    values.push_back(cast<IntegerAttr>(result).getInt());
  return isMax ? *llvm::max_element(values) : *llvm::min_element(values);
}

std::optional<int64_t> mli::tiling::knownIndex(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return constant;
  auto computed = cast<Value>(value);
  if (std::optional<Affine> affine = getAffine(computed))
    return knownResult(*affine, computed.getDefiningOp<affine::AffineMaxOp>() !=
                                    nullptr);
  std::optional<LoopBounds> bounds = getBounds(computed);
  if (!bounds || bounds->step < bounds->upper - bounds->lower)
    return std::nullopt;
  return bounds->lower;
}

/// The number or value that `expr` of `affine` is; null if it is computed.
static OpFoldResult getLeaf(AffineExpr expr, const Affine &affine) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return IntegerAttr::get(IndexType::get(expr.getContext()),
                            constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return affine.operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return affine.operands[affine.map.getNumDims() + symbol.getPosition()];
  return {};
}

/// A number that divides `expr` of `affine`.
static int64_t getDivisor(AffineExpr expr, const Affine &affine) {
  if (OpFoldResult leaf = getLeaf(expr, affine))
    return knownDivisor(leaf);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t lhs = getDivisor(binary.getLHS(), affine);
  int64_t rhs = getDivisor(binary.getRHS(), affine);
  if (expr.getKind() == AffineExprKind::Add)
    return std::gcd(lhs, rhs);
  return expr.getKind() == AffineExprKind::Mul ? lhs * rhs : 1;
}

int64_t mli::tiling::knownDivisor(OpFoldResult value) {
  if (std::optional<int64_t> known = knownIndex(value))
    return std::abs(*known);
  auto computed = cast<Value>(value);
  if (std::optional<Affine> affine = getAffine(computed)) {
    int64_t divisor = 0;
    for (AffineExpr expr : affine->map.getResults())
      divisor = std::gcd(divisor, getDivisor(expr, *affine));
    return divisor;
  }
  std::optional<LoopRange> range = getRange(computed);
  return range ? std::gcd(knownDivisor(range->lower), knownDivisor(range->step))
               : 1;
}

/// The range of `expr` of `affine`.
static std::optional<IndexRange> getRange(AffineExpr expr,
                                          const Affine &affine) {
  if (OpFoldResult leaf = getLeaf(expr, affine))
    return knownRange(leaf);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<IndexRange> lhs = getRange(binary.getLHS(), affine);
  std::optional<IndexRange> rhs = getRange(binary.getRHS(), affine);
  if (!lhs || !rhs)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return IndexRange{lhs->least + rhs->least, lhs->most + rhs->most};
  if (expr.getKind() != AffineExprKind::Mul)
    return std::nullopt;
  auto [least, most] =
      std::minmax({lhs->least * rhs->least, lhs->least * rhs->most,
                   lhs->most * rhs->least, lhs->most * rhs->most});
  return IndexRange{least, most};
}

std::optional<IndexRange> mli::tiling::knownRange(OpFoldResult value) {
  if (std::optional<int64_t> known = knownIndex(value))
    return IndexRange{*known, *known};
  auto computed = cast<Value>(value);
  if (auto apply = computed.getDefiningOp<affine::AffineApplyOp>())
    return ::getRange(apply.getAffineMap().getResult(0),
                      {apply.getAffineMap(), apply.getMapOperands()});
  std::optional<LoopBounds> bounds = getBounds(computed);
  if (!bounds || bounds->step <= 0 || bounds->upper <= bounds->lower)
    return std::nullopt;
  int64_t rounds = (bounds->upper - bounds->lower - 1) / bounds->step;
  return IndexRange{bounds->lower, bounds->lower + rounds * bounds->step};
}
