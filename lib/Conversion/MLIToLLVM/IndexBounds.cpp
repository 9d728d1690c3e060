// SPDX-License-Identifier: Apache-2.0

#include "IndexBounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// What `range` has in common with the numbers for which `predicate` holds
/// beside `bound`. All of it if nothing: then no code runs.
static ConstantIntRanges intersect(const ConstantIntRanges &range,
                                   arith::CmpIPredicate predicate,
                                   const APInt &bound) {
  APInt least = range.smin(), most = range.smax();
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    least = most = bound;
    break;
  case arith::CmpIPredicate::slt:
    if (!bound.isMinSignedValue())
      most = bound - 1;
    break;
  case arith::CmpIPredicate::sle:
    most = bound;
    break;
  case arith::CmpIPredicate::sgt:
    if (!bound.isMaxSignedValue())
      least = bound + 1;
    break;
  case arith::CmpIPredicate::sge:
    least = bound;
    break;
  default:
    return range;
  }
  least = llvm::APIntOps::smax(least, range.smin());
  most = llvm::APIntOps::smin(most, range.smax());
  return least.sgt(most) ? range : ConstantIntRanges::fromSigned(least, most);
}

/// Of the conditions that a branch combines, no more are read.
static constexpr size_t maxConditions = 16;

/// What is left of the `range` of `value` where `condition` is `holds`.
static ConstantIntRanges narrowBy(Value condition, bool holds,
                                  ConstantIntRanges range, Value value) {
  llvm::SmallSetVector<Value, 4> conditions;
  conditions.insert(condition);
  for (size_t i = 0; i < conditions.size() && i < maxConditions; ++i) {
    Operation *op = conditions[i].getDefiningOp();
    if (holds ? isa_and_nonnull<arith::AndIOp>(op)
              : isa_and_nonnull<arith::OrIOp>(op)) {
      conditions.insert_range(op->getOperands());
      continue;
    }
    auto compare = dyn_cast_if_present<arith::CmpIOp>(op);
    APInt bound;
    if (!compare || compare.getLhs() != value ||
        !matchPattern(compare.getRhs(), m_ConstantInt(&bound)))
      continue;
    arith::CmpIPredicate predicate = compare.getPredicate();
    range = intersect(
        range, holds ? predicate : arith::invertPredicate(predicate), bound);
  }
  return range;
}

/// What is left of the `range` of `value` in `block`, between which and that of
/// `value` conditions may be.
ConstantIntRanges IndexBounds::narrow(ConstantIntRanges range, Value value,
                                      Block *block) {
  Block *start = value.getParentBlock();
  // Of a function's own values, there may be any number of blocks between.
  if (block->getParent() != start->getParent() || start->isEntryBlock() ||
      !dominance.isReachableFromEntry(block))
    return range;
  llvm::DominatorTreeBase<Block, false> &tree =
      dominance.getDomTree(block->getParent());
  for (unsigned i = 0; block && block != start && i < maxBlocks; ++i) {
    Block *before = block->getSinglePredecessor();
    auto branch = before ? dyn_cast<cf::CondBranchOp>(before->getTerminator())
                         : cf::CondBranchOp();
    if (branch)
      range = narrowBy(branch.getCondition(), branch.getTrueDest() == block,
                       range, value);
    auto *above = tree.getNode(block)->getIDom();
    block = above ? above->getBlock() : nullptr;
  }
  return range;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

ConstantIntRanges IndexBounds::getRange(Value value, Block *block,
                                        unsigned depth) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return ConstantIntRanges::constant(constant);
  unsigned width = ConstantIntRanges::getStorageBitwidth(value.getType());
  ConstantIntRanges range = ConstantIntRanges::maxRange(width);
  if (depth == 0 || width == 0)
    return range;
  if (auto argument = dyn_cast<BlockArgument>(value))
    range = getArgumentRange(argument, depth - 1);
  else if (auto op = value.getDefiningOp<InferIntRangeInterface>())
    range = inferRange(op, value, block, depth - 1);
  return narrow(range, value, block);
}

/// Values are as they were at the last execution of their definition, so that
/// what holds of them in `block` held for `op`.
ConstantIntRanges IndexBounds::inferRange(InferIntRangeInterface op,
                                          Value result, Block *block,
                                          unsigned depth) {
  ConstantIntRanges found = ConstantIntRanges::maxRange(
      ConstantIntRanges::getStorageBitwidth(result.getType()));
  SmallVector<ConstantIntRanges> operands;
  for (Value operand : op->getOperands()) {
    if (!operand.getType().isIntOrIndex())
      return found;
    operands.push_back(getRange(operand, block, depth));
  }
  op.inferResultRanges(operands,
                       [&](Value value, const ConstantIntRanges &range) {
                         if (value == result)
                           found = range;
                       });
  return found;
}

/// Whether `next` is `argument` and a constant that is not below 0, without
/// overflow, at the end of `block`.
bool IndexBounds::isIncreased(Value next, BlockArgument argument,
                              Block *block) {
  auto sum = next.getDefiningOp<arith::AddIOp>();
  APInt step;
  if (!sum || sum.getLhs() != argument ||
      !matchPattern(sum.getRhs(), m_ConstantInt(&step)) || step.isNegative())
    return false;
  ConstantIntRanges any = ConstantIntRanges::maxRange(step.getBitWidth());
  APInt most = narrow(any, argument, block).smax();
  return most.sle(any.smax() - step);
}

/// That of an induction variable starts with the first of its values. It ends
/// with the type: conditions say more.
ConstantIntRanges IndexBounds::getArgumentRange(BlockArgument argument,
                                                unsigned depth) {
  Block *block = argument.getOwner();
  ConstantIntRanges any = ConstantIntRanges::maxRange(
      ConstantIntRanges::getStorageBitwidth(argument.getType()));
  if (block->isEntryBlock())
    return any;
  APInt least = any.smax();
  if (std::distance(block->pred_begin(), block->pred_end()) > maxPredecessors)
    return any;
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
    auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    if (!branch)
      return any;
    Value next = branch.getSuccessorOperands(
        it.getSuccessorIndex())[argument.getArgNumber()];
    if (!next)
      return any;
    if (!isIncreased(next, argument, *it))
      least = llvm::APIntOps::smin(least, getRange(next, *it, depth).smin());
  }
  return ConstantIntRanges::fromSigned(least, any.smax());
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

ProvenOffsets::ProvenOffsets(ModuleOp module) {
  IndexBounds bounds;
  module.walk([&](SubtensorOp slice) {
    if (slice.getOffsets().empty())
      return;
    auto source = cast<ShapedType>(slice.getSource().getType());
    for (auto [i, offset] : llvm::enumerate(slice.getMixedOffsets())) {
      auto dim = static_cast<int64_t>(i);
      auto index = dyn_cast<Value>(offset);
      if (!index || source.isDynamicDim(dim) || slice.isDynamicSize(dim))
        continue;
      int64_t last = source.getDimSize(dim) - slice.getStaticSize(dim);
      ConstantIntRanges range = bounds.getRange(index, slice->getBlock());
      if (range.smin().isNonNegative() && range.smax().sle(last))
        proven.insert({slice, dim});
    }
  });
}
