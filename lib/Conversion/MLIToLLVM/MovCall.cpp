// SPDX-License-Identifier: Apache-2.0
//
// `mli.mov` as `mli_mov_tensor_sync` or, where elements keep their order, as a
// copy into or out of local memory.

#include "CallLowering.h"
#include "KernelCalls.h"
#include "LocalOperands.h"
#include "RuntimeCheck.h"
#include "StatusChecks.h"

#include "mli/IR/OtherShape.h"
#include "mli/Runtime/C/mli_types.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mli;

namespace {

/// Whether the block fits both sides, where the verifier could not know. The
/// function does not report it: it writes `init` as far as its memory reaches.
struct BlockCheck {
  MovOp op;
  CallBuilder &calls;
  OpBuilder &builder;
  RuntimeCheck &check;

  int64_t at(ArrayRef<int64_t> values, int64_t i, int64_t absent) const {
    return values.empty() ? absent : values[i];
  }

  /// Dimension `i` of `init`, which dimension `p` of the input goes to.
  void dimension(int64_t i, MovOp::Adaptor adaptor) {
    Location loc = op.getLoc();
    int64_t p = at(op.getPermutation(), i, i);
    if (!op.getInput().getType().isDynamicDim(p) &&
        !op.getInit().getType().isDynamicDim(i))
      return;
    int64_t offset = at(op.getOffsets(), p, 0),
            copied = at(op.getSizes(), p, 0);
    int64_t pad = at(op.getPadLow(), p, 0) + at(op.getPadHigh(), p, 0);
    int64_t step = at(op.getSteps(), p, 1);
    // All below counts from the offset: what is left, copied and written.
    Value left = LLVM::AddOp::create(
        builder, loc, check.size(op.getInput(), adaptor.getInput(), p),
        calls.i64(pad - offset));
    check.require(left, LLVM::ICmpPredicate::sge,
                  calls.i64(std::max<int64_t>(copied, 1)),
                  MLI_STATUS_SHAPE_MISMATCH,
                  "dimension " + Twine(p) +
                      " of 'input' after the offset to be at least");
    Value taken = copied != 0 ? calls.i64(copied) : left;
    Value rounded =
        LLVM::AddOp::create(builder, loc, taken, calls.i64(step - 1));
    Value written =
        LLVM::UDivOp::create(builder, loc, rounded, calls.i64(step));
    Value room = LLVM::SubOp::create(
        builder, loc, check.size(op.getInit(), adaptor.getInit(), i),
        calls.i64(at(op.getDstOffsets(), i, 0)));
    std::string what = ("dimension " + Twine(i) + " of 'init'").str();
    if (op.isPartial())
      check.require(room, LLVM::ICmpPredicate::sge, written,
                    MLI_STATUS_SHAPE_MISMATCH,
                    what + " after the offset to be at least");
    else
      check.require(room, LLVM::ICmpPredicate::eq, written,
                    MLI_STATUS_SHAPE_MISMATCH, what + " to be");
  }
};

struct MovCall : CallPattern<MovOp> {
  using CallPattern<MovOp>::CallPattern;

  LogicalResult
  matchAndRewrite(MovOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto source = dyn_cast<MemRefType>(op.getInput().getType());
    auto destination = dyn_cast<MemRefType>(op.getInit().getType());
    if (!source || !destination)
      return rewriter.notifyMatchFailure(op, "operands are tensors");
    CallBuilder calls = callsFor(op, rewriter);
    LocalOperands local(op, calls, rewriter);
    if (isReshapingMove(op) && !local.isArgument()) {
      local.copyElements({source, adaptor.getInput()},
                         {destination, adaptor.getInit()});
      rewriter.eraseOp(op);
      return success();
    }

    RuntimeCheck check(op, calls, rewriter);
    for (int64_t i = 0; i < source.getRank(); ++i)
      BlockCheck{op, calls, rewriter, check}.dimension(i, adaptor);
    check.returnOnFailure();

    if (local.isArgument() || !moveBlock(op, adaptor, calls, rewriter))
      CallLowering(op, adaptor.getOperands(), calls, rewriter)
          .lower(calls::getCall(op));
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// False for what is no copy of a block into or out of local memory.
  static bool moveBlock(MovOp op, OpAdaptor adaptor, CallBuilder &calls,
                        OpBuilder &builder) {
    std::optional<calls::LocalMove> move = calls::findLocalMove(op);
    if (!move)
      return false;
    LocalOperands(op, calls, builder)
        .move(*move,
              {cast<MemRefType>(op.getInput().getType()), adaptor.getInput()},
              {cast<MemRefType>(op.getInit().getType()), adaptor.getInit()});
    return true;
  }
};

/// A copy of all elements, with local memory on one side at least; others are
/// upstream's.
struct LocalCopy : CallPattern<memref::CopyOp> {
  using CallPattern<memref::CopyOp>::CallPattern;

  LogicalResult
  matchAndRewrite(memref::CopyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto source = dyn_cast<MemRefType>(op.getSource().getType());
    auto target = dyn_cast<MemRefType>(op.getTarget().getType());
    if (!source || !target || !(isLocal(source) || isLocal(target)))
      return rewriter.notifyMatchFailure(op, "operands are in system memory");
    CallBuilder calls = callsFor(op, rewriter);
    LocalOperands operands(op, calls, rewriter);
    if (operands.isArgument())
      CallLowering(op, adaptor.getOperands(), calls, rewriter)
          .lower(calls::getCall(op));
    else
      operands.move(calls::getLocalMove(op), {source, adaptor.getSource()},
                    {target, adaptor.getTarget()});
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mli::populateMovCallPattern(const LLVMTypeConverter &converter,
                                 CallSymbols &symbols,
                                 RewritePatternSet &patterns) {
  patterns.add<MovCall>(converter, symbols);
  patterns.add<LocalCopy>(converter, symbols, /*benefit=*/2);
}
