// SPDX-License-Identifier: Apache-2.0
//
// Queries as calls of the helpers, where the type does not answer them.

#include "CallBuilder.h"
#include "KernelCalls.h"
#include "RuntimeCheck.h"

#include "mli/IR/LocalMemory.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"

using namespace mlir;
using namespace mli;

namespace {

template <typename QueryOp>
struct QueryCall : CallPattern<QueryOp> {
  using CallPattern<QueryOp>::CallPattern;

  LogicalResult
  matchAndRewrite(QueryOp op, typename QueryOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<MemRefType>(op.getSource().getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "operand is a tensor");
    SmallVector<OpFoldResult> folded;
    if (succeeded(op->fold(folded)))
      return rewriter.notifyMatchFailure(op, "the type answers");
    CallBuilder calls = this->callsFor(op, rewriter);
    // They look at no element.
    SmallVector<int64_t> steps(type.getRank(), 1);
    Value tensor = isLocal(type)
                       ? calls.getShape(type.getElementType(), type.getShape(),
                                        steps, Params::All)
                       : calls.tensor(type, adaptor.getSource());
    SmallVector<Value, 2> arguments = {tensor};
    addArgument(op, adaptor, calls, rewriter, arguments);

    bool isShort = std::is_same_v<QueryOp, ZeroOffsetOp>;
    Value result =
        calls.call(name(), arguments,
                   isShort ? rewriter.getI16Type() : rewriter.getI32Type());
    Type expected = this->getTypeConverter()->convertType(op.getType());
    if (isShort)
      result = LLVM::SExtOp::create(rewriter, op.getLoc(), expected, result);
    else if (expected != result.getType())
      result = LLVM::ZExtOp::create(rewriter, op.getLoc(), expected, result);
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  static StringRef name() {
    if (std::is_same_v<QueryOp, ElemCountOp>)
      return "mli_hlp_count_elem_num";
    if (std::is_same_v<QueryOp, ScaleOp>)
      return "mli_hlp_tensor_scale";
    if (std::is_same_v<QueryOp, ScaleShiftOp>)
      return "mli_hlp_tensor_scale_shift";
    return "mli_hlp_tensor_zero_offset";
  }

  /// The dimension, or the index: helpers read parameters of any.
  static void addArgument(QueryOp op, typename QueryOp::Adaptor adaptor,
                          CallBuilder &calls,
                          ConversionPatternRewriter &rewriter,
                          SmallVectorImpl<Value> &arguments) {
    if constexpr (std::is_same_v<QueryOp, ElemCountOp>) {
      arguments.push_back(calls.i32(op.getDim()));
    } else {
      auto type =
          cast<QuantizedType>(op.getSource().getType().getElementType());
      RuntimeCheck check(op, calls, rewriter);
      check.require(adaptor.getIndex(), LLVM::ICmpPredicate::ult,
                    calls.i64(static_cast<int64_t>(type.getNumParams())),
                    MLI_STATUS_BAD_FUNC_CFG,
                    "the index along axis " + Twine(type.getAxis()) +
                        " to be at least 0 and less than");
      check.returnOnFailure();
      arguments.push_back(LLVM::TruncOp::create(
          rewriter, op.getLoc(), rewriter.getI32Type(), adaptor.getIndex()));
    }
  }
};

} // namespace

void mli::populateQueryCallPatterns(const LLVMTypeConverter &converter,
                                    CallSymbols &symbols,
                                    RewritePatternSet &patterns) {
  // The size of an element is always known.
  patterns.add<QueryCall<ElemCountOp>, QueryCall<ScaleOp>,
               QueryCall<ScaleShiftOp>, QueryCall<ZeroOffsetOp>>(converter,
                                                                 symbols);
}
