// SPDX-License-Identifier: Apache-2.0
//
// `mli.advance` as moves of memory, or through plain memory where the ring is
// scattered over NPUs.

#include "KernelCalls.h"
#include "LocalOperands.h"

#include "mli/Calls/RowShift.h"
#include "mli/IR/LocalMemory.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"

using namespace mlir;
using namespace mli;

// D26
LogicalResult mli::verifyAdvance(Operation *op) {
  auto advance = dyn_cast<AdvanceOp>(op);
  auto type = advance ? dyn_cast<MemRefType>(advance.getInit().getType())
                      : MemRefType();
  if (!type || calls::hasStrides(type))
    return success();
  calls::RingBlocks rows(advance);
  for (calls::Part block : {rows.getSource(), rows.getTarget()})
    if (layout::Result<layout::Subtensor> part = getSubtensor(
            type, block.offsets, block.sizes, findTarget(op).getValue());
        !part)
      return op->emitOpError("expected rows that are blocks in local memory, "
                             "but got: ")
             << layout::toString(part.violation());
  return success();
}

namespace {

/// A dimension, and the bytes from one index of it to the next.
struct Loop {
  int64_t count;
  Value step;
};

struct AdvanceMove : CallPattern<AdvanceOp> {
  using CallPattern<AdvanceOp>::CallPattern;

  LogicalResult
  matchAndRewrite(AdvanceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<MemRefType>(op.getInit().getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "init is a tensor");
    CallBuilder calls = callsFor(op, rewriter);
    LocalOperands local(op, calls, rewriter);
    Value ring = adaptor.getInit();
    if (!calls::hasStrides(type)) {
      calls::RingBlocks rows(op);
      local.copyElements({type, ring, rows.getSource()},
                         {type, ring, rows.getTarget()});
    } else {
      Value first = isLocal(type) ? calls.getMemory(local.tensor(
                                        type, ring, calls::Access::ReadWrite))
                                  : calls.firstElement(type, ring);
      moveRows(op, ring, first, calls, rewriter);
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void moveRows(AdvanceOp op, Value ring, Value first,
                       CallBuilder &calls, ConversionPatternRewriter &rewriter);
};

} // namespace

/// `bytes` bytes behind `pointer`.
static Value advance(OpBuilder &builder, Location loc, Value pointer,
                     Value bytes) {
  return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                             builder.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>(bytes));
}

/// Creates `body` in a nest of `loops` around it, for the address of each of
/// their indices from `pointer` on.
static void createLoops(ConversionPatternRewriter &rewriter, Location loc,
                        ArrayRef<Loop> loops, Value pointer, CallBuilder &calls,
                        function_ref<void(Value)> body) {
  if (loops.empty())
    return body(pointer);
  Loop loop = loops.front();
  Value zero = calls.i64(0), one = calls.i64(1), count = calls.i64(loop.count);
  Block *before = rewriter.getInsertionBlock();
  Block *after = rewriter.splitBlock(before, rewriter.getInsertionPoint());
  Block *inside = rewriter.createBlock(after, rewriter.getI64Type(), loc);
  Value index = inside->getArgument(0);
  rewriter.setInsertionPointToEnd(before);
  LLVM::BrOp::create(rewriter, loc, zero, inside);
  rewriter.setInsertionPointToEnd(inside);
  Value bytes = LLVM::MulOp::create(rewriter, loc, index, loop.step);
  createLoops(rewriter, loc, loops.drop_front(),
              advance(rewriter, loc, pointer, bytes), calls, body);
  Value next = LLVM::AddOp::create(rewriter, loc, index, one);
  Value isLeft = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::slt,
                                      next, count);
  LLVM::CondBrOp::create(rewriter, loc, isLeft, inside, next, after,
                         ValueRange());
  rewriter.setInsertionPointToStart(after);
}

/// Moves the rows of the ring whose first element is at `first`.
void AdvanceMove::moveRows(AdvanceOp op, Value ring, Value first,
                           CallBuilder &calls,
                           ConversionPatternRewriter &rewriter) {
  Location loc = op.getLoc();
  auto type = cast<MemRefType>(op.getInit().getType());
  SmallVector<int64_t> strides = type.getStridesAndOffset().first;
  calls::RowShift shift = calls::getRowShift(op, strides);
  int64_t bytes = elementWidth(type.getElementType()) / 8;
  auto getStep = [&](int64_t dim, int64_t indices) {
    Field stride =
        ShapedType::isStatic(strides[dim])
            ? calls.quad(strides[dim])
            : Field(MemRefDescriptor(ring).stride(rewriter, loc, dim));
    return calls.toValue(calls.mul(stride, calls.quad(indices * bytes)));
  };
  SmallVector<Loop> loops;
  for (int64_t dim : shift.others)
    loops.push_back({type.getDimSize(dim), getStep(dim, 1)});
  if (!shift.isContiguous)
    loops.push_back({shift.count, getStep(shift.dim, 1)});
  int64_t elements = shift.elements * (shift.isContiguous ? shift.count : 1);
  Value distance = getStep(shift.dim, shift.distance);
  Value moved = calls.i64(elements * bytes);
  createLoops(rewriter, loc, loops, first, calls, [&](Value to) {
    LLVM::MemmoveOp::create(rewriter, loc, to,
                            advance(rewriter, loc, to, distance), moved,
                            /*isVolatile=*/false);
  });
}

void mli::populateAdvancePattern(const LLVMTypeConverter &converter,
                                 CallSymbols &symbols,
                                 RewritePatternSet &patterns) {
  patterns.add<AdvanceMove>(converter, symbols);
}
