// SPDX-License-Identifier: Apache-2.0
//
// `mli.mov` as `mli_mov_tensor_sync`. Slices are passed as tensors that start
// inside the buffer rather than as offsets of the configuration: where shapes
// happen to be equal the function ignores those and copies everything.

#include "CallBuilder.h"
#include "KernelCalls.h"

#include "mli/Runtime/C/mli_types.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"

using namespace mlir;
using namespace mli;

/// `values`, filled up to what the struct holds; entry `i` is `absent(i)` where
/// there is none.
static SmallVector<Value> entries(CallBuilder &calls, bool isByte,
                                  ArrayRef<int64_t> values,
                                  function_ref<int64_t(int64_t)> absent) {
  SmallVector<Value> filled;
  for (int64_t i = 0; i < MLI_MAX_RANK; ++i) {
    int64_t value =
        i < static_cast<int64_t>(values.size()) ? values[i] : absent(i);
    filled.push_back(isByte ? calls.i8(value) : calls.i32(value));
  }
  return filled;
}

/// `mli_mov_cfg_t`.
static Value movConfig(CallBuilder &calls, MovOp op, bool isPadded) {
  auto zero = [](int64_t) { return 0; };
  auto one = [](int64_t) { return 1; };
  auto same = [](int64_t i) { return i; };
  Type i8 = IntegerType::get(op.getContext(), 8);
  Type i32 = IntegerType::get(op.getContext(), 32);
  auto words = [&](ArrayRef<int64_t> values,
                   function_ref<int64_t(int64_t)> absent) {
    return calls.array(i32, entries(calls, false, values, absent));
  };
  auto bytes = [&](ArrayRef<int64_t> values,
                   function_ref<int64_t(int64_t)> absent) {
    return calls.array(i8, entries(calls, true, values, absent));
  };
  ArrayRef<int64_t> none;
  Value offset = words(isPadded ? op.getOffsets() : none, zero);
  Value size = words(isPadded ? op.getSizes() : none, zero);
  Value step = words(op.getSteps(), one);
  Value dstOffset = words(none, zero);
  Value dstMemStride = words(none, zero); // 0: those of the tensor.
  Value permDim = bytes(op.getPermutation(), same);
  Value paddingPre = bytes(op.getPadLow(), zero);
  Value paddingPost = bytes(op.getPadHigh(), zero);
  return calls.onStack({offset, size, step, dstOffset, dstMemStride, permDim,
                        paddingPre, paddingPost});
}

namespace {

struct MovCall : ConvertOpToLLVMPattern<MovOp> {
  using ConvertOpToLLVMPattern<MovOp>::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(MovOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto source = dyn_cast<MemRefType>(op.getInput().getType());
    auto destination = dyn_cast<MemRefType>(op.getInit().getType());
    if (!source || !destination)
      return rewriter.notifyMatchFailure(op, "operands are tensors");
    CallBuilder calls(rewriter, op.getLoc(), op->getParentOfType<ModuleOp>());

    // Padding is relative to the whole source, so it stays whole.
    bool isPadded = llvm::any_of(op.getPadLow(), [](int64_t p) { return p; }) ||
                    llvm::any_of(op.getPadHigh(), [](int64_t p) { return p; });
    CallBuilder::Block from;
    if (!isPadded)
      from = {op.getOffsets(), op.getSizes()};
    Value in = calls.tensor(source, adaptor.getInput(), from);
    Value config = movConfig(calls, op, isPadded);
    Value out =
        calls.tensor(destination, adaptor.getInit(), {op.getDstOffsets(), {}});
    calls.checkedCall("mli_mov_tensor_sync", {in, config, out}, rewriter,
                      describeCall(op));
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mli::populateMovCallPattern(const LLVMTypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<MovCall>(converter);
}
