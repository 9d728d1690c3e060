// SPDX-License-Identifier: Apache-2.0

#include "Patterns.h"
#include "Signature.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mli::reducer;

/// How many operands of one type there is a pattern for.
static constexpr unsigned maxOperands = 4;

namespace {

/// Erases an operation that has no results in use.
struct EraseUnused : AnyOpPattern {
  using AnyOpPattern::AnyOpPattern;

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!op->use_empty() || op->hasTrait<OpTrait::IsTerminator>() ||
        !op->getParentOp())
      return failure();
    if (isa<SymbolOpInterface>(op) &&
        !SymbolTable::symbolKnownUseEmpty(op, getRoot(op)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

/// Replaces a layer by one of its operands: the `number`-th that has its type.
struct ReplaceByOperand : AnyOpPattern {
  ReplaceByOperand(MLIRContext *context, unsigned number)
      : AnyOpPattern(context), number(number) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 || op->use_empty())
      return failure();
    unsigned left = number;
    for (Value operand : op->getOperands())
      if (operand.getType() == op->getResult(0).getType() && left-- == 0) {
        rewriter.replaceOp(op, operand);
        return success();
      }
    return failure();
  }

  unsigned number;
};

/// Lets an operation read another tensor or buffer of the same type, an
/// argument or what is computed before, in place of its operand `number`.
struct ReplaceOperand : AnyOpPattern {
  ReplaceOperand(MLIRContext *context, unsigned number, bool isFirst)
      : AnyOpPattern(context), number(number), isFirst(isFirst) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (number >= op->getNumOperands())
      return failure();
    OpOperand &operand = op->getOpOperand(number);
    Value other = findOther(op, operand.get());
    if (!other)
      return failure();
    rewriter.modifyOpInPlace(op, [&] { operand.set(other); });
    return success();
  }

  /// The first or the last value before `op` that has the type of `value` and
  /// is defined before it, or null.
  Value findOther(Operation *op, Value value) const {
    Block *block = op->getBlock();
    // Bounds of loops remain.
    if (!block || !value.getDefiningOp() || !isa<ShapedType>(value.getType()))
      return {};
    // An empty tensor is as little as there can be, but one serves many.
    bool isEmpty = value.getDefiningOp<tensor::EmptyOp>();
    Value found;
    auto visit = [&](Value other) {
      bool isTaken = other != value && other.getType() == value.getType() &&
                     (!isEmpty || other.getDefiningOp<tensor::EmptyOp>());
      if (isTaken && (!found || !isFirst))
        found = other;
    };
    llvm::for_each(block->getArguments(), visit);
    for (Operation &earlier : *block) {
      if (&earlier == op || &earlier == value.getDefiningOp())
        break;
      llvm::for_each(earlier.getResults(), visit);
    }
    return found;
  }

  unsigned number;
  bool isFirst;
};

} // namespace

void mli::reducer::populateReplacementPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<EraseUnused>(context);
  for (unsigned number = 0; number < maxOperands; ++number)
    patterns.add<ReplaceByOperand>(context, number);
  for (unsigned number = 0; number < maxOperands; ++number)
    for (bool isFirst : {true, false})
      patterns.add<ReplaceOperand>(context, number, isFirst);
}
