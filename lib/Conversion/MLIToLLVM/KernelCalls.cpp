// SPDX-License-Identifier: Apache-2.0
//
// Kernels and tables as calls.

#include "KernelCalls.h"

#include "CallLowering.h"
#include "StatusChecks.h"

#include "mli/IR/AttributeNames.h"
#include "mli/IR/PackedAttr.h"

using namespace mlir;
using namespace mli;

/// Replaces `op` by `call`.
static void lowerCall(Operation *op, const calls::Call &call,
                      ValueRange converted, CallBuilder &builder,
                      ConversionPatternRewriter &rewriter) {
  CallLowering lowering(op, converted, builder, rewriter);
  lowering.prepareTensors(call);
  lowering.lower(call);
  rewriter.eraseOp(op);
}

namespace {

/// A kernel, by what lib/Calls says of it.
struct KernelCall : InterfaceCallPattern<KernelOpInterface> {
  using InterfaceCallPattern::InterfaceCallPattern;

  LogicalResult
  matchAndRewrite(KernelOpInterface op, ArrayRef<Value> converted,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getFamily() && !isa<ConvertOp>(*op))
      return rewriter.notifyMatchFailure(op, "it has a pattern of its own");
    auto kernel = cast<DestinationStyleOpInterface>(op.getOperation());
    if (!kernel.hasPureBufferSemantics())
      return rewriter.notifyMatchFailure(op, "operands are tensors");
    CallBuilder builder = callsFor(op, rewriter);
    lowerCall(op, calls::getCall(op), converted, builder, rewriter);
    return success();
  }
};

/// A table, which the function of its kernel fills.
struct LutCall : CallPattern<LutOp> {
  using CallPattern::CallPattern;

  LogicalResult
  matchAndRewrite(LutOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<MemRefType>(op.getInit().getType()))
      return rewriter.notifyMatchFailure(op, "init is a tensor");
    CallBuilder builder = callsFor(op, rewriter);
    lowerCall(op, calls::getCall(op), adaptor.getOperands(), builder, rewriter);
    return success();
  }
};

/// A kernel with a packed layer, which holds its weights: before the call of
/// the plain kernel.
struct PackedCall : InterfaceCallPattern<WeightedOpInterface> {
  using InterfaceCallPattern::InterfaceCallPattern;

  LogicalResult
  matchAndRewrite(WeightedOpInterface op, ArrayRef<Value> converted,
                  ConversionPatternRewriter &rewriter) const override {
    ElementsAttr layer = getPackedLayer(op);
    if (!layer)
      return rewriter.notifyMatchFailure(op, "has no packed layer");
    CallBuilder builder = callsFor(op, rewriter);
    auto tensor = [&](OpOperand &operand) {
      return builder.tensor(cast<MemRefType>(operand.get().getType()),
                            converted[operand.getOperandNumber()]);
    };
    auto kernel = cast<DestinationStyleOpInterface>(op.getOperation());
    Value input = tensor(op->getOpOperand(0));
    Value init = tensor(*kernel.getDpsInitOperand(0));
    // K62
    constexpr int64_t alignment = 64;
    Value packed = builder.readOnly(
        builder.container(builder.word(layer.getShapedType().getNumElements()),
                          builder.global(layer, alignment)));
    auto threads = op->getAttrOfType<IntegerAttr>(threadsAttrName);
    Value count = builder.i32(threads ? threads.getInt() : 1);
    // The layer of a convolution may be one that was packed for other rows.
    if (auto window = dyn_cast<WindowOpInterface>(*op)) {
      CallLowering lowering(op, converted, builder, rewriter);
      Value rows = lowering.getRecord(calls::getPackedRows(window));
      builder.checkedCall("mli_krn_packed_rows",
                          {input, packed, rows, count, init}, describeCall(op));
    } else {
      builder.checkedCall("mli_krn_packed", {input, packed, count, init},
                          describeCall(op));
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mli::populateKernelCallPatterns(const LLVMTypeConverter &converter,
                                     SymbolTableCollection &symbols,
                                     RewritePatternSet &patterns) {
  patterns.add<KernelCall, LutCall>(converter, symbols);
  patterns.add<PackedCall>(converter, symbols, /*benefit=*/2);
}
