// SPDX-License-Identifier: Apache-2.0
//
// `mli.mov` as `mli_mov_tensor_sync`. Slices are passed as tensors that start
// inside the buffer rather than as offsets of the configuration: where shapes
// happen to be equal the function ignores those and copies everything.

#include "CallBuilder.h"
#include "KernelCalls.h"
#include "RuntimeCheck.h"
#include "StatusChecks.h"

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

static_assert(sizeof(mli_mov_cfg_t) == 92 &&
              offsetof(mli_mov_cfg_t, offset) == 0 &&
              offsetof(mli_mov_cfg_t, size) == 16 &&
              offsetof(mli_mov_cfg_t, sub_sample_step) == 32 &&
              offsetof(mli_mov_cfg_t, dst_offset) == 48 &&
              offsetof(mli_mov_cfg_t, dst_mem_stride) == 64 &&
              offsetof(mli_mov_cfg_t, perm_dim) == 80 &&
              offsetof(mli_mov_cfg_t, padding_pre) == 84 &&
              offsetof(mli_mov_cfg_t, padding_post) == 88);

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

/// Whether the block fits both sides, where the verifier could not know. The
/// function does not tell: it writes `init` as far as its memory reaches.
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
    check.require(LLVM::ICmpPredicate::sge, left,
                  calls.i64(std::max<int64_t>(copied, 1)),
                  MLI_STATUS_SHAPE_MISMATCH);
    Value taken = copied != 0 ? calls.i64(copied) : left;
    Value rounded =
        LLVM::AddOp::create(builder, loc, taken, calls.i64(step - 1));
    Value written =
        LLVM::UDivOp::create(builder, loc, rounded, calls.i64(step));
    Value room = LLVM::SubOp::create(
        builder, loc, check.size(op.getInit(), adaptor.getInit(), i),
        calls.i64(at(op.getDstOffsets(), i, 0)));
    check.require(op.isPartial() ? LLVM::ICmpPredicate::sle
                                 : LLVM::ICmpPredicate::eq,
                  written, room, MLI_STATUS_SHAPE_MISMATCH);
  }
};

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

    RuntimeCheck check(op, calls, rewriter);
    for (int64_t i = 0; i < source.getRank(); ++i)
      BlockCheck{op, calls, rewriter, check}.dimension(i, adaptor);
    check.leaveOnFailure();

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
    calls.checkedCall("mli_mov_tensor_sync", {in, config, out},
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
